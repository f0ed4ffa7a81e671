"""The tippe top: the spin that it needs to invert, when its stem touches the table, and how Coulomb friction acts.

    build/venv/bin/python experiments/published/tippe_top.py

Published: the threshold of Jellett's integral for inversion (Rauch-Wojciechowski and Rutstam 2014), and the top and
the start of Leine and Glocker (2003), with the friction of Capobianco et al. (2021) and with Coulomb friction alone.
Ours: the system experiments/systems/tippe_top.toml. The threshold is where an eigenvalue of our exact Jacobian at the
inverted spin, with a viscous contact, crosses the imaginary axis.
"""

import tempfile
from pathlib import Path

import numpy as np
import numpy.typing as npt
from scipy.integrate import solve_ivp

import rigidlimit as rl

Vector = npt.NDArray[np.float64]
SYSTEM = Path(__file__).resolve().parents[1] / "systems/tippe_top.toml"
STUDY = Path(__file__).resolve().parents[1] / "friction/tippe_top_sticks.toml"
# A sphere of mass 0.02 kg and radius 0.02 m with I3 = 2/5 m R^2, eccentricity alpha and gamma = I1/I3.
MASS, RADIUS, GRAVITY = 0.02, 0.02, 9.81
I3 = 0.4 * MASS * RADIUS**2
TOPS = {"alpha = 0.3, gamma = 131/140": (0.3, 131 / 140), "alpha = 0.2, gamma = 0.98": (0.2, 0.98),
        "alpha = 0.5, gamma = 0.8": (0.5, 0.8), "alpha = 0.7, gamma = 0.6": (0.7, 0.6)}
DAMPING = 0.1               # N s/m: the threshold does not depend on it
TIP = (0.016, 0.005)        # m: centre and radius of the tip of the stem, of Leine and Glocker
DRILL = 3 * np.pi / 16 * 5e-4   # m, for their radius of contact 5e-4 m
NO_DAMPING = 1e-40          # N s/m: below rounding


def threshold(alpha: float, gamma: float) -> float:
    """The published threshold of Jellett's integral over sqrt(m g R^3 I3)."""
    return float(np.sqrt(alpha) * (1 + alpha) ** 2 / np.sqrt(1 + alpha - gamma))


def unit() -> float:
    return float(np.sqrt(MASS * GRAVITY * RADIUS**3 * I3))


def top(alpha: float, gamma: float) -> dict[str, float]:
    return {"mass": MASS, "r1": RADIUS, "a1": alpha * RADIUS, "I1": gamma * I3, "I3": I3, "gravity": GRAVITY}


def viscous(tilt: float, spin: float, parameters: dict[str, float], damping: float = DAMPING) -> rl.Problem:
    """The top on a viscous contact, from rest of its centre of mass, with this angular velocity about its axis."""
    study = rl.Study({"file": str(SYSTEM), **parameters}, name="tippe_top", epsilon=[1.0],
                     contact={"law": "viscous", "damping": damping}, initial={"project": True}, time={"end": 1.0})
    problem = study.compliant(1.0)
    start = dict.fromkeys(problem.names, 0.0)
    sine, cosine = (0.0, np.cos(tilt)) if abs(np.sin(tilt)) < 1e-15 else (np.sin(tilt), np.cos(tilt))
    r1, a1 = parameters.get("r1", 0.015), parameters.get("a1", 0.003)
    start |= {"z": r1 - a1 * cosine, "k1": sine, "k3": cosine, "w1": spin * sine, "w3": spin * cosine}
    return problem.with_start([start[name] for name in problem.names])


