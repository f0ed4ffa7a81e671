"""Formula text: the program reads it back with the same values, at any size."""

import math
import operator
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rigidlimit as rl
from program import VALUES, run, unequal, written
from rigidlimit.formula_reader import read_formula
from rigidlimit.formulas import number_text, write_formulas
from rigidlimit.mathml import expression_mathml
from rigidlimit.recording import Arguments

P = Arguments.of("test", ["x"], [], list(VALUES)).p
NUMBERS = type("Numbers", (), VALUES)


def text(expression: Any) -> str:
    written_ = write_formulas([expression])
    assert not written_.lets
    return written_.texts[0]


def test_texts_read_like_hand_written_formulas() -> None:
    a, b, c = P.a, P.b, P.c
    for expression, expected in [
            (a / 2 * (b**2 + c**2), "a/2*(b^2 + c^2)"), (a - (b - c), "a - (b - c)"), (a - b - c, "a - b - c"),
            (a / (b * c), "a/(b*c)"), (a / b * c, "a/b*c"), (-a**2, "-a^2"), ((-a)**2, "(-a)^2"), (-a * b, "-a*b"),
            (-(a * b), "-(a*b)"), (a + -b, "a + (-b)"), (a * -b, "a*(-b)"), (-(-a), "-(-a)"), (a * -2, "a*(-2)"),
            ((a**2)**3, "(a^2)^3"), (a**(b + 1), "a^(b + 1)"), (a**-1, "a^(-1)"), (2**a, "2^a"), (a**0.5, "a^0.5"),
            (a * a, "a^2"), (np.square(a), "a^2"), (rl.where(a < b, a, -a), "if(a < b, a, -a)"),
            (rl.where((a < b) & (b < c) & (a != c), 1, 0), "if(a < b and b < c and a != c, 1, 0)"),
            (rl.where((a < b) & ((b < c) | (a > c)), 1, 0), "if(a < b, if(b < c or a > c, 1, 0), 0)"),
            (rl.where(((a < b) & (b < c)) | (a > c), 1, 0), "if(a < b and b < c, 1, if(a > c, 1, 0))"),
            (rl.where(~((a < b) | (b == c)), 1, 0), "if(a >= b and b != c, 1, 0)"),
            (rl.where(0 < a, 1, 0), "if(a > 0, 1, 0)"), (rl.atan2(a, 1), "atan2(a, 1)"),
            (rl.sin(rl.pi * a), "sin(pi*a)"), (a - rl.pi, "a - pi"), (a + 1e-9, "a + 1e-09"), (abs(a), "abs(a)"),
            (rl.maximum(0, a - 0.5), "max(0, a - 0.5)"), (rl.interpolate(a, [0, b], [1, 2]), "table(a, 0, 1, b, 2)")]:
        assert text(expression) == expected


def test_neutral_elements_vanish() -> None:
    a = P.a
    for same in (1.0 * a, a * 1, 0 + a, a + 0.0, a - 0, a / 1, a**1, sum([a]), np.float64(1) * a):
        assert text(same) == "a"
    for zero in (0.0 * a, a * 0, 0 / a):
        assert text(zero) == "0"
    assert text(0 - a) == "-a" and text(a**0) == "1"
    rotation = np.array([[rl.cos(a), -rl.sin(a)], [rl.sin(a), rl.cos(a)]]) @ np.array([1.0, 0.0])
    assert [text(x) for x in rotation] == ["cos(a)", "sin(a)"]


def test_number_text_keeps_all_bits(tmp_path: Path) -> None:
    numbers = [0.1, 1 / 3, 1e22, 5e-324, 1.7976931348623157e308, -2.5, 2.0**60, 1e15, 999999999999999.0, 123456789.125,
               math.pi, -math.pi, 3.1415926535897936]
    assert [float(number_text(x).replace("pi", repr(math.pi))) for x in numbers] == numbers
    assert number_text(-0.0) == "-0.0"
    assert unequal([lambda p, x=x: p.a - p.a + x for x in numbers], numbers, tmp_path) == []


