"""The scale of a linear axis of a motion: round-off is not enlarged to the height of a panel.

Rule. Let m be the largest absolute value of all components with the unit of the panel, in the motions of the figure. A
range below ROUND_OFF m is round-off: the components are drawn as constant lines, and the axis has m on both sides of
them. So an axis never shows less than ROUND_OFF of the magnitude. A group of components that is itself below ZERO of
the largest number of its quantity is round-off about zero: m is 1 then.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import ArrayLike

ROUND_OFF = 1e-9  # of the magnitude; solvers have tolerances of 1e-9 and more
ZERO = 1e-14  # of the largest number of the quantity in any unit: tens of roundings of double precision


def magnitude(values: ArrayLike, quantity: ArrayLike = ()) -> float:
    """The magnitude m of a group of components, in its unit; 1 for zeros and round-off about zero.

    `quantity`: all components of q, v or λ, in SI units. NaN, after the end of a failed solve, is omitted.
    """
    size, largest = largest_of(values), largest_of(quantity)
    return size if size > ZERO * largest else 1.0


def largest_of(values: ArrayLike) -> float:
    """The largest finite absolute value; 0 without one."""
    numbers = np.abs(np.asarray(values, dtype=float))
    return float(np.max(numbers, initial=0.0, where=np.isfinite(numbers)))


def range_of(values: ArrayLike, size: float) -> float:
    """max - min of the finite values, or 0 if that is round-off of the magnitude `size`."""
    numbers = np.asarray(values, dtype=float)
    numbers = numbers[np.isfinite(numbers)]
    found = float(np.ptp(numbers)) if len(numbers) else 0.0
    return found if found > ROUND_OFF * size else 0.0


def limit_zoom(axis: Axes, drawn: Sequence[ArrayLike], size: float) -> None:
    """Sets the limits of y if the curves `drawn` together have a range of round-off; otherwise leaves them to
    matplotlib."""
    numbers = np.concatenate([np.ravel(np.asarray(one, dtype=float)) for one in drawn] or [np.empty(0)])
    numbers = numbers[np.isfinite(numbers)]
    if range_of(numbers, size) == 0.0:
        middle = float(np.mean(numbers)) if len(numbers) else 0.0
        if abs(middle) <= ROUND_OFF * size:
            middle = 0.0
        axis.set_ylim(middle - size, middle + size)
