"""The benchmark bicycle: published matrices and eigenvalues at upright rolling, and accelerations far from it.

    build/venv/bin/python experiments/published/bicycle.py

Published: Meijaard, Papadopoulos, Ruina, Schwab (2007), equation (5.4) and table 2; Basu-Mandal, Chatterjee, Papadopoulos
(2007), table 1, as transcribed in DynamicistToolKit. Ours: the exact Jacobian of the
nonlinear problem experiments/systems/benchmark_bicycle.toml with the multipliers eliminated, for perturbations of lean
and steer that satisfy the linearised constraints. The other directions are symmetries: position, yaw and turned wheels.
"""

from pathlib import Path

import numpy as np
import numpy.typing as npt
from linearised import linearised as under_constraints

import rigidlimit as rl

Matrix = npt.NDArray[np.float64]
SYSTEM = Path(__file__).resolve().parents[1] / "systems/benchmark_bicycle.toml"
GRAVITY = 9.81
# M q'' + v C1 q' + (g K0 + v^2 K2) q = 0, q = (lean, steer)
MASS = np.array([[80.81722, 2.31941332208709], [2.31941332208709, 0.29784188199686]])
DAMPING = np.array([[0.0, 33.86641391492494], [-0.85035641456978, 1.68540397397560]])
WEIGHT = np.array([[-80.95, -2.59951685249872], [-2.59951685249872, -0.80329488458618]])
SPEED_SQUARED = np.array([[0.0, 76.59734589573222], [0.0, 2.65431523794604]])
# Eigenvalues, 1/s, at v = 0, 1, ... 10 m/s: two of the weave motion, then capsize and castering.
WEAVE: list[tuple[float, float] | complex] = [
    (3.13164324790656, 5.53094371765393),
    3.52696170990070 + 0.80774027519930j, 2.68234517512745 + 1.68066296590675j,
    1.70675605663975 + 2.31582447384325j, 0.41325331521125 + 3.07910818603206j,
    -0.77534188219585 + 4.46486771378823j, -1.52644486584142 + 5.87673060598709j,
    -2.13875644258362 + 7.19525913329805j, -2.69348683581097 + 8.46037971396931j,
    -3.21675402252485 + 9.69377351531791j, -3.72016840437287 + 10.90681139476287j]
CAPSIZE = [-3.13164324790656, -3.13423125066578, -3.07158645641514, -2.63366137253667, -1.42944427361326,
           -0.32286642900409, -0.00406690076970, 0.10268170574766, 0.14327879765713, 0.15790184030917, 0.16105338653172]
CASTERING = [-5.53094371765393, -7.11008014637442, -8.67387984831735, -10.35101467245920, -12.15861426576447,
             -14.07838969279822, -16.08537123098026, -18.15788466125262, -20.27940894394569, -22.43788559040858,
             -24.62459635017404]
WEAVE_SPEED, CAPSIZE_SPEED = 4.29238253634111, 6.02426201538837   # between them the bicycle is stable

# Table 1 of Basu-Mandal et al.: a state, its rates and its accelerations; x = y = theta = beta_r = beta_f = 0.
STATE = {"z": 0.2440472102925, "psi": 0.9501292851472, "phi": 3.1257073014894, "psi_f": 0.2311385135743}
RATES = {"x": -2.8069345714545, "y": -0.1480982396001, "z": 0.1058778746261, "theta": 0.7830033527065,
         "psi": 0.6068425835418, "phi": -0.0119185528069, "psi_f": 0.4859824687093, "beta_r": 8.9129896614890,
         "beta_f": 8.0133620584155}
ACCELERATIONS = {"x": -0.5041626315047, "y": -0.3449706619454, "z": -1.4604528332980, "theta": 0.8353281706379,
                 "psi": -7.8555281128244, "phi": 0.1205543897884, "psi_f": -4.6198904039403,
                 "beta_r": 1.8472554144217, "beta_f": 2.4548072904550}


def published(speed: int) -> list[complex]:
    """The four eigenvalues at this speed, by real part, then by imaginary part."""
    weave = WEAVE[speed]
    pair = list(weave) if isinstance(weave, tuple) else [weave, weave.conjugate()]
    return in_order([*pair, CAPSIZE[speed], CASTERING[speed]])


def in_order(values: npt.ArrayLike) -> list[complex]:
    return sorted(np.asarray(values, complex).tolist(), key=lambda x: (round(x.real, 9), x.imag))


