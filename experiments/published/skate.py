"""A skate that turns steadily on an incline, beside the example tskate of DAEPAK.

    build/venv/bin/python experiments/published/skate.py

Published: the closed form that tskate compares itself with (Neimark and Fufaev 1972, p. 108), and the numbers that
tskate printed at its tolerance of 1e-8. Ours: the rigid motion of our knife edge of unit mass with g = 1 m/s^2, from
rest at the heading 0 with a turning rate of 1 rad/s. The multiplier w of tskate is our lambda.
"""

import numpy as np
import numpy.typing as npt

import rigidlimit as rl

Vector = npt.NDArray[np.float64]
SLOPE, END = 0.8, 10.0                          # rad, s
NAMES = ("x", "y", "x'", "y'", "w")
PRINTED = (0.10615403, 3.4230537, 0.32745341, 0.21230796, 0.78051371)     # by tskate at 10 s


def closed_form(t: Vector) -> Vector:
    """x, y, x', y', w at these times, one row each."""
    pull = np.sin(SLOPE)
    return np.array([pull * np.sin(t) ** 2 / 2, pull * (t - np.sin(2 * t) / 2) / 2, pull * np.sin(2 * t) / 2,
                     pull * np.sin(t) ** 2, -2 * pull * np.sin(t)])


def ours(t: Vector, method: str = "radau_iia", turning: float = 1.0) -> Vector:
    """The same by a method of the catalogue."""
    study = rl.Study({"name": "knife_edge", "slope": SLOPE, "gravity": 1.0}, name="skate", epsilon=[1e-2],
                     initial={"q": [0.0, 0.0, 0.0], "v": [0.0, 0.0, turning]}, time={"end": END})
    motion = study.rigid().solve(method, t, rtol=1e-13, atol=1e-15)
    return np.array([*motion.q[:2], *motion.v[:2], motion.multiplier[0]])


def table() -> str:
    end = np.array([END])
    published, computed = closed_form(end)[:, 0], ours(end)[:, 0]
    rows = [(f"{name} at 10 s", f"{a:.13f}", a, b) for name, a, b in zip(NAMES, published, computed, strict=True)]
    rows += [(f"{name} at 10 s, printed", f"{a:.8g}", a, b)
             for name, a, b in zip(NAMES, PRINTED, computed, strict=True)]
    return "\n".join(["| quantity | published | ours | difference |", "| --- | ---: | ---: | ---: |",
                      *(f"| {name} | {shown} | {b:.13f} | {abs(a - b):.0e} |" for name, shown, a, b in rows)])


if __name__ == "__main__":
    print(table())