FUNCTIONS: dict[str, tuple[Callable[..., Any], Callable[..., float]]] = {
    **{name: (getattr(rl, name), getattr(math, name)) for name in
       "sin cos tan asin acos atan sinh cosh tanh exp log sqrt atan2".split()},
    "abs": (abs, abs), "square": (np.square, lambda x: x * x), "reciprocal": (np.reciprocal, lambda x: 1 / x),
    "sign": (rl.sign, lambda x: (x > 0) - (x < 0)), "min": (rl.minimum, min), "max": (rl.maximum, max),
    "np.sin": (np.sin, math.sin), "np.arcsin": (np.arcsin, math.asin), "np.arctan2": (np.arctan2, math.atan2),
    "np.maximum": (np.maximum, max), "np.fabs": (np.fabs, abs), "np.positive": (np.positive, operator.pos),
    "np.exp": (np.exp, math.exp), "np.log": (np.log, math.log), "np.sqrt": (np.sqrt, math.sqrt),
    "np.power": (lambda x: np.power(x, 3), lambda x: x * x * x),
    "object array": (lambda x: np.cos(np.array([x, x]))[1], math.cos),
}
TWO = {"atan2", "min", "max", "np.arctan2", "np.maximum"}
OPERATORS = [operator.add, operator.sub, operator.mul, operator.truediv]


def test_each_function_and_operator_has_its_value(tmp_path: Path) -> None:
    formulas: list[Callable[[Any], Any]] = []
    values = []
    for name, (recorded, computed) in FUNCTIONS.items():
        formulas.append(lambda p, f=recorded, two=name in TWO: f(p.a, p.b) if two else f(p.a))
        values.append(float(computed(0.7, -1.3) if name in TWO else computed(0.7)))
    for apply in OPERATORS:
        for take in (lambda p: (p.a, p.b), lambda p: (p.a, 3), lambda p: (3, p.a), lambda p: (np.float64(3), p.a)):
            formulas.append(lambda p, apply=apply, take=take: apply(*take(p)))
            values.append(float(apply(*take(NUMBERS))))
    for exponent in (2, 3, 8, 9, 0.5, -1, -2.5, 0, 1, 2.0):
        formulas.append(lambda p, e=exponent: p.a**e)
        values.append(float(power(0.7, exponent)))
    for name, holds in [("<", operator.lt), ("<=", operator.le), (">", operator.gt), (">=", operator.ge),
                        ("==", operator.eq), ("!=", operator.ne)]:
        for other in ("a", "b", "c"):
            formulas.append(lambda p, holds=holds, other=other: rl.where(holds(p.a, getattr(p, other)), p.c, p.d))
            values.append(VALUES["c"] if holds(0.7, VALUES[other]) else VALUES["d"])
    formulas += [lambda p: -p.a, lambda p: +p.a, lambda p: 2**p.a, lambda p: rl.interpolate(p.a, [0, 1], [1, p.c]),
                 lambda p: rl.pi * p.a, lambda p: rl.where(True, p.a, p.b)]
    values += [-0.7, 0.7, math.pow(2, 0.7), 1 + (2.1 - 1) / (1.0 - 0.0) * (0.7 - 0), math.pi * 0.7, 0.7]
    assert unequal(formulas, values, tmp_path) == []


def power(x: float, exponent: float) -> float:
    """As the program: repeated products up to the 8th power."""
    if not (1 <= exponent <= 8 and exponent == int(exponent)):
        return math.pow(x, exponent)
    product = x
    for _ in range(int(exponent) - 1):
        product *= x
    return product


def random_tree(rng: random.Random, p: Any, depth: int) -> tuple[Any, float]:
    """An expression and its value."""
    if depth == 0 or rng.random() < 0.1:
        if rng.random() < 0.7:
            name = rng.choice(list(VALUES))
            return getattr(p, name), VALUES[name]
        value = rng.choice([0.5, 3.0, -1.25, 1e-7, 7.3e11, math.pi])
        return getattr(p, "a") * 0 + value, value
    kind = rng.random()
    x, value = random_tree(rng, p, depth - 1)
    if kind < 0.25:
        name = rng.choice("sin cos tan asin acos atan sinh cosh tanh exp log sqrt".split())
        return getattr(rl, name)(x), getattr(math, name)(value)
    if kind < 0.35:
        exponent = rng.choice([2, 3, 4, 8, 9, 0.5, -1])
        return x**exponent, power(value, exponent)
    if kind < 0.45:
        return rng.choice([(-x, -value), (abs(x), abs(value)), (x * x + x, value * value + value)])
    y, other = random_tree(rng, p, depth - 1)
    if kind < 0.52:
        z, third = random_tree(rng, p, depth - 1)
        both = rng.random() < 0.5
        condition, holds = (((x < y) & ~(y <= z), value < other and not other <= third) if both else
                            ((x < y) | ((z > x) & (z != y)), value < other or (third > value and third != other)))
        return rl.where(condition, x, z), value if holds else third
    if kind < 0.58:
        return rl.atan2(x, y), math.atan2(value, other)
    apply = rng.choice(OPERATORS)
    return apply(x, y), apply(value, other)


