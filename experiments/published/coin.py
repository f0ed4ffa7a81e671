"""The coin of EXUDYN's test rollingCoinTest: where its contact point is after 0.5 s.

    build/venv/bin/python experiments/published/coin.py

Published: the values that EXUDYN's test suite compares with, of steps of 5e-4 s of the generalised-alpha method. Ours: the
rigid motion of penalty_coin.toml in 113 bits, and its compliant motion.
"""

from pathlib import Path

import numpy as np
import numpy.typing as npt

import rigidlimit as rl

PINNED = {"2020-06-19": 0.002004099760845168, "2020-06-20": 0.002004099927340136}    # x of the contact point, m
PINNED_WITH_FORCE = 1.0634381189385853      # 2024-04-29: x + 0.1 (sum of the three local forces), m and N
# ObjectConnectorRollingDiscPenalty of EXUDYN 1.13.6 with viscousFriction, s/m, which multiplies the normal force:
# x of the contact point, run for this table with contactStiffness = 1e6, contactDamping = 2000, steps of 2.5e-5 s.
PENALTY = {100.0: 2.67133753e-3, 1000.0: 2.17031359e-3, 10000.0: 2.02160469e-3}
END = 0.5
RADIUS, MASS, GRAVITY = 0.01, 1.0, 9.81
STUDY = Path(__file__).resolve().parent / "penalty_coin.toml"


def contact_x(q: npt.NDArray[np.float64]) -> float:
    """x of the point where the coin touches the plane, from q = (x, y, yaw, tilt, spin)."""
    return float(q[0] - RADIUS * np.sin(q[3]) * np.sin(q[2]))


def rigid_x() -> tuple[float, float]:
    """x of the contact point at 0.5 s: by Radau IIA in 113 bits, and by Runge-Kutta-Fehlberg 7(8)."""
    problem = rl.Study.load(STUDY).rigid()
    explicit = problem.solve("runge_kutta_fehlberg78", [END], rtol=1e-13, atol=1e-16)
    return contact_x(problem.reference([END]).q[:, -1]), contact_x(explicit.q[:, -1])


def sum_of_forces() -> float:
    """The forces on the coin at 0.5 s along its axle, against its heading, and normal to the plane, N, added."""
    problem = rl.Study.load(STUDY).rigid()
    end = problem.reference([END])
    tilt, rate = end.q[3, -1], end.v[3, -1]
    acceleration = problem.rhs(END, end.y[:, -1])[8]
    normal = MASS * (GRAVITY - RADIUS * (np.sin(tilt) * acceleration + np.cos(tilt) * rate**2))
    return float(normal + end.multiplier[:, -1].sum())


def viscous_x(d: float) -> float:
    """x of the contact point at 0.5 s if the contact is a damper of d [N s/m]."""
    return contact_x(rl.Study.load(STUDY).compliant(1.0 / d).solve("radau_iia", [END], rtol=1e-11, atol=1e-14).q[:, -1])


def table() -> str:
    reference, _ = rigid_x()
    rows = [(f"x, value of {day}", pinned, reference) for day, pinned in PINNED.items()]
    rows.append(("x + 0.1 (sum of forces)", PINNED_WITH_FORCE, reference + 0.1 * sum_of_forces()))
    rows += [(f"x, viscous contact, d = {friction:.0f} s/m × weight", x, viscous_x(friction * MASS * GRAVITY))
             for friction, x in PENALTY.items()]
    return "\n".join(["| quantity | published | ours | difference |", "| --- | ---: | ---: | ---: |",
                      *(f"| {name} | {a:.12f} | {b:.12f} | {abs(a - b):.0e} |" for name, a, b in rows)])


if __name__ == "__main__":
    print(table())
