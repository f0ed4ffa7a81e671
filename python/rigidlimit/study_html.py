"""HTML of a study for notebooks: its question, its tables, and the equations of its system."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator, Mapping
from html import escape
from textwrap import shorten
from typing import TYPE_CHECKING, Any, Final

from .html_table import html_table
from .system_html import equations_html

if TYPE_CHECKING:
    from .study import Study

LONGEST: Final = 6
"""Values of a list; of a longer one, the first and the last are shown."""
_SHOWN: Final = {"initial": ("q", "v"), "time": ("end", "after", "compared"),
                 "solvers": ("rigid", "compliant", "formulation", "precision", "rtol", "atol", "reference")}
"""Keys of the tables of which only some are shown."""
_SECONDS: Final = ("end", "after", "compared")
_LEFT_OUT: Final = ("output", "inequality")
_TITLE: Final = ("name", "question", "source")
_ROWS: Final = {"expect": "expectations", "bound": "bounds", "problem": "problems", "least": "least errors"}
_WITHIN: Final = {"within": ("order", "convergence"), "ratio_within": ("ratio",)}
"""Keys of tolerances, shown behind the first of these that the table has."""


def study_html(study: Study) -> str:
    """HTML of a study of any kind. `study.resolved` has all of its keys."""
    document = tomllib.loads(study.resolved)
    kind = f"{study.kind}{'' if study.kind == 'benchmark' else ' study'}{', sweep' if study.is_sweep else ''}"
    system = document.get("system", {})
    rows = [(escape(name), escape(text)) for name, text in _facts(document) if text]
    parts = [f"<p><strong>{escape(study.name)}</strong> ({escape(kind)})</p>",
             f"<p>{escape(study.question)}</p>" if study.question else "", html_table(rows, "ll"),
             *(_claims(title, document[key]) for key, title in _ROWS.items() if key in document),
             equations_html(system)]
    return "<div>" + "".join(parts) + "</div>"


def value_text(value: object) -> str:
    """A value of a TOML document: numbers with six digits, the ends of long lists."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, (int, float)):
        return f"{value or 0:.6g}"
    if isinstance(value, Mapping):
        return ", ".join(f"{key} = {one}" for key, one in _leaves(value, ""))
    if isinstance(value, list):
        texts = [f"({value_text(one)})" if isinstance(one, list) and len(one) > 1 else value_text(one)
                 for one in value]
        return ", ".join(texts) if len(texts) <= LONGEST else f"{texts[0]} … {texts[-1]} ({len(texts)} values)"
    return shorten(str(value), 100, placeholder=" …")


def _leaves(table: Mapping[str, Any], prefix: str) -> Iterator[tuple[str, str]]:
    """Dotted keys with the texts of their values."""
    for key, value in table.items():
        if isinstance(value, Mapping):
            yield from _leaves(value, f"{prefix}{key}.")
        else:
            text = value_text([value] if isinstance(value, list) else value)
            yield prefix + _words(str(key)), f"{text} s" if key in _SECONDS else text


def _words(key: str) -> str:
    return key.replace("_", " ")


def _facts(document: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """The names of tables and their values."""
    for name, table in document.items():
        if name in (*_ROWS, *_LEFT_OUT):
            continue
        if name == "system":
            yield name, _system(table)
        elif name == "epsilon":
            yield "ε", value_text(table["values"]) if "values" in table else value_text(table)
        elif name in ("study", "benchmark"):
            yield name, value_text({key: one for key, one in table.items() if key not in _TITLE})
        elif isinstance(table, Mapping):
            shown = {key: one for key, one in table.items() if key in _SHOWN.get(name, table)}
            yield _words(name), value_text(shown)
        else:
            yield _words(name), value_text(table)


def _system(table: Mapping[str, Any]) -> str:
    """Its title, and the values of its parameters."""
    formulas = table.get("parameters", {})
    units = {name: one["unit"] for name, one in formulas.items() if one.get("unit", "1") != "1"}
    values = {name: table.get(name, one["default"]) for name, one in formulas.items()} or {
        name: one for name, one in table.items() if isinstance(one, (int, float))}
    texts = [f"{name} = {value_text(one)} {units.get(name, '')}".strip() for name, one in values.items()]
    return "; ".join(filter(None, (str(table.get("title") or table.get("name", "")), ", ".join(texts))))


def _claims(title: str, tables: Iterable[Mapping[str, Any]]) -> str:
    """A row for each claim, with the columns that one of them has."""
    rows = [_with_tolerances(one) for one in tables]
    columns = list(dict.fromkeys(key for row in rows for key in row))
    if not columns:
        return ""
    cells = ([escape(row.get(key, "")) for key in columns] for row in rows)
    head = [escape(_words(key)) for key in columns]
    return f"<p>{title}</p>" + html_table(cells, "l" * len(columns), head)


def _with_tolerances(table: Mapping[str, Any]) -> dict[str, str]:
    texts = {key: value_text(value) for key, value in table.items()}
    for key, claims in _WITHIN.items():
        claim = next((one for one in claims if one in texts), None)
        if key in texts and claim:
            texts[claim] += f" ± {texts.pop(key)}"
    return texts
