"""Recorded scalars: numbers that store how they were computed.

A function of a system is called once with recorded scalars. Its result is an expression, a graph of immutable nodes
with shared sub-expressions. `rigidlimit.formulas` writes it as text.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from numbers import Real
from typing import Any, Final, NoReturn

from .errors import InputError
from .expression_graph import Node, Owner
from .formulas import write_formulas
from .ufuncs import apply_ufunc

ON_COORDINATES: Final = 1
ON_VELOCITIES: Final = 2
ON_TIME: Final = 4

NO_TRUTH_VALUE: Final = (
    "a recorded condition has no truth value, since its values are known only while solving; write rl.where(c, a, b) "
    "instead of `if`, rl.minimum and rl.maximum instead of min and max, a & b, a | b, ~a instead of and, or, not, and "
    "(0 < x) & (x < 1) instead of the chained comparison 0 < x < 1")
NO_NUMBER: Final = (
    "a recorded scalar cannot be converted to a number, since its value is known only while solving; use rl.sin or "
    "np.sin instead of math.sin, and arrays with dtype=object")


class _Expression(Node):
    """The common base of scalars and conditions."""

    __slots__ = ()

    def __bool__(self) -> NoReturn:
        raise InputError(NO_TRUTH_VALUE)

    def __float__(self) -> NoReturn:
        raise InputError(NO_NUMBER)

    __int__ = __index__ = __complex__ = __round__ = __trunc__ = __floor__ = __ceil__ = __float__

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **keywords: Any) -> Any:
        return apply_ufunc(ufunc, method, inputs, keywords, _operand)

    def __repr__(self) -> str:
        written = write_formulas([self])
        text = written.texts[0]
        if written.lets:
            text += " with " + ", ".join(f"{name} = {part}" for name, part in written.lets.items())
        return f"<{type(self).__name__.lower()} {text if len(text) < 200 else text[:197] + '...'}>"


def number(value: object) -> Scalar:
    """A constant.

    Parameters
    ----------
    value : int, float or NumPy number
        Must be finite.
    """
    try:
        x = float(value)  # type: ignore[arg-type]
    except OverflowError:
        raise InputError("an integer constant of a formula exceeds the range of a double") from None
    if not math.isfinite(x):
        raise InputError(f"a constant of a formula is {x}, but constants must be finite")
    return Scalar("number", (), x)


def symbol(name: str, depends: int, owner: Owner) -> Scalar:
    """A coordinate, velocity, parameter or t."""
    scalar = Scalar("name", (), name)
    object.__setattr__(scalar, "_depends", depends)
    object.__setattr__(scalar, "_owner", owner)
    return scalar


def is_number(x: object) -> bool:
    """Whether x is a real number, but not a truth value."""
    return isinstance(x, Real) and not isinstance(x, bool)


def as_scalar(x: object) -> Scalar | None:
    """A recorded scalar or constant; None for other types."""
    if isinstance(x, Scalar):
        return x
    return number(x) if is_number(x) else None


def _operand(x: object) -> Scalar | Condition:
    """An operand of a ufunc."""
    if isinstance(x, Condition):
        return x
    made = as_scalar(x)
    if made is None:
        raise InputError(f"a recorded scalar is combined with a {type(x).__name__}, but formulas have only numbers")
    return made


def _is(x: Scalar, value: float) -> bool:
    return x._op == "number" and x._value == value


# The rules of the program's recorder: they change no bit except the sign of a zero, and 0·x of an infinite x.


def _add(a: Scalar, b: Scalar) -> Scalar:
    both = Scalar("add", (a, b))
    return b if _is(a, 0) else a if _is(b, 0) else both


def _subtract(a: Scalar, b: Scalar) -> Scalar:
    both = Scalar("subtract", (a, b))
    return a if _is(b, 0) else -b if _is(a, 0) else both


def _multiply(a: Scalar, b: Scalar) -> Scalar:
    both = Scalar("multiply", (a, b))
    if _is(a, 0) or _is(b, 0):
        return number(0)
    if _is(a, 1) or _is(b, 1):
        return b if _is(a, 1) else a
    return Scalar("power", (a, number(2))) if a is b else both


def _divide(a: Scalar, b: Scalar) -> Scalar:
    if _is(b, 0):
        raise InputError("a recorded scalar is divided by the constant 0")
    both = Scalar("divide", (a, b))
    return a if _is(a, 0) or _is(b, 1) else both


def _power(x: Scalar, exponent: Scalar) -> Scalar:
    if exponent._depends:
        raise InputError("an exponent may depend only on numbers and parameters; write rl.exp(y*rl.log(x)) for x**y")
    both = Scalar("power", (x, exponent))
    if _is(exponent, 0):
        return number(1)
    return x if _is(exponent, 1) else both


_Operation = Callable[["Scalar", object], "Scalar"]
_Function = Callable[["Scalar"], "Scalar"]


def _operators(record: Callable[[Scalar, Scalar], Scalar]) -> tuple[_Operation, _Operation]:
    """The methods of an operator whose left, or right, operand is a recorded scalar."""
    def of_left(self: Scalar, other: object) -> Scalar:
        b = as_scalar(other)
        return NotImplemented if b is None else record(self, b)

    def of_right(self: Scalar, other: object) -> Scalar:
        a = as_scalar(other)
        return NotImplemented if a is None else record(a, self)

    return of_left, of_right


def _no_operator(name: str) -> Any:
    def refuse(self: Scalar, other: object) -> NoReturn:
        raise InputError(f"formulas have no operator {name}")

    return refuse


def _function(name: str) -> _Function:
    return lambda self: Scalar(name, (self,))


def _comparison(op: str) -> Callable[[Scalar, object], Condition]:
    def compare(self: Scalar, other: object) -> Condition:
        b = as_scalar(other)
        return NotImplemented if b is None else Condition(op, (self, b))

    return compare


class Scalar(_Expression):
    """A recorded number: an expression of coordinates, velocities, parameters and time.

    The operators + - * / ** and abs give new scalars, and comparisons give a `Condition` for `rl.where`. NumPy's ufuncs
    and arrays with dtype=object accept scalars. Scalars are created by `System`, as the arguments of its functions.

    Parameters
    ----------
    op : str
        "number", "name", "add", "subtract", "multiply", "divide", "negate", "power", "select", "table", or a function.
    args : tuple
        The operands.
    value : float or str
        Value of a number, or name.
    """

    __slots__ = ()

    __add__, __radd__ = _operators(_add)
    __sub__, __rsub__ = _operators(_subtract)
    __mul__, __rmul__ = _operators(_multiply)
    __truediv__, __rtruediv__ = _operators(_divide)
    __pow__, __rpow__ = _operators(_power)
    __floordiv__ = __rfloordiv__ = _no_operator("//")
    __mod__ = __rmod__ = _no_operator("%")
    __divmod__ = __rdivmod__ = _no_operator("divmod")
    __neg__ = _function("negate")
    __abs__ = _function("abs")
    __lt__, __le__, __gt__, __ge__ = map(_comparison, ("<", "<=", ">", ">="))
    __eq__, __ne__ = map(_comparison, ("==", "!="))  # type: ignore[assignment]
    __hash__ = object.__hash__

    def __pos__(self) -> Scalar:
        return self

    # NumPy calls these methods for the elements of arrays with dtype=object.
    sin, cos, tan = map(_function, ("sin", "cos", "tan"))
    arcsin, arccos, arctan = map(_function, ("asin", "acos", "atan"))
    sinh, cosh, tanh = map(_function, ("sinh", "cosh", "tanh"))
    exp, log, sqrt, sign = map(_function, ("exp", "log", "sqrt", "sign"))
    conjugate = __pos__

    def arctan2(self, x: object) -> Scalar:
        other = as_scalar(x)
        if other is None:
            raise InputError(f"atan2 needs scalars, but got a {type(x).__name__}")
        return Scalar("atan2", (self, other))

    def _maximum(self, other: Scalar) -> Scalar:
        return Scalar("max", (self, other))

    def _minimum(self, other: Scalar) -> Scalar:
        return Scalar("min", (self, other))


_OPPOSITE: Final = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!=", "!=": "=="}


class Condition(_Expression):
    """A recorded comparison, or several joined with & and |. It is the first argument of `rl.where`.

    Parameters
    ----------
    op : str
        "<", "<=", ">", ">=", "==", "!=", "and" or "or".
    args : tuple
        The two scalars, or the joined conditions.
    """

    __slots__ = ()

    def __and__(self, other: object) -> Condition:
        return self._join("and", other)

    def __or__(self, other: object) -> Condition:
        return self._join("or", other)

    def _join(self, op: str, other: object) -> Condition:
        if not isinstance(other, Condition):
            return NotImplemented  # type: ignore[no-any-return]
        parts: list[Node] = []
        for side in (self, other):
            parts.extend(side._args if side._op == op else [side])
        return Condition(op, tuple(parts))

    def __invert__(self) -> Condition:
        if self._op in _OPPOSITE:
            return Condition(_OPPOSITE[self._op], self._args)
        parts = tuple(~part for part in self._args if isinstance(part, Condition))
        return Condition("or" if self._op == "and" else "and", parts)
