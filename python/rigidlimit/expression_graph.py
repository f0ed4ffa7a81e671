"""Order of the nodes of recorded expressions, without recursion."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from .scalar import Condition, Scalar

Node = Scalar | Condition


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
