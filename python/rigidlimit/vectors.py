"""Arguments as arrays of float64, checked before the compiled part sees them."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from .errors import InputError

Array = npt.NDArray[np.float64]


def vector(values: npt.ArrayLike, name: str) -> Array:
    """`values` as a contiguous array of one dimension; InputError if they are not real numbers in one dimension."""
    try:
        array = np.asarray(values)
    except ValueError as error:  # lists of different lengths
        raise InputError("is not an array of numbers", name) from error
    if array.dtype.kind not in "biuf" and array.size > 0:
        raise InputError(f"has elements of type {array.dtype}, not real numbers", name)
    if array.ndim != 1:
        raise InputError(f"has {array.ndim} dimensions, not one", name)
    return np.ascontiguousarray(array, dtype=np.float64)