def growth(alpha: float, gamma: float, jellett: float, *, inverted: bool = True, damping: float = DAMPING) -> float:
    """Largest real part of the eigenvalues at the vertical spin with this Jellett's integral over sqrt(m g R^3 I3)."""
    sign = -1.0 if inverted else 1.0
    spin = jellett * unit() / (I3 * RADIUS * (1 - sign * alpha))    # upwards
    problem = viscous(np.pi if inverted else 0.0, sign * spin, top(alpha, gamma), damping)
    tilted = np.array([problem.names.index(name) for name in ("k1", "k2", "x'", "y'", "w1", "w2")])
    others = np.setdiff1d(np.arange(len(problem.names)), tilted)
    jacobian = problem.jacobian(0.0, problem.y0)
    assert not jacobian[tilted][:, others].any(), "the tilt is decoupled"
    return float(np.linalg.eigvals(jacobian[tilted][:, tilted]).real.max())


def crossing(alpha: float, gamma: float, *, inverted: bool = True, damping: float = DAMPING) -> float:
    """The value of Jellett's integral at which the vertical spin gains or loses its stability, by bisection."""
    low, high = (0.5 * threshold(alpha, gamma), 2.0 * threshold(alpha, gamma)) if inverted else (0.02, 10.0)
    at_low = growth(alpha, gamma, low, inverted=inverted, damping=damping) > 0.0
    while low < (middle := (low + high) / 2) < high:
        if (growth(alpha, gamma, middle, inverted=inverted, damping=damping) > 0.0) == at_low:
            low = middle
        else:
            high = middle
    return high


def jellett(y: Vector, parameters: dict[str, float]) -> Vector:
    """Jellett's integral of states (12, K)."""
    p = {"r1": 0.015, "a1": 0.003, "I1": 8e-7, "I3": 7e-7, **parameters}
    k, w = y[3:6], y[9:12]
    momentum = p["I1"] * w + (p["I3"] - p["I1"]) * (k * w).sum(0) * k
    return np.asarray(p["r1"] * momentum[2] - p["a1"] * (momentum * k).sum(0))


def inclination(alpha: float, gamma: float, factor: float, times: Vector) -> tuple[Vector, float]:
    """Tilt in rad from 0.1 with `factor` times the threshold, and the largest relative change of Jellett's integral."""
    parameters, tilt = top(alpha, gamma), 0.1
    spin = factor * threshold(alpha, gamma) * unit() / (I3 * RADIUS * (np.cos(tilt) - alpha))
    y = viscous(tilt, spin, parameters).solve("radau_iia", times, rtol=1e-12, atol=1e-14).y
    integral = jellett(y, parameters)
    start = factor * threshold(alpha, gamma) * unit()
    return np.arccos(np.clip(y[5], -1.0, 1.0)), float(np.abs(integral / start - 1).max())


def gliding(friction: float = 0.3, drill: float = DRILL) -> rl.Problem:
    """The top of Leine and Glocker from their start, with Coulomb-Contensou friction."""
    return viscous(0.1, 180.0, {"gliding": friction, "drill": drill}, NO_DAMPING)


def touchdown(method: str = "reference", drill: float = DRILL) -> float:
    """When the tip of the stem reaches the table, s: Newton's method, last from a solution of this method."""
    centre, radius = TIP
    problem = gliding(drill=drill)
    grid = np.linspace(0.0, 3.0, 3001)[1:]
    y = problem.solve("radau_iia", grid, rtol=1e-9, atol=1e-12).y
    time = float(grid[np.argmax(y[2] + centre * y[5] < radius)])
    for used in (*["radau_iia"] * 4, method):
        motion = (problem.reference([time]) if used == "reference"
                  else problem.solve(used, [time], rtol=1e-13, atol=1e-15))
        end = motion.y[:, -1]
        rate = problem.rhs(time, end)
        time -= float((end[2] + centre * end[5] - radius) / (rate[2] + centre * rate[5]))
    return time


def sliding(q: Vector, v: Vector) -> Vector:
    """Velocity of the point of contact of the top of Leine and Glocker, (2, K)."""
    below = 0.003 * q[5] - 0.015
    return np.array([v[0] + below * v[4] - 0.003 * q[4] * v[5], v[1] + 0.003 * q[3] * v[5] - below * v[3]])


