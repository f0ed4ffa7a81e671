"""The orders of Radau IIA with s = 1 ... 7 stages on an index-2 problem: the theorem's and the measured ones.

    build/venv/bin/python experiments/published/radau_orders.py

Published: Hairer, Lubich, Roche (1989), table 2.3: 2s - 1 for the differential components y, s for the multipliers z. Ours:
equal steps in float64 on the rolling disc with its multipliers in y, `rigid("semi_explicit")`; errors at the end against
a reference in 113 bits. The collocation below is written for this table and shares no code with the library's methods.
"""

import numpy as np
import numpy.typing as npt

import rigidlimit as rl

Array = npt.NDArray[np.float64]
END = 0.3         # s
# Two numbers of steps for y and for z: small steps show the order, and the error of y reaches rounding first.
STEPS = {1: ((256, 512), (256, 512)), 2: ((64, 128), (64, 128)), 3: ((16, 32), (32, 64)), 4: ((8, 16), (32, 64)),
         5: ((4, 8), (32, 64)), 6: ((4, 6), (24, 32)), 7: ((3, 4), (16, 24))}


def tableau(s: int) -> Array:
    """A (s, s): integrals of the Lagrange polynomials over [0, c_i], by Gauss's rule, which is exact for them."""
    legendre = np.polynomial.legendre
    nodes = (1.0 + legendre.legroots([0.0] * (s - 1) + [-1.0, 1.0])) / 2.0     # P_s - P_(s-1); the last is 1
    points, weights = legendre.leggauss(s)
    a = np.empty((s, s))
    for j in range(s):
        others = np.delete(nodes, j)
        for i, c in enumerate(nodes):
            x = c * (1.0 + points) / 2.0
            a[i, j] = c / 2.0 * weights @ np.prod((x[:, None] - others) / (nodes[j] - others), axis=1)
    return a


def end_of(problem: rl.Problem, s: int, steps: int) -> Array:
    """y at END by equal steps of Radau IIA with s stages: M (Y_i - y) = h sum_j a_ij f(Y_j), next y = Y_s."""
    a, mass, h = tableau(s), problem.mass, END / steps
    y = problem.y0
    n = len(y)
    for _ in range(steps):
        stages, last = np.tile(y, (s, 1)), np.inf
        for _ in range(50):
            slopes = np.array([problem.rhs(0.0, stage) for stage in stages])
            residual = (stages - y) @ mass.T - h * a @ slopes
            jacobians = [problem.jacobian(0.0, stage) for stage in stages]
            matrix = np.block([[(i == j) * mass - h * a[i, j] * jacobians[j] for j in range(s)] for i in range(s)])
            change = np.linalg.solve(matrix, residual.ravel()).reshape(s, n)
            stages -= change
            size = float(np.abs(change).max())
            if last <= 1e-8 and size >= last / 2.0:    # rounding
                break
            last = size
        else:
            raise ArithmeticError(f"Newton's method did not converge, s = {s}, {steps} steps")
        y = stages[-1]
    return y


def errors(s: int, steps: int) -> tuple[float, float]:
    """The errors of (q, v) and of the multipliers at END."""
    study = rl.Study({"name": "rolling_disk"}, name="orders", epsilon=[1e-2], time={"end": END})
    best = study.rigid().reference([END])
    found = end_of(study.rigid("semi_explicit"), s, steps)
    n = len(best.y)
    return float(np.abs(found[:n] - best.y[:, -1]).max()), float(np.abs(found[n:] - best.multiplier[:, -1]).max())


def orders(s: int) -> tuple[float, float]:
    """The orders of y and of z between two numbers of steps."""
    def order(component: int, few: int, many: int) -> float:
        return float(np.log(errors(s, few)[component] / errors(s, many)[component]) / np.log(many / few))
    return order(0, *STEPS[s][0]), order(1, *STEPS[s][1])


def table() -> str:
    lines = ["| s | y: published | ours | difference | z: published | ours | difference |",
             "| --- | ---: | ---: | ---: | ---: | ---: | ---: |"]
    for s in STEPS:
        y, z = orders(s)
        lines.append(f"| {s} | {2 * s - 1} | {y:.2f} | {y - (2 * s - 1):+.2f} | {s} | {z:.2f} | {z - s:+.2f} |")
    return "\n".join(lines)


if __name__ == "__main__":
    print(table())
