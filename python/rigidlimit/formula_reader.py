"""Reads a formula as a recorded expression, for its display. The program's own reader decides what is valid."""

from __future__ import annotations

import math
import re
from typing import Final

from .errors import InputError
from .expression_graph import COMPARISONS, Owner
from .formulas import FUNCTIONS, FUNCTIONS_OF_VECTORS
from .scalar import Condition, Scalar, number, symbol

_TOKEN: Final = re.compile(r"[A-Za-z]\w*'*|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?|[<>=!]=|\S", re.ASCII)
_NOBODY: Final = Owner("")


def read_formula(text: str) -> Scalar:
    """The expression of a formula, without simplification.

    Raises
    ------
    InputError
        The text is not a formula.
    """
    reader = _Reader(text)
    expression = reader.sum()
    if reader.token:
        raise reader.error()
    return expression


class _Reader:
    """Recursive descent; the grammar is in src/rigidlimit/core/formula.hpp."""

    def __init__(self, text: str) -> None:
        self.tokens = _TOKEN.findall(text)
        self.at = 0

    @property
    def token(self) -> str:
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def error(self) -> InputError:
        return InputError(f"read '{self.token or 'the end'}', which no formula has at this place")

    def accept(self, *tokens: str) -> str:
        token = self.token
        if token not in tokens or not token:
            return ""
        self.at += 1
        return token

    def expect(self, token: str) -> None:
        if not self.accept(token):
            raise self.error()

    def sum(self) -> Scalar:
        a = self.product()
        while op := self.accept("+", "-"):
            a = Scalar("add" if op == "+" else "subtract", (a, self.product()))
        return a

    def product(self) -> Scalar:
        a = self.signed()
        while op := self.accept("*", "/"):
            a = Scalar("multiply" if op == "*" else "divide", (a, self.signed()))
        return a

    def signed(self) -> Scalar:
        if self.accept("-"):
            return Scalar("negate", (self.signed(),))
        return self.signed() if self.accept("+") else self.power()

    def power(self) -> Scalar:
        a = self.primary()
        return Scalar("power", (a, self.signed())) if self.accept("^") else a

    def primary(self) -> Scalar:
        a = self.whole()
        while self.accept("."):
            component = self.accept("x", "y", "z")
            if not component:
                raise self.error()
            a = symbol(f"{a._value}_{component}", 0, _NOBODY) if a._op == "name" else Scalar(component, (a,))
        return a

    def whole(self) -> Scalar:
        if self.accept("("):
            a = self.sum()
            self.expect(")")
            return a
        if self.accept("["):
            return self.vector()
        token = self.token
        self.at += 1
        if token[:1].isdigit() or token[:1] == ".":
            return number(float(token))
        if not token[:1].isalpha():
            self.at -= 1
            raise self.error()
        if token == "if":
            return self.selection()
        if token in FUNCTIONS | FUNCTIONS_OF_VECTORS:
            return self.call(token)
        return number(math.pi) if token == "pi" else symbol(token, 0, _NOBODY)

    def vector(self) -> Scalar:
        parts = [self.sum()]
        for _ in range(2):
            self.expect(",")
            parts.append(self.sum())
        self.expect("]")
        return Scalar("vector", tuple(parts))

    def call(self, function: str) -> Scalar:
        self.expect("(")
        arguments = [self.sum()]
        while self.accept(","):
            arguments.append(self.sum())
        self.expect(")")
        return Scalar(function, tuple(arguments))

    def selection(self) -> Scalar:
        self.expect("(")
        condition = self.comparison()
        while op := self.accept("and", "or"):
            condition = Condition(op, (condition, self.comparison()))
        self.expect(",")
        a = self.sum()
        self.expect(",")
        b = self.sum()
        self.expect(")")
        return Scalar("select", (condition, a, b))

    def comparison(self) -> Condition:
        a = self.sum()
        op = self.accept(*COMPARISONS)
        if not op:
            raise self.error()
        return Condition(op, (a, self.sum()))
