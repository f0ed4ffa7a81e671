"""Numbers among the arguments of the package, with InputError for other types and values."""

from __future__ import annotations

import math
import operator
import os
from typing import Any

from .errors import InputError


def count_of(value: Any, name: str) -> int:
    """A whole number of at least 1.

    Raises
    ------
    InputError
        Another type or value, at the name of the argument.
    """
    try:
        count = operator.index(value)
    except TypeError:
        raise InputError(f"{value!r} must be a whole number", name) from None
    if count < 1:
        raise InputError(f"{value!r} must be at least 1", name)
    return count


def jobs_of(jobs: Any) -> int:
    """The number of solves at a time: `jobs`, or for None one for each core."""
    return (os.cpu_count() or 1) if jobs is None else count_of(jobs, "jobs")


def number_of(value: Any, name: str) -> float:
    """A finite number.

    Raises
    ------
    InputError
        Another type or value, at the name of the argument.
    """
    try:
        number = float(value)
    except (TypeError, ValueError):
        raise InputError(f"{value!r} must be a number", name) from None
    if isinstance(value, str) or not math.isfinite(number):
        raise InputError(f"{value!r} must be a finite number", name)
    return number
