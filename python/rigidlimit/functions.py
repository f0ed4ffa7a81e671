"""Functions of recorded scalars. They also accept numbers, and arrays element by element."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final, Protocol, cast, overload

from .errors import InputError
from .scalar import Condition, Scalar, as_scalar
from .ufuncs import each, is_array

if TYPE_CHECKING:
    from numpy.typing import NDArray

pi: Final = math.pi


class OneArgument(Protocol):
    """A function of one scalar, number or array."""

    @overload
    def __call__(self, x: Scalar, /) -> Scalar: ...
    @overload
    def __call__(self, x: float, /) -> float: ...
    @overload
    def __call__(self, x: NDArray[Any], /) -> NDArray[Any]: ...


class TwoArguments(Protocol):
    """A function of two scalars, numbers or arrays."""

    @overload
    def __call__(self, a: Scalar, b: Scalar | float, /) -> Scalar: ...
    @overload
    def __call__(self, a: float, b: Scalar, /) -> Scalar: ...
    @overload
    def __call__(self, a: float, b: float, /) -> float: ...
    @overload
    def __call__(self, a: NDArray[Any], b: Any, /) -> NDArray[Any]: ...
    @overload
    def __call__(self, a: Any, b: NDArray[Any], /) -> NDArray[Any]: ...


def _documented(function: Callable[..., Any], name: str, what: str) -> Any:
    function.__name__ = function.__qualname__ = name
    function.__doc__ = (f"{what}\n\nParameters are recorded scalars, numbers, or arrays of both. The result is a "
                        "recorded scalar, a float, or an array with dtype=object.")
    return function


def _one(name: str, of_number: Callable[[float], float], what: str) -> OneArgument:
    def function(x: Any) -> Any:
        if isinstance(x, Scalar):
            return Scalar(name, (x,))
        return each(function, x) if is_array(x) else of_number(x)

    return cast(OneArgument, _documented(function, name, what))


def _two(name: str, word: str, of_numbers: Callable[[float, float], float], what: str) -> TwoArguments:
    def function(a: Any, b: Any) -> Any:
        if is_array(a) or is_array(b):
            return each(function, a, b)
        if not isinstance(a, Scalar) and not isinstance(b, Scalar):
            return of_numbers(a, b)
        return Scalar(word, (_scalar(a, name), _scalar(b, name)))

    return cast(TwoArguments, _documented(function, name, what))


def _scalar(x: object, function: str) -> Scalar:
    made = as_scalar(x)
    if made is None:
        raise InputError(f"rl.{function} needs recorded scalars or numbers, but got a {type(x).__name__}")
    return made


sin = _one("sin", math.sin, "Sine; the argument in rad.")
cos = _one("cos", math.cos, "Cosine; the argument in rad.")
tan = _one("tan", math.tan, "Tangent; the argument in rad.")
asin = _one("asin", math.asin, "Inverse sine [rad].")
acos = _one("acos", math.acos, "Inverse cosine [rad].")
atan = _one("atan", math.atan, "Inverse tangent [rad].")
sinh = _one("sinh", math.sinh, "Hyperbolic sine.")
cosh = _one("cosh", math.cosh, "Hyperbolic cosine.")
tanh = _one("tanh", math.tanh, "Hyperbolic tangent.")
exp = _one("exp", math.exp, "Exponential.")
log = _one("log", math.log, "Natural logarithm.")
sqrt = _one("sqrt", math.sqrt, "Square root.")
sign = _one("sign", lambda x: float((x > 0) - (x < 0)), "1, 0 or -1.")
atan2 = _two("atan2", "atan2", math.atan2, "Angle of the point (b, a) [rad]: atan2(y, x).")
minimum = _two("minimum", "min", lambda a, b: a if a < b else b, "The smaller of two values.")
maximum = _two("maximum", "max", lambda a, b: a if b < a else b, "The larger of two values.")


def where(condition: Any, a: Any, b: Any) -> Any:
    """Select a where the condition holds, else b.

    Both are computed. Solvers stop where the condition switches. NumPy cannot compare arrays of scalars: write
    `np.array([x > 0 for x in q])`, not `q > 0`.

    Parameters
    ----------
    condition : Condition or bool
        A comparison of recorded scalars, or several joined with & and |; or an array of them.
    a, b : Scalar or float
        The values, or arrays of them.

    Returns
    -------
    Scalar or float
        An array with dtype=object if an argument is an array.
    """
    if is_array(condition) or is_array(a) or is_array(b):
        return each(where, condition, a, b)
    if not isinstance(condition, Condition):
        if isinstance(condition, bool) or type(condition).__name__ in ("bool", "bool_"):
            return a if condition else b
        raise InputError(f"rl.where needs a comparison such as q.x < 0, but got a {type(condition).__name__}")
    return _select(condition, _scalar(a, "where"), _scalar(b, "where"))


def _select(condition: Condition, a: Scalar, b: Scalar) -> Scalar:
    """Conditions of formulas join comparisons with "and" alone or "or" alone; other ones become nested selections."""
    parts = [part for part in condition._args if isinstance(part, Condition)]
    if all(part._op not in ("and", "or") for part in parts):
        return Scalar("select", (condition, a, b))
    if condition._op == "and":
        for part in reversed(parts):
            a = _select(part, a, b)
        return a
    for part in reversed(parts):
        b = _select(part, a, b)
    return b


def interpolate(x: Any, points: Sequence[Any], values: Sequence[Any]) -> Any:
    """Interpolate linearly between points, constant outside them.

    Parameters
    ----------
    x : Scalar or float
        The argument.
    points : sequence of k numbers or parameters
        In increasing order.
    values : sequence of k numbers or parameters
        The value at each point.
    """
    if len(points) != len(values) or not len(points):
        raise InputError(f"rl.interpolate needs as many values as points, at least one, but got {len(points)} points "
                         f"and {len(values)} values")
    flat = [_scalar(y, "interpolate") for pair in zip(points, values) for y in pair]
    if any(y._depends for y in flat):
        raise InputError("the points and values of rl.interpolate may depend only on numbers and parameters")
    known = [float(y._value) for y in flat[::2] if y._op == "number"]
    if any(not left < right for left, right in zip(known, known[1:])):
        raise InputError("the points of rl.interpolate must increase")
    return Scalar("table", (_scalar(x, "interpolate"), *flat))


__all__ = ["acos", "asin", "atan", "atan2", "cos", "cosh", "exp", "interpolate", "log", "maximum",
           "minimum", "pi", "sign", "sin", "sinh", "sqrt", "tan", "tanh", "where"]
