"""NumPy's ufuncs of recorded scalars, and functions of arrays element by element. NumPy is imported when needed."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any, Final

from .errors import InputError
from .scalar import Condition, Scalar, as_scalar


def _one(name: str) -> Callable[[Scalar], Scalar]:
    return lambda x: Scalar(name, (x,))


def _two(name: str) -> Callable[[Scalar, Scalar], Scalar]:
    return lambda a, b: Scalar(name, (a, b))


UFUNCS: Final[dict[str, Callable[..., Any]]] = {
    "add": operator.add, "subtract": operator.sub, "multiply": operator.mul, "divide": operator.truediv,
    "true_divide": operator.truediv, "negative": operator.neg, "positive": operator.pos, "power": operator.pow,
    "float_power": operator.pow, "square": lambda x: x**2, "reciprocal": lambda x: 1 / x, "absolute": abs,
    "fabs": abs, "conjugate": operator.pos, "less": operator.lt, "less_equal": operator.le, "greater": operator.gt,
    "greater_equal": operator.ge, "equal": operator.eq, "not_equal": operator.ne, "logical_and": operator.and_,
    "bitwise_and": operator.and_, "logical_or": operator.or_, "bitwise_or": operator.or_,
    "logical_not": operator.invert, "invert": operator.invert, "arcsin": _one("asin"), "arccos": _one("acos"),
    "arctan": _one("atan"), "arctan2": _two("atan2"), "maximum": _two("max"), "fmax": _two("max"),
    "minimum": _two("min"), "fmin": _two("min"),
    **{name: _one(name) for name in ("sin", "cos", "tan", "sinh", "cosh", "tanh", "exp", "log", "sqrt", "sign")},
}


def is_array(x: object) -> bool:
    """Whether x is a NumPy array."""
    return type(x).__module__.partition(".")[0] == "numpy" and hasattr(x, "ndim") and hasattr(x, "__setitem__")


def each(function: Callable[..., Any], *arguments: Any) -> Any:
    """Apply a function element by element, with broadcasting.

    Returns
    -------
    numpy.ndarray
        With dtype=object, and the common shape of the arguments; for no dimension the value itself.
    """
    import numpy as np

    arrays = []
    for x in arguments:
        array = np.empty((), object)
        array[()] = x
        arrays.append(np.asarray(x, object) if is_array(x) or isinstance(x, (list, tuple)) else array)
    same = np.broadcast_arrays(*arrays)
    result = np.empty(same[0].shape, object)
    for place in np.ndindex(result.shape):
        result[place] = function(*(array[place] for array in same))
    return result[()]


def _operand(x: object) -> Scalar | Condition:
    if isinstance(x, Condition):
        return x
    made = as_scalar(x)
    if made is None:
        raise InputError(f"a recorded scalar is combined with a {type(x).__name__}, but formulas have only numbers")
    return made


def apply_ufunc(ufunc: Any, method: str, inputs: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
    """The ufunc of recorded scalars, numbers and arrays of both.

    Parameters
    ----------
    ufunc : numpy.ufunc
    method : str
        Only "__call__" is supported.
    inputs, keywords
        As in NumPy's protocol `__array_ufunc__`. `out` must be an array with dtype=object.
    """
    function = UFUNCS.get(ufunc.__name__)
    if method != "__call__" or function is None:
        name = ufunc.__name__ if method == "__call__" else f"{ufunc.__name__}.{method}"
        raise InputError(f"np.{name} of a recorded scalar has no counterpart in formulas; the known ufuncs are "
                         + ", ".join(sorted(UFUNCS)))
    (out,) = keywords.pop("out", (None,))
    if keywords:
        raise InputError(f"np.{ufunc.__name__} of a recorded scalar takes no argument {', '.join(keywords)}")
    try:
        result = each(lambda *parts: function(*map(_operand, parts)), *inputs)
    except TypeError as problem:
        raise InputError(f"np.{ufunc.__name__} of these recorded values is not defined: {problem}") from None
    if out is None:
        return result
    if out.dtype != object:
        raise InputError("an array of numbers cannot store recorded scalars; create it with dtype=object")
    out[...] = result
    return out
