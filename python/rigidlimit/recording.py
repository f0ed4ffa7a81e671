"""Calls a function of a system once, with recorded scalars, and checks the result."""

from __future__ import annotations

import difflib
import inspect
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NoReturn

from .errors import InputError, UnknownNameError
from .expression_graph import Owner
from .scalar import ON_COORDINATES, ON_TIME, ON_VELOCITIES, Condition, Scalar, as_scalar, symbol
from .ufuncs import is_array

Function = Callable[..., Any]
ARGUMENTS: Final = ("q", "v", "p", "t")


class Names:
    """The coordinates q, velocities v or parameters p in a function: `q.x`, `q["x"]`, `q[0]`, or a sequence.

    `numpy.asarray(q)` has shape (number of names,) and dtype=object.
    """

    __slots__ = ("_kind", "_scalars")
    _kind: str
    _scalars: dict[str, Scalar]

    def __init__(self, kind: str, scalars: dict[str, Scalar]) -> None:
        object.__setattr__(self, "_kind", kind)
        object.__setattr__(self, "_scalars", scalars)

    def _find(self, name: str) -> Scalar:
        found = self._scalars.get(name)
        if found is None:
            close = difflib.get_close_matches(name, self._scalars, 1)
            known = f"did you mean '{close[0]}'?" if close else f"known: {', '.join(self._scalars) or 'none'}"
            raise UnknownNameError(f"unknown {self._kind} '{name}'; {known}")
        return found

    def __getattr__(self, name: str) -> Scalar:
        if name.startswith("_"):
            raise AttributeError(name)
        return self._find(name)

    def __getitem__(self, key: Any) -> Any:
        return self._find(key) if isinstance(key, str) else list(self._scalars.values())[key]

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise InputError(f"the {self._kind} '{name}' cannot be assigned: arguments of a function are immutable")

    def __iter__(self) -> Iterator[Scalar]:
        return iter(self._scalars.values())

    def __len__(self) -> int:
        return len(self._scalars)

    def __dir__(self) -> list[str]:
        return list(self._scalars)

    def __repr__(self) -> str:
        return f"<{', '.join(self._scalars)}>"


@dataclass(frozen=True)
class Arguments:
    """Arguments of the functions of one system.

    Parameters
    ----------
    system : str
    coordinates, velocities, parameters : sequence of str
        Without `velocities` the velocities are x', y', ..., with the names of the coordinates.
    """

    owner: Owner
    q: Names
    v: Names
    p: Names
    t: Scalar

    @classmethod
    def of(cls, system: str, coordinates: Sequence[str], velocities: Sequence[str],
           parameters: Sequence[str]) -> Arguments:
        owner = Owner(system)
        v = {name: symbol(name, ON_VELOCITIES, owner) for name in velocities} or {
            name: symbol(f"{name}'", ON_VELOCITIES, owner) for name in coordinates}
        return cls(owner, Names("coordinate", {x: symbol(x, ON_COORDINATES, owner) for x in coordinates}),
                   Names("velocity", v), Names("parameter", {x: symbol(x, 0, owner) for x in parameters}),
                   symbol("t", ON_TIME, owner))


def named_function(function: Function) -> str:
    """Name and place of a function, for messages."""
    name = str(getattr(function, "__name__", type(function).__name__))
    code = getattr(function, "__code__", None)
    return f"{name} at {Path(code.co_filename).name}:{code.co_firstlineno}" if code else name


def place(system: str, key: str, function: object = None) -> str:
    """A key of a system, for messages."""
    return f"system '{system}', {key}" + (f" ({named_function(function)})" if callable(function) else "")


def call(function: Function, key: str, arguments: Arguments) -> object:
    """The result of the function.

    The function gets those of q, v, p and t that it names. Other names get q, v, p and t in this order.
    """
    where = place(arguments.owner.name, key, function)
    try:
        return function(*_chosen(function, arguments, where))
    except InputError as problem:
        raise InputError(problem.message, problem.where or where) from problem
    except Exception as problem:
        raise InputError(f"the function raised {type(problem).__name__}: {problem}", where) from problem


def _chosen(function: Function, arguments: Arguments, where: str) -> list[Any]:
    in_order: list[Any] = [getattr(arguments, name) for name in ARGUMENTS]
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):  # a function of C
        return in_order[:3]
    positional = [x for x in parameters if x.kind in (x.POSITIONAL_ONLY, x.POSITIONAL_OR_KEYWORD)]
    needed = [x for x in positional if x.default is x.empty]
    if any(x.kind is x.KEYWORD_ONLY and x.default is x.empty for x in parameters) or len(needed) > 4:
        raise InputError("the function must take the arguments q, v, p and, where the formula may depend on time, t; "
                         "fewer are allowed", where)
    if any(x.kind is x.VAR_POSITIONAL for x in parameters) and not needed:
        return in_order[:3]
    if all(x.name in ARGUMENTS for x in needed):
        return [getattr(arguments, x.name) for x in needed]
    return in_order[:len(needed)]


_MEANINGS: Final = ((ON_COORDINATES, "coordinates"), (ON_VELOCITIES, "velocities"), (ON_TIME, "time"))


def checked_scalar(value: object, may_depend: int, arguments: Arguments, where: str, what: str = "") -> Scalar:
    """One formula of a result.

    Parameters
    ----------
    value : object
        The result, or an element of it.
    may_depend : int
        Union of ON_COORDINATES, ON_VELOCITIES and ON_TIME.
    what : str, optional
        Begin of the message, "row 2 ".
    """
    if is_array(value) and getattr(value, "ndim") == 0:
        value = value[()]  # type: ignore[index]
    if isinstance(value, Condition):
        raise InputError(f"{what}returned a condition, but a scalar was expected; write rl.where(c, 1, 0)", where)
    try:
        scalar = as_scalar(value)
    except InputError as problem:
        raise InputError(f"{what}{problem.message}", where) from None
    if scalar is None:
        hint = "; add `return`" if value is None else ""
        raise InputError(f"{what}returned {_described(value)}, but a recorded scalar or a number was expected{hint}",
                         where)
    if scalar._owner is not None and scalar._owner is not arguments.owner:
        raise InputError(f"{what}returned a scalar of another system, '{scalar._owner.name}'; a function may use only "
                         "its own arguments and numbers", where)
    beyond = [name for bit, name in _MEANINGS if scalar._depends & ~may_depend & bit]
    if beyond:
        allowed = [name for bit, name in _MEANINGS if may_depend & bit] + ["parameters"]
        raise InputError(f"{what}depends on {' and '.join(beyond)}, but may depend only on {', '.join(allowed)}", where)
    return scalar


def checked_list(value: object, where: str, what: str, count: int | None = None) -> list[object]:
    """The elements of a list, a tuple or an array.

    Parameters
    ----------
    what : str
        The elements, "rows", for messages.
    count : int, optional
        The expected number.
    """
    shape = getattr(value, "ndim", 1) if is_array(value) else 1
    if not (isinstance(value, (list, tuple, Names)) or is_array(value) and shape > 0):
        hint = "; add `return`" if value is None else ""
        raise InputError(f"returned {_described(value)}, but a list of {what} was expected{hint}", where)
    elements: list[object] = list(value)  # type: ignore[call-overload]
    if count is not None and len(elements) != count:
        raise InputError(f"returned {len(elements)} {what}, but {count} were expected", where)
    return elements


def _described(value: object) -> str:
    if value is None:
        return "None"
    if is_array(value):
        return f"an array of shape {getattr(value, 'shape')}"
    return f"a {type(value).__name__}"
