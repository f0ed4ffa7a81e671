"""Recorded scalars: numbers that store how they were computed.

A function of a system is called once with recorded scalars. Its result is an expression, a graph of immutable nodes
with shared sub-expressions. `rigidlimit.formulas` writes it as text.
"""

from __future__ import annotations

import math
from numbers import Real
from typing import Any, Final, NoReturn

from .errors import InputError

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


class Owner:
    """Identity of the system whose functions are being recorded.

    Parameters
    ----------
    name : str
        Name of the system, for messages.
    """

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name


def common_owner(parts: tuple[Scalar | Condition, ...]) -> Owner | None:
    """The system of these expressions; None for constants."""
    owner: Owner | None = None
    for part in parts:
        if part._owner is None or part._owner is owner:
            continue
        if owner is not None:
            raise InputError(f"scalars of different systems are combined ('{owner.name}' and '{part._owner.name}'); "
                             "a function may use only its own arguments and numbers")
        owner = part._owner
    return owner


class _Node:
    """An immutable node: an operation, its operands, and a value (of a number) or name."""

    __slots__ = ("_op", "_args", "_value", "_depends", "_owner")
    _op: str
    _args: tuple[Scalar | Condition, ...]
    _value: float | str
    _depends: int
    _owner: Owner | None

    def _set(self, op: str, args: tuple[Scalar | Condition, ...], value: float | str, depends: int,
             owner: Owner | None) -> None:
        for name, content in (("_op", op), ("_args", args), ("_value", value), ("_depends", depends),
                              ("_owner", owner)):
            object.__setattr__(self, name, content)

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError("recorded expressions are immutable")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError("recorded expressions are immutable")

    def __copy__(self) -> Any:
        return self

    def __deepcopy__(self, memo: object) -> Any:
        return self

    def __reduce__(self) -> NoReturn:
        raise InputError("a recorded expression cannot be pickled; pickle its System")

    def __bool__(self) -> NoReturn:
        raise InputError(NO_TRUTH_VALUE)

    def __float__(self) -> NoReturn:
        raise InputError(NO_NUMBER)

    __int__ = __index__ = __complex__ = __round__ = __trunc__ = __floor__ = __ceil__ = __float__

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **keywords: Any) -> Any:
        from .ufuncs import apply_ufunc

        return apply_ufunc(ufunc, method, inputs, keywords)

    def __repr__(self) -> str:
        from .formulas import write_formulas

        written = write_formulas([self])  # type: ignore[list-item]
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


def _no_operator(name: str) -> Any:
    def refuse(self: Scalar, other: object) -> NoReturn:
        raise InputError(f"formulas have no operator {name}")

    return refuse