def linearised(speed: float, **parameters: float) -> Matrix:
    """A (4, 4) of z' = A z, z = (lean, steer, lean', steer'), at upright rolling with this speed."""
    return under_constraints(study(speed=speed, lean_rate=0.0, **parameters), ("lean", "steer", "lean'", "steer'"),
                             ("x'", "y'", "z'", "yaw'", "pitch'", "front'"))


def matrices() -> dict[str, tuple[Matrix, Matrix]]:
    """The published matrix and ours, for each of K0, K2 and C1: M times the blocks of A, which determine only M^-1 K."""
    still, rolling = linearised(0.0), linearised(1.0)
    return {"K0": (WEIGHT, -MASS @ still[2:, :2] / GRAVITY),
            "K2": (SPEED_SQUARED, -MASS @ (rolling - still)[2:, :2]),
            "C1": (DAMPING, -MASS @ rolling[2:, 2:])}


def study(**start: float) -> rl.Study:
    return rl.Study({"file": str(SYSTEM), **start}, name="bicycle", epsilon=[1e-2], time={"end": 1.0})


def ours_of(values: dict[str, float]) -> dict[str, float]:
    """Rates in our coordinates. Theirs are turned by pi about y, and count the rear wheel's angle from the frame."""
    return {"x": -values["x"], "y": values["y"], "z": -values["z"], "yaw": -values["theta"], "lean": -values["psi"],
            "pitch": -values["phi"], "steer": -values["psi_f"], "rear": -values["beta_r"] - values["phi"],
            "front": -values["beta_f"]}


def accelerations(**changed: float) -> dict[str, float]:
    """The nine accelerations in their coordinates, of our nonlinear bicycle at their state."""
    state = {"x": 0.0, "y": 0.0, "z": -STATE["z"], "yaw": 0.0, "lean": np.pi / 2 - STATE["psi"],
             "pitch": np.pi - STATE["phi"], "steer": -STATE["psi_f"], "rear": 0.0, "front": 0.0}
    problem = study(**changed).rigid()
    state |= {f"{name}'": rate for name, rate in ours_of(RATES).items()}
    rates = problem.rhs(0.0, [state[name] for name in problem.names])
    of = {name: float(rates[problem.names.index(f"{name}'")]) for name in ours_of(RATES)}
    return {"x": -of["x"], "y": of["y"], "z": -of["z"], "theta": -of["yaw"], "psi": -of["lean"], "phi": -of["pitch"],
            "psi_f": -of["steer"], "beta_r": of["pitch"] - of["rear"], "beta_f": -of["front"]}


def zero_of_real_part(kind: int, low: float, high: float) -> float:
    """The speed at which the eigenvalue of this place in order crosses the imaginary axis, by bisection."""
    def real_part(speed: float) -> float:
        return in_order(np.linalg.eigvals(linearised(speed)))[kind].real
    below = real_part(low) < 0.0
    while True:
        middle = (low + high) / 2
        if not low < middle < high:
            return middle
        if (real_part(middle) < 0.0) == below:
            low = middle
        else:
            high = middle


def stable_speeds() -> tuple[float, float]:
    return zero_of_real_part(-1, 4.0, 5.0), zero_of_real_part(-1, 5.5, 7.0)


def row(name: str, printed: complex, ours: complex) -> str:
    def text(value: complex) -> str:
        return f"{value.real:.14f}" + (f" {'+-'[value.imag < 0]} {abs(value.imag):.14f}i" if value.imag else "")
    return f"| {name} | {text(printed)} | {text(ours)} | {abs(printed - ours):.0e} |"


def table() -> str:
    lines = ["| quantity | published | ours | difference |", "| --- | ---: | ---: | ---: |"]
    for name, (printed, ours) in matrices().items():
        lines += [row(f"{name}[{i + 1}, {j + 1}]", printed[i, j], ours[i, j]) for i in range(2) for j in range(2)
                  if printed[i, j] != 0.0]
    for speed in range(11):
        found = in_order(np.linalg.eigvals(linearised(float(speed))))
        lines += [row(f"v = {speed}", a, b) for a, b in zip(published(speed), found, strict=True) if a.imag >= 0.0]
    lines += [row(name, a, b) for name, a, b in
              zip(("weave speed", "capsize speed"), (WEAVE_SPEED, CAPSIZE_SPEED), stable_speeds(), strict=True)]
    lines += [f"| {name}'' | {ACCELERATIONS[name]:.13f} | {x:.13f} | {abs(ACCELERATIONS[name] - x):.0e} |"
              for name, x in accelerations().items()]
    return "\n".join(lines)


if __name__ == "__main__":
    print(table())
