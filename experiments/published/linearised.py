"""Linearisations of rigid motions under their constraints, for the programs beside this file."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

import rigidlimit as rl

Matrix = npt.NDArray[np.float64]


def linearised(study: rl.Study, free: Sequence[str], dependent: Sequence[str], **state: float) -> Matrix:
    """A of z' = A z for perturbations z of the `free` components (k,) at the start of the study with this state.

    The `dependent` components, one for each row, follow from the linearised constraints; the others are symmetries and
    stay. The Jacobian is exact, of the problem with its multipliers eliminated.
    """
    problem, with_multipliers = study.rigid(), study.rigid("semi_explicit")
    names, n = problem.names, len(problem.names)
    y, long = problem.y0.copy(), with_multipliers.y0.copy()
    for name, value in state.items():
        y[names.index(name)] = long[names.index(name)] = value
    rows = with_multipliers.jacobian(0.0, long)[n:, :n]
    moved, follows = ([names.index(name) for name in some] for some in (free, dependent))
    directions = np.zeros((n, len(moved)))
    directions[moved] = np.eye(len(moved))
    directions[follows] = -np.linalg.solve(rows[:, follows], rows[:, moved])
    return np.array((problem.jacobian(0.0, y) @ directions)[moved])
