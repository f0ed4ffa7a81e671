"""HTML of a system for notebooks: equations in MathML, and a table of parameters."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from html import escape
from typing import Any

from .errors import InputError
from .formula_reader import read_formula
from .html_table import html_table
from .mathml import expression_mathml, name_mathml, number_mathml

LONGEST = 4000
"""Characters of a formula; longer ones are shown as text."""


def formula_mathml(formula: str | float) -> str:
    """Markup of a formula. Texts that cannot be read as a formula are shown as they are."""
    text = str(formula)
    try:
        if len(text) <= LONGEST:
            return expression_mathml(read_formula(text))
    except (InputError, RecursionError):
        pass
    return f"<mtext>{escape(text)}</mtext>"


def system_html(table: Mapping[str, Any]) -> str:
    """HTML of a system.

    Parameters
    ----------
    table : dict
        The keys of `[system]`.
    """
    title = table.get("title") or table.get("name") or table.get("file")
    origin = "" if "coordinates" in table else "<p>a system of the catalogue</p>"
    return f"<div><p><strong>{escape(str(title))}</strong></p>{origin}{equations_html(table)}{_parameters(table)}</div>"


def equations_html(table: Mapping[str, Any]) -> str:
    """A row for each equation; "" for a system of the catalogue."""
    return html_table(((math(left), math(f"<mo>=</mo>{right}")) for left, right in _equations(table)), "rl")


def math(markup: str) -> str:
    """A formula on its own."""
    return (f"<math xmlns='http://www.w3.org/1998/Math/MathML' displaystyle='true' style='font-size: 125%'>"
            f"<mrow>{markup}</mrow></math>")


def _tuple(parts: Iterable[str]) -> str:
    return f"<mo>(</mo>{'<mo>,</mo>'.join(parts)}<mo>)</mo>"


def _column(formulas: Iterable[str | float | Mapping[str, Any]]) -> str:
    rows = (f"<mtr><mtd>{formula_mathml(x['row'] if isinstance(x, Mapping) else x)}</mtd></mtr>" for x in formulas)
    return f"<mo>(</mo><mtable>{''.join(rows)}</mtable><mo>)</mo>"


def _equations(table: Mapping[str, Any]) -> Iterable[tuple[str, str]]:
    """Left and right sides, in the order of `rigidlimit describe`."""
    coordinates = table.get("coordinates", ())
    if coordinates:
        yield "<mi>q</mi>", _tuple(name_mathml(x["name"]) for x in coordinates)
    if table.get("velocities"):
        yield "<mi>v</mi>", _tuple(name_mathml(x["name"]) for x in table["velocities"])
    for x in coordinates:
        if "rate" in x:
            yield name_mathml(f"{x['name']}'"), formula_mathml(x["rate"])
    for name, formula in table.get("let", {}).items():
        yield name_mathml(name), formula_mathml(formula)
    for key, symbol in (("kinetic_coenergy", "<msup><mi>K</mi><mo>*</mo></msup>"), ("potential", "<mi>P</mi>"),
                        ("dissipation", "<mi>R</mi>")):
        if key in table:
            yield symbol, formula_mathml(table[key])
    if "mass_matrix" in table:
        rows = ("<mtr>" + "".join(f"<mtd>{formula_mathml(x)}</mtd>" for x in row) + "</mtr>"
                for row in table["mass_matrix"])
        yield "<mi>M</mi>", f"<mo>(</mo><mtable>{''.join(rows)}</mtable><mo>)</mo>"
    for key, symbol in (("applied_force", "<mi>Q</mi>"), ("force", "<mi>F</mi>"),
                        ("exact_constraint", "<mi>E</mi><mi>v</mi>"), ("constraint", "<mi>G</mi><mi>v</mi>"),
                        ("quasi_velocities", "<mi>u</mi>"), ("invariants", "<mn>0</mn>")):
        if table.get(key):
            yield symbol, _column(table[key])
    for k, contact in enumerate(table.get("contacts", ())):
        name = f"<mtext>{escape(str(contact.get('name', f'contact{k + 1}')))}</mtext>"
        for key, symbol in (("gap", "<mi>g</mi>"), ("normal_force", "<mi>p</mi>"), ("friction", "<mi>μ</mi>"),
                            ("restitution", "<mi>e</mi>"), ("gap_scale", "<mi>σ</mi>"),
                            ("sliding_scale", "<mi>ς</mi>")):
            if key in contact:
                yield f"<msub>{symbol}{name}</msub>", formula_mathml(contact[key])
        yield f"<msub><mi>s</mi>{name}</msub>", _column(contact.get("sliding", ()))


def _parameters(table: Mapping[str, Any]) -> str:
    """Name, value, unit and meaning."""
    rows = ((math(name_mathml(name)), math(number_mathml(float(table.get(name, one["default"])))),
             escape(str(one.get("unit", ""))), escape(str(one.get("text", ""))))
            for name, one in table.get("parameters", {}).items())
    return html_table(rows, "lrll", ("parameter", "value", "unit", ""))
