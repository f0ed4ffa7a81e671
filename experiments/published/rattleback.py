"""The spin of Kane and Levinson's rattleback, which reverses, beside that of a published program.

    build/venv/bin/python experiments/published/rattleback.py

Published: RattleBack 0.0.2 (PyPI), an implementation of Kane and Levinson (1982), with its example stone and start, without
friction; run for this table with rtol = 1e-13 of LSODA. Ours: the rigid motion of rattleback_reversal.toml.
"""

from pathlib import Path

import numpy as np

import rigidlimit as rl

STUDY = Path(__file__).resolve().parent / "rattleback_reversal.toml"
# Angular velocity about the third axis, upwards, rad/s, at t in s: RattleBack((20, 3, 2, 1), (2, 16, 17, -0.2),
# [pi/360, pi/360, 0, 0, 0, -5], t, rtol=1e-13, atol=1e-14), whose third axis points down.
SPIN = {1.0: 3.13535535, 2.0: 0.88476473, 3.0: -0.25297309, 4.0: -2.38514815}


def spin(method: str = "radau_iia") -> dict[float, float]:
    """Our angular velocity about the third axis at the same times."""
    solution = rl.Study.load(STUDY).rigid().solve(method, np.array(list(SPIN)), rtol=1e-13, atol=1e-15)
    return dict(zip(SPIN, (float(x) for x in solution.v[4]), strict=True))


def table() -> str:
    return "\n".join(["| quantity | published | ours | difference |", "| --- | ---: | ---: | ---: |",
                      *(f"| spin at {t:.0f} s | {SPIN[t]:.8f} | {x:.8f} | {abs(SPIN[t] - x):.0e} |"
                        for t, x in spin().items())])


if __name__ == "__main__":
    print(table())
