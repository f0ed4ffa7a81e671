"""NumPy's ufuncs of recorded scalars, and functions of arrays element by element. NumPy is imported when needed."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any, Final

from .errors import InputError


def _method(name: str) -> Callable[..., Any]:
    return lambda x, *more: getattr(x, name)(*more)


UFUNCS: Final[dict[str, Callable[..., Any]]] = {
    "add": operator.add, "subtract": operator.sub, "multiply": operator.mul, "divide": operator.truediv,
    "true_divide": operator.truediv, "negative": operator.neg, "positive": operator.pos, "power": operator.pow,
    "float_power": operator.pow, "square": lambda x: x**2, "reciprocal": lambda x: 1 / x, "absolute": abs,
    "fabs": abs, "conjugate": operator.pos, "less": operator.lt, "less_equal": operator.le, "greater": operator.gt,
    "greater_equal": operator.ge, "equal": operator.eq, "not_equal": operator.ne, "logical_and": operator.and_,
    "bitwise_and": operator.and_, "logical_or": operator.or_, "bitwise_or": operator.or_,
    "logical_not": operator.invert, "invert": operator.invert, "maximum": _method("_maximum"),
    "fmax": _method("_maximum"), "minimum": _method("_minimum"), "fmin": _method("_minimum"),
    **{name: _method(name) for name in ("sin", "cos", "tan", "arcsin", "arccos", "arctan", "arctan2", "sinh", "cosh",
                                        "tanh", "exp", "log", "sqrt", "sign")},
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


def apply_ufunc(ufunc: Any, method: str, inputs: tuple[Any, ...], keywords: dict[str, Any],
                operand: Callable[[object], Any]) -> Any:
    """The ufunc of recorded scalars, numbers and arrays of both.

    Parameters
    ----------
    ufunc : numpy.ufunc
    method : str
        Only "__call__" is supported.
    inputs, keywords
        As in NumPy's protocol `__array_ufunc__`. `out` must be an array with dtype=object.
    operand : callable
        Makes a recorded scalar or condition of an element, or raises InputError.
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
        result = each(lambda *parts: function(*map(operand, parts)), *inputs)
    except (AttributeError, TypeError) as problem:
        raise InputError(f"np.{ufunc.__name__} of these recorded values is not defined: {problem}") from None
    if out is None:
        return result
    if out.dtype != object:
        raise InputError("an array of numbers cannot store recorded scalars; create it with dtype=object")
    out[...] = result
    return out