def test_a_thousand_random_trees_have_the_same_bits_in_the_program(tmp_path: Path) -> None:
    rng = random.Random(20)
    formulas: list[Callable[[Any], Any]] = []
    values: list[float] = []
    while len(values) < 1000:
        seed = rng.random()
        try:
            value = random_tree(random.Random(seed), P, 4)[1]
        except (ArithmeticError, ValueError):  # 1/0, log(-1), or refused constants
            continue
        if math.isfinite(value) and value != 0:
            formulas.append(lambda p, seed=seed: random_tree(random.Random(seed), p, 4)[0])
            values.append(value)
    assert unequal(formulas, values, tmp_path) == []


def test_texts_are_read_as_the_same_expression() -> None:
    rng = random.Random(3)
    count = 0
    while count < 300:
        try:
            expression = random_tree(rng, P, 4)[0]
        except (ArithmeticError, ValueError):
            continue
        once = write_formulas([expression]).texts[0]
        assert write_formulas([read_formula(once)]).texts[0] == once
        assert expression_mathml(expression)
        count += 1


def test_vectors_are_displayed_by_their_products() -> None:
    markup = expression_mathml(read_formula("dot(2*arm, cross(up, [0, x, 1])) + norm(arm)*arm.x"))
    assert markup.count("×") == 1
    assert markup.count("‖") == 2
    assert "<msub><mi>arm</mi><mi>x</mi></msub>" in markup
    assert "<mi>rotate</mi>" in expression_mathml(read_formula("rotate(p0, p1, p2, p3, cross(a, b)).z"))
    for text in ("[1, 2]", "[1, 2, 3, 4]", "r.w", "r.", "[1, 2, 3"):
        with pytest.raises(rl.InputError):
            read_formula(text)


def described(tmp_path: Path, formula: Callable[[Any], Any]) -> tuple[dict[str, Any], str]:
    """The table of a system with this potential; the program reads it."""
    system = rl.System("large", ["x"], VALUES, kinetic_coenergy=lambda v: v.x**2, constraint=lambda v: [v.x],
                       potential=lambda q, p: formula(q.x + 0.5))
    printed = run("describe", written(tmp_path / "large.toml", system.to_toml()))
    value, = (line.split()[-1] for line in printed.splitlines() if line.startswith("  potential P"))
    return system.to_dict(), value


def test_a_sum_of_3000_terms_is_written(tmp_path: Path) -> None:
    table, value = described(tmp_path, lambda x: sum(x + k for k in range(3000)))
    assert float(value) == pytest.approx(3000 * 0.5 + 2999 * 1500, rel=1e-5)
    assert len(table["let"]) < 10


def test_a_sum_nested_to_the_right_is_written(tmp_path: Path) -> None:
    def nested(x: Any) -> Any:
        total = x
        for _ in range(3000):
            total = 1 + (x - total)
        return total

    _, value = described(tmp_path, nested)
    assert float(value) == 0.5


def test_120_nested_sines_are_written(tmp_path: Path) -> None:
    def nested(x: Any) -> Any:
        for _ in range(120):
            x = rl.sin(x)
        return x

    expected = 0.5
    for _ in range(120):
        expected = math.sin(expected)
    table, value = described(tmp_path, nested)
    assert float(value) == pytest.approx(expected, rel=1e-5)
    assert len(table["let"]) in (2, 3)


def test_shared_parts_are_written_once(tmp_path: Path) -> None:
    def nested(x: Any) -> Any:
        for _ in range(60):
            x = rl.sin(x) + x * x * 0.1
        return x

    expected = 0.5
    for _ in range(60):
        expected = math.sin(expected) + expected * expected * 0.1
    table, value = described(tmp_path, nested)
    assert float(value) == pytest.approx(expected, rel=1e-5)
    assert len(table["let"]) <= 60 and max(map(len, table["let"].values())) < 100
    assert table["potential"].count("(") == 1


def test_shared_parts_stay_below_the_limit_of_names(tmp_path: Path) -> None:
    parts = [rl.sin(P.a + 1000 * k + 0.125) for k in range(1500)]
    assert len(write_formulas([x + x * x for x in parts], VALUES).lets) == 0
    table, _ = described(tmp_path, lambda x: sum(y + y * y for y in (rl.sin(x + 1000 * k) for k in range(1100))))
    assert len(table.get("let", {})) < 10


def test_names_of_shared_parts_are_new() -> None:
    arguments = Arguments.of("test", ["part1"], [], [])
    long = rl.sin(arguments.q.part1 + 1.25) * 3
    lets = write_formulas([long + long**2], {"part1"}).lets
    assert list(lets) == ["part2"]