def exponents(begin: float) -> tuple[float, float]:
    """p of the law |w|^p by which the direction of sliding reaches its limit before `begin`: measured, and by theory.

    w' = a - A mu p w/|w| with a = A Lambda, Lambda the force of rolling: the angle between w and Lambda falls as |w|^p,
    p = |Lambda|/(mu p - |Lambda|). Measured with gliding friction of almost no couple, which is Coulomb's.
    """
    start = {"gliding": 0.3, "drill": 1e-14, "rest": 1e-10}
    times = begin - np.geomspace(1e-7, 1e-8, 3)
    motion = viscous(0.1, 180.0, start, NO_DAMPING).solve("radau_iia", times, rtol=1e-13, atol=1e-16)
    w = sliding(motion.q, motion.v)
    speed, turn = np.log(np.hypot(*w)), np.diff(np.unwrap(np.arctan2(w[1], w[0])))
    end = motion.y[:, -1]
    rolling = rl.Study({"file": str(SYSTEM)}, name="tippe_top", epsilon=[1.0], time={"end": 1.0},
                       initial={"q": list(end[:6]), "v": list(end[6:]), "project": True}).rigid()
    force = float(np.hypot(*rolling.solve("radau_iia", [1e-12]).multiplier[:, -1]))
    normal = 0.006 * (GRAVITY + rolling.rhs(0.0, rolling.y0)[8])
    return float(2 * np.log(turn[0] / turn[1]) / (speed[0] - speed[2])), float(force / (0.3 * normal - force))


def begins_to_roll() -> float:
    """When sliding with Coulomb friction alone ends: SciPy's DOP853 in the time tau with dt = |w| dtau.

    The end of sliding is a singular point of the motion in t and lies at tau = infinity, to which |w| decays.
    """
    problem = viscous(0.1, 180.0, {"gliding": 0.3, "drill": 1e-30, "rest": 1e-30}, NO_DAMPING)

    def rates(_: float, y: Vector) -> Vector:
        speed = np.hypot(*sliding(y[:6], y[6:12]))
        return np.asarray(speed * np.append(problem.rhs(y[12], y[:12]), 1.0))

    motion = solve_ivp(rates, (0.0, 7.0), np.append(problem.y0, 0.0), method="DOP853", rtol=1e-12, atol=1e-16)
    return float(motion.y[12, -1])


def coulomb(end: float = 20.0) -> tuple[float, float, float, float]:
    """With Coulomb friction alone, up to this time: when the top begins to roll, from then on its largest tilt and
    sliding speed, and the largest relative change of Jellett's integral.
    """
    study = rl.Study.load(STUDY).with_(time={"end": end, "samples": 4001, "compared": 0.1},
                                       solvers={"moreau_jean": []})
    with tempfile.TemporaryDirectory() as results:
        found = study.run(results=results)
        motion, events = found.motion("rigid"), found.tables["events"]
    assert list(events["kind"]) == ["stick"]
    begin = float(events["t"][0])
    q, v = motion.q, motion.v
    integral, rolls = jellett(np.vstack([q, v]), {}), motion.times > begin
    return (begin, float(np.arccos(q[5, rolls]).max()), float(np.hypot(*sliding(q, v))[rolls].max()),
            float(np.abs(integral / integral[0] - 1).max()))


def table() -> str:
    rows = [f"| {name} | {threshold(*pair):.14f} | {x:.14f} | {abs(x - threshold(*pair)):.0e} |"
            for name, pair in TOPS.items() for x in (crossing(*pair),)]
    return "\n".join(["| quantity | published | ours | difference |", "| --- | ---: | ---: | ---: |", *rows])


def inversion_table() -> str:
    times = np.array([60.0])
    rows = []
    for name, pair in TOPS.items():
        below, above = (np.degrees(inclination(*pair, factor, times)[0][-1]) for factor in (0.98, 1.02))
        rows.append(f"| {name} | {below:.3f} | {above:.3f} |")
    return "\n".join(["| top | tilt after 60 s, 2 % below | 2 % above |", "| --- | ---: | ---: |", *rows])


if __name__ == "__main__":
    print(table(), inversion_table(), f"stem touches the table at {touchdown():.10f} s", sep="\n\n")
