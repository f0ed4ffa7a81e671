"""Nodes of recorded expressions, and their order without recursion."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any, Final, NoReturn

from .errors import InputError

COMPARISONS: Final = ("<", "<=", ">", ">=", "==", "!=")
CONDITIONS: Final = (*COMPARISONS, "and", "or")
"""Operations whose value is true or false."""


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


def common_owner(parts: tuple[Node, ...]) -> Owner | None:
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


class Node:
    """An immutable node: an operation, its operands, and a value (of a number) or name."""

    __slots__ = ("_op", "_args", "_value", "_depends", "_owner")
    _op: str
    _args: tuple[Node, ...]
    _value: float | str
    _depends: int
    _owner: Owner | None

    def __init__(self, op: str, args: tuple[Node, ...], value: float | str = 0.0) -> None:
        depends = 0
        for part in args:
            depends |= part._depends
        for name, content in (("_op", op), ("_args", args), ("_value", value), ("_depends", depends),
                              ("_owner", common_owner(args))):
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


def operands_first(roots: Iterable[Node]) -> tuple[list[Node], Counter[int]]:
    """The nodes of the graph, each once and after its operands.

    Returns
    -------
    nodes : list
    uses : Counter
        The number of uses of each node, by id, as operand or root.
    """
    nodes: list[Node] = []
    uses: Counter[int] = Counter()
    done: set[int] = set()
    open_nodes: list[tuple[Node, bool]] = []
    for root in roots:
        uses[id(root)] += 1
        open_nodes.append((root, False))
        while open_nodes:
            node, operands_done = open_nodes.pop()
            if operands_done:
                nodes.append(node)
            elif id(node) not in done:
                done.add(id(node))
                open_nodes.append((node, True))
                for part in reversed(node._args):
                    uses[id(part)] += 1
                    open_nodes.append((part, False))
    return nodes, uses
