"""Text of recorded expressions in the formula language of `[system]` (src/rigidlimit/core/formula.hpp)."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from .expression_graph import CONDITIONS, Node, operands_first

# Binding strength of a text. A sum binds least.
SUM: Final = 1
PRODUCT: Final = 2
SIGNED: Final = 3
POWER: Final = 4
PRIMARY: Final = 5

# The program refuses formulas that nest more than 100 deep or have more than 10 000 operations. Longer parts become
# entries of `let` well below these limits.
DEEPEST: Final = 60
MOST_OPERATIONS: Final = 2000
# A shared part with a shorter text is repeated. The program refuses more than 1000 names: then longer parts are
# repeated.
SHORT: Final = (16, 32, 64, 128)
MOST_NAMES: Final = 1000

OPERATORS: Final = {"add": (" + ", SUM), "subtract": (" - ", SUM), "multiply": ("*", PRODUCT),
                    "divide": ("/", PRODUCT)}
FUNCTIONS: Final = frozenset(
    "sin cos tan asin acos atan sinh cosh tanh exp log sqrt abs sign atan2 min max table".split())
FUNCTIONS_OF_VECTORS: Final = frozenset("cross dot norm rotate rotate_back".split())
RESERVED_WORDS: Final = FUNCTIONS | FUNCTIONS_OF_VECTORS | {"pi", "t", "if", "and", "or"}


@dataclass(frozen=True, slots=True)
class Written:
    """Texts of formulas.

    Attributes
    ----------
    texts : list of str
        One for each expression.
    lets : dict of str
        Formulas of the parts that the texts use by name, each after the parts that it uses.
    """

    texts: list[str]
    lets: dict[str, str]


@dataclass(frozen=True, slots=True)
class _Piece:
    text: str
    binding: int = PRIMARY
    depth: int = 1
    operations: int = 1


def number_text(x: float) -> str:
    """A finite number, without loss of a bit. The double next to π is "pi".

    Parameters
    ----------
    x : float
    """
    if abs(x) == math.pi:
        return "pi" if x > 0 else "-pi"
    if x.is_integer() and abs(x) < 1e15:
        return "-0.0" if x == 0 and math.copysign(1, x) < 0 else str(int(x))
    return repr(x)


def _in_parentheses(piece: _Piece, least: int, *, after_operator: bool = False) -> _Piece:
    """The piece, in parentheses if it binds less, or if a sign would follow an operator."""
    if piece.binding >= least and not (after_operator and piece.text.startswith("-")):
        return piece
    return _Piece(f"({piece.text})", PRIMARY, piece.depth + 1, piece.operations)


def _together(text: str, binding: int, parts: Sequence[_Piece], deeper: int = 0) -> _Piece:
    return _Piece(text, binding, max(part.depth for part in parts) + deeper, sum(part.operations for part in parts) + 1)


def _piece(node: Node, parts: list[_Piece]) -> _Piece:
    """The text of a node from the texts of its operands."""
    op, value = node._op, node._value
    if op == "name":
        return _Piece(str(value))
    if op == "number":
        text = number_text(float(value))
        return _Piece(text, SIGNED, 2, 2) if text.startswith("-") else _Piece(text)
    if op in OPERATORS:
        sign, binding = OPERATORS[op]
        a = _in_parentheses(parts[0], binding)
        b = _in_parentheses(parts[1], binding + 1, after_operator=True)
        return _together(f"{a.text}{sign}{b.text}", binding, (a, b))
    if op == "negate":
        a = _in_parentheses(parts[0], POWER)
        return _together(f"-{a.text}", SIGNED, (a,), 1)
    if op == "power":
        a, b = _in_parentheses(parts[0], PRIMARY), _in_parentheses(parts[1], PRIMARY)
        return _together(f"{a.text}^{b.text}", POWER, (a, b), 1)
    if op in CONDITIONS:
        joint = f" {op} "
        return _together(joint.join(part.text for part in parts), SUM, parts)
    name = "if" if op == "select" else op
    return _together(f"{name}({', '.join(part.text for part in parts)})", PRIMARY, parts, 1)


def write_formulas(expressions: Sequence[Node], taken: Collection[str] = ()) -> Written:
    """Write recorded expressions as formulas.

    The program computes the same operations in the same order. A part becomes an entry of `let` if expressions share
    it, or if the formula would exceed the limits of the program.

    Parameters
    ----------
    expressions : sequence of Scalar or Condition
    taken : collection of str
        Names that the entries of `let` must not have.
    """
    nodes, uses = operands_first(expressions)
    for short in SHORT:
        pieces, lets = _pieces(nodes, uses, taken, short)
        if len(lets) + len(taken) <= MOST_NAMES:
            break
    return Written([pieces[id(expression)].text for expression in expressions], lets)


def _pieces(nodes: Sequence[Node], uses: Mapping[int, int], taken: Collection[str],
            short: int) -> tuple[dict[int, _Piece], dict[str, str]]:
    """The text of each node by id, and the entries of `let`."""
    pieces: dict[int, _Piece] = {}
    lets: dict[str, str] = {}
    count = 0
    for node in nodes:
        piece = _piece(node, [pieces[id(part)] for part in node._args])
        shared = uses[id(node)] > 1 and len(piece.text) > short
        large = piece.depth > DEEPEST or piece.operations > MOST_OPERATIONS
        if node._op not in CONDITIONS and node._args and (shared or large):
            count += 1
            while f"part{count}" in taken:
                count += 1
            lets[f"part{count}"] = piece.text
            piece = _Piece(f"part{count}")
        pieces[id(node)] = piece
    return pieces, lets