class Scalar(_Node):
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

    def __init__(self, op: str, args: tuple[Scalar | Condition, ...], value: float | str = 0.0) -> None:
        depends = 0
        for part in args:
            depends |= part._depends
        self._set(op, args, value, depends, common_owner(args))

    def __add__(self, other: object) -> Scalar:
        b = as_scalar(other)
        return NotImplemented if b is None else _add(self, b)

    def __radd__(self, other: object) -> Scalar:
        a = as_scalar(other)
        return NotImplemented if a is None else _add(a, self)

    def __sub__(self, other: object) -> Scalar:
        b = as_scalar(other)
        return NotImplemented if b is None else _subtract(self, b)

    def __rsub__(self, other: object) -> Scalar:
        a = as_scalar(other)
        return NotImplemented if a is None else _subtract(a, self)

    def __mul__(self, other: object) -> Scalar:
        b = as_scalar(other)
        return NotImplemented if b is None else _multiply(self, b)

    def __rmul__(self, other: object) -> Scalar:
        a = as_scalar(other)
        return NotImplemented if a is None else _multiply(a, self)

    def __truediv__(self, other: object) -> Scalar:
        b = as_scalar(other)
        return NotImplemented if b is None else _divide(self, b)

    def __rtruediv__(self, other: object) -> Scalar:
        a = as_scalar(other)
        return NotImplemented if a is None else _divide(a, self)

    def __pow__(self, other: object) -> Scalar:
        b = as_scalar(other)
        return NotImplemented if b is None else _power(self, b)

    def __rpow__(self, other: object) -> Scalar:
        a = as_scalar(other)
        return NotImplemented if a is None else _power(a, self)

    __floordiv__ = __rfloordiv__ = _no_operator("//")
    __mod__ = __rmod__ = _no_operator("%")
    __divmod__ = __rdivmod__ = _no_operator("divmod")

    def __neg__(self) -> Scalar:
        return Scalar("negate", (self,))

    def __pos__(self) -> Scalar:
        return self

    def __abs__(self) -> Scalar:
        return Scalar("abs", (self,))

    def __lt__(self, other: object) -> Condition:
        return self._compare("<", other)

    def __le__(self, other: object) -> Condition:
        return self._compare("<=", other)

    def __gt__(self, other: object) -> Condition:
        return self._compare(">", other)

    def __ge__(self, other: object) -> Condition:
        return self._compare(">=", other)

    def __eq__(self, other: object) -> Condition:  # type: ignore[override]
        return self._compare("==", other)

    def __ne__(self, other: object) -> Condition:  # type: ignore[override]
        return self._compare("!=", other)

    __hash__ = object.__hash__

    def _compare(self, op: str, other: object) -> Condition:
        b = as_scalar(other)
        if b is None:
            return NotImplemented  # type: ignore[no-any-return]
        return Condition(op, (self, b))

    # NumPy calls these methods for the elements of arrays with dtype=object.

    def sin(self) -> Scalar:
        return Scalar("sin", (self,))

    def cos(self) -> Scalar:
        return Scalar("cos", (self,))

    def tan(self) -> Scalar:
        return Scalar("tan", (self,))

    def arcsin(self) -> Scalar:
        return Scalar("asin", (self,))

    def arccos(self) -> Scalar:
        return Scalar("acos", (self,))

    def arctan(self) -> Scalar:
        return Scalar("atan", (self,))

    def arctan2(self, x: object) -> Scalar:
        other = as_scalar(x)
        if other is None:
            raise InputError(f"atan2 needs scalars, but got a {type(x).__name__}")
        return Scalar("atan2", (self, other))

    def sinh(self) -> Scalar:
        return Scalar("sinh", (self,))

    def cosh(self) -> Scalar:
        return Scalar("cosh", (self,))

    def tanh(self) -> Scalar:
        return Scalar("tanh", (self,))

    def exp(self) -> Scalar:
        return Scalar("exp", (self,))

    def log(self) -> Scalar:
        return Scalar("log", (self,))

    def sqrt(self) -> Scalar:
        return Scalar("sqrt", (self,))

    def sign(self) -> Scalar:
        return Scalar("sign", (self,))

    def conjugate(self) -> Scalar:
        return self


_OPPOSITE: Final = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!=", "!=": "=="}


class Condition(_Node):
    """A recorded comparison, or several joined with & and |. It is the first argument of `rl.where`.

    Parameters
    ----------
    op : str
        "<", "<=", ">", ">=", "==", "!=", "and" or "or".
    args : tuple
        The two scalars, or the joined conditions.
    """

    __slots__ = ()

    def __init__(self, op: str, args: tuple[Scalar | Condition, ...]) -> None:
        depends = 0
        for part in args:
            depends |= part._depends
        self._set(op, args, 0.0, depends, common_owner(args))

    def __and__(self, other: object) -> Condition:
        return self._join("and", other)

    def __or__(self, other: object) -> Condition:
        return self._join("or", other)

    def _join(self, op: str, other: object) -> Condition:
        if not isinstance(other, Condition):
            return NotImplemented  # type: ignore[no-any-return]
        parts: list[Scalar | Condition] = []
        for side in (self, other):
            parts.extend(side._args if side._op == op else [side])
        return Condition(op, tuple(parts))

    def __invert__(self) -> Condition:
        if self._op in _OPPOSITE:
            return Condition(_OPPOSITE[self._op], self._args)
        parts = tuple(~part for part in self._args if isinstance(part, Condition))
        return Condition("or" if self._op == "and" else "and", parts)
