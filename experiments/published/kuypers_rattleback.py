"""When the spin of Kuypers' rattleback is zero, beside the time of reversal in a public program.

    build/venv/bin/python experiments/published/kuypers_rattleback.py

Published: the code of a thesis on Kuypers' equations (Wittens 2024), whose time of reversal is the point of its grid
with the smallest |omega3|. Ours: the rigid motion of kuypers_rattleback.toml. Its spin crosses zero three times,
because the stone rocks when it reverses.
"""

import tomllib
from pathlib import Path

import numpy as np
import numpy.typing as npt

import rigidlimit as rl

STUDY = Path(__file__).resolve().parent / "kuypers_rattleback.toml"
REVERSAL = 34.35            # s
RATE = (0.01, -0.02, -2.0)  # rad/s about the axes of the ellipsoid, at its upright position
END = 2 * REVERSAL          # s: until here the thesis compares its solvers

Vector = npt.NDArray[np.float64]


def spins_at(problem: rl.Problem, method: str, times: Vector) -> tuple[Vector, Vector]:
    """Spin and its rate at these times: by a method of the catalogue, or by "reference" in 113 bits."""
    motion = (problem.reference(times) if method == "reference"
              else problem.solve(method, times, rtol=1e-13, atol=1e-15))
    rate = [problem.rhs(t, y)[10] for t, y in zip(times, motion.y.T, strict=True)]
    return motion.v[4], np.array(rate)


def rigid(rate: tuple[float, float, float] = RATE, *, mirrored: bool = False) -> rl.Problem:
    """The rolling stone from its upright position with this angular velocity; mirrored: opposite product of inertia."""
    study = rl.Study.load(STUDY)
    system = tomllib.loads(STUDY.read_text(encoding="utf-8"))["system"]
    height = system["semi_axis_c"] - system["depth"]    # of the centre of mass above the contact
    v = [height * rate[1], -height * rate[0], *rate]
    if mirrored:
        study = study.with_(system={"skew": -system["skew"]})
    return study.with_(initial={"q": [0.0, 0.0, 1.0, 0.0, 0.0, 0.0], "v": v}).rigid()


def zeros(problem: rl.Problem, method: str = "reference", end: float = 40.0) -> list[float]:
    """The times before `end` at which the spin is zero: sign changes on a grid, then Newton's method."""
    grid = np.linspace(0.0, end, 2001)[1:]
    spin = problem.solve("radau_iia", grid, rtol=1e-11, atol=1e-13).v[4]
    times = grid[np.flatnonzero(spin[:-1] * spin[1:] < 0.0)]
    for used in (*["radau_iia"] * 5, method) if len(times) else ():
        spin, rate = spins_at(problem, used, times)
        times = times - spin / rate
    return [float(t) for t in times]


def sensitivity(method: str = "runge_kutta_fehlberg78", step: float = 1e-6) -> Vector:
    """Derivative of the first time of zero spin with respect to each rate of the start, in s per rad/s."""
    def first(rate: Vector) -> float:
        return zeros(rigid((rate[0], rate[1], rate[2])), method)[0]
    return np.array([(first(RATE + side) - first(RATE - side)) / (2 * step) for side in step * np.eye(3)])


def table() -> str:
    ours = zeros(rigid())
    return "\n".join(["| quantity | published | ours | difference |", "| --- | ---: | ---: | ---: |",
                      f"| first zero of the spin, s | {REVERSAL} | {ours[0]:.12f} | {abs(REVERSAL - ours[0]):.0e} |",
                      *(f"| {name} zero of the spin, s | | {x:.12f} | |"
                        for name, x in zip(("second", "third"), ours[1:], strict=True))])


if __name__ == "__main__":
    print(table())
