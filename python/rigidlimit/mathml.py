"""MathML of recorded expressions."""

from __future__ import annotations

from html import escape
from typing import Final

from .expression_graph import Node, operands_first
from .formulas import number_text

SUM: Final = 1
PRODUCT: Final = 2
SIGNED: Final = 3
PRIMARY: Final = 4

_GREEK: Final = {
    name: chr(code) for code, name in enumerate(
        "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigma_final sigma tau "
        "upsilon phi chi psi omega".split(), 0x3B1)}
_SIGNS: Final = {"<": "<", "<=": "≤", ">": ">", ">=": "≥", "==": "=", "!=": "≠", "and": "and", "or": "or"}

_Markup = tuple[str, int]


def name_mathml(name: str) -> str:
    """A name: Greek letters by name, an index after '_' or as final digits, a dot for the prime of a velocity."""
    base, primes = name.rstrip("'"), name.count("'")
    stem, _, index = base.partition("_")
    if not index:
        stem = base.rstrip("0123456789") or base
        index = base[len(stem):]
    markup = f"<mi>{escape(_GREEK.get(stem.lower(), stem) if stem.islower() else stem)}</mi>"
    if primes:
        markup = f"<mover accent='true'>{markup}<mo>{'˙' if primes == 1 else '¨'}</mo></mover>"
    return f"<msub>{markup}<mi>{escape(index)}</mi></msub>" if index else markup


def number_mathml(x: float) -> str:
    """A number: 1.5, or 1.5·10⁻⁹."""
    text = number_text(x)
    if text.endswith("pi"):
        return f"{_operator('-') if text[0] == '-' else ''}<mi>π</mi>"
    mantissa, _, exponent = text.partition("e")
    sign = _operator("-") if mantissa.startswith("-") else ""
    markup = f"{sign}<mn>{mantissa.lstrip('-')}</mn>"
    if not exponent:
        return markup
    power = int(exponent)
    exponent_markup = f"{_operator('-') if power < 0 else ''}<mn>{abs(power)}</mn>"
    return f"{markup}{_operator('·')}<msup><mn>10</mn><mrow>{exponent_markup}</mrow></msup>"


def _operator(sign: str) -> str:
    return f"<mo>{escape('−' if sign == '-' else sign)}</mo>"


def _times(right: str) -> str:
    """A dot before a digit, otherwise a thin space, since names may be words."""
    return _operator("·") if right.replace("<mrow>", "").startswith("<mn>") else "<mspace width='0.17em'/>"


def _row(*parts: str) -> str:
    return f"<mrow>{''.join(parts)}</mrow>"


def _bracketed(part: _Markup, least: int, signed: bool = True) -> str:
    markup, binding = part
    good = binding >= least and (signed or binding != SIGNED)
    return markup if good else _row("<mo>(</mo>", markup, "<mo>)</mo>")


def _call(name: str, parts: list[_Markup]) -> str:
    inside = _operator(",").join(markup for markup, _ in parts)
    return _row(f"<mi>{escape(name)}</mi>", "<mo>&#x2061;</mo><mo>(</mo>", inside, "<mo>)</mo>")


def _markup(node: Node, parts: list[_Markup]) -> _Markup:
    op, value = node._op, node._value
    if op == "name":
        return name_mathml(str(value)), PRIMARY
    if op == "number":
        markup = _row(number_mathml(float(value)))
        return markup, SIGNED if float(value) < 0 else PRODUCT if "<msup>" in markup else PRIMARY
    if op in ("add", "subtract"):
        sign = "+" if op == "add" else "-"
        return _row(parts[0][0], _operator(sign), _bracketed(parts[1], PRODUCT, signed=False)), SUM
    if op == "multiply":
        a, b = _bracketed(parts[0], PRODUCT), _bracketed(parts[1], PRODUCT, signed=False)
        return _row(a, _times(b), b), PRODUCT
    if op == "divide":
        return f"<mfrac>{_row(parts[0][0])}{_row(parts[1][0])}</mfrac>", PRIMARY
    if op == "negate":
        return _row(_operator("-"), _bracketed(parts[0], PRODUCT, signed=False)), SIGNED
    if op == "power":
        base = _bracketed(parts[0], PRIMARY)
        base = _row("<mo>(</mo>", base, "<mo>)</mo>") if base.startswith(("<mfrac", "<msup")) else base
        return f"<msup>{base}{_row(parts[1][0])}</msup>", PRIMARY
    if op == "sqrt":
        return f"<msqrt>{parts[0][0]}</msqrt>", PRIMARY
    if op == "abs":
        return _row("<mo>|</mo>", parts[0][0], "<mo>|</mo>"), PRIMARY
    if op == "vector":
        return _row("<mo>(</mo>", _operator(",").join(markup for markup, _ in parts), "<mo>)</mo>"), PRIMARY
    if op in ("x", "y", "z"):  # a component of a vector without a name
        return f"<msub>{_bracketed(parts[0], PRIMARY)}<mi>{op}</mi></msub>", PRIMARY
    if op in ("cross", "dot"):
        a, b = (_bracketed(part, PRIMARY) for part in parts)
        return _row(a, _operator("×" if op == "cross" else "·"), b), PRODUCT
    if op == "norm":
        return _row("<mo>‖</mo>", parts[0][0], "<mo>‖</mo>"), PRIMARY
    if op == "select":
        yes, no = (f"<mtr><mtd>{part[0]}</mtd><mtd>{word}</mtd></mtr>" for part, word in (
            (parts[1], f"<mtext>if&#xa0;</mtext>{parts[0][0]}"), (parts[2], "<mtext>otherwise</mtext>")))
        return _row("<mo>{</mo>", f"<mtable columnalign='left'>{yes}{no}</mtable>"), SUM
    if op in _SIGNS:
        sign = _operator(_SIGNS[op]) if op not in ("and", "or") else f"<mtext>&#xa0;{op}&#xa0;</mtext>"
        return _row(sign.join(markup for markup, _ in parts)), SUM
    return _call(op, parts), PRIMARY


def expression_mathml(expression: Node) -> str:
    """Presentation markup of an expression, for a `<math>` element."""
    nodes, _ = operands_first([expression])
    done: dict[int, _Markup] = {}
    for node in nodes:
        done[id(node)] = _markup(node, [done[id(part)] for part in node._args])
    return done[id(expression)][0]
