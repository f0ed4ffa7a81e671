"""TOML text of Python values. The standard library reads TOML, but does not write it."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from numbers import Integral, Real
from typing import Any, Final

from .errors import InputError

WIDTH: Final = 120
DEEPEST: Final = 60  # the program refuses files that nest more than 16 deep
_ESCAPES: Final = {"\b": "\\b", "\t": "\\t", "\n": "\\n", "\f": "\\f", "\r": "\\r", '"': '\\"', "\\": "\\\\"}


def toml_string(text: str) -> str:
    """A string in quotes."""
    try:
        text.encode()
    except UnicodeEncodeError:
        raise InputError(f"the string {text!a} cannot be written, since it is not valid Unicode") from None
    return '"' + "".join(_ESCAPES.get(c, f"\\u{ord(c):04x}" if ord(c) < 32 or ord(c) == 127 else c) for c in text) + '"'


def toml_key(key: object) -> str:
    """A key, in quotes if necessary."""
    if not isinstance(key, str):
        raise InputError(f"the key {key!r} is a {type(key).__name__}, but keys must be strings")
    return key if re.fullmatch(r"[A-Za-z0-9_-]+", key) else toml_string(key)


def toml_float(x: float) -> str:
    """A number, without loss of a bit."""
    if math.isnan(x):
        return "nan"
    if math.isinf(x):
        return "inf" if x > 0 else "-inf"
    return repr(x)


def toml_value(value: object, where: str = "", depth: int = 0) -> str:
    """A value on one line.

    Parameters
    ----------
    value : bool, int, float, str, list, tuple, dict, NumPy number or array
        Arrays of any shape become lists of lists.
    where : str, optional
        The key, for messages.
    """
    if depth > DEEPEST:
        raise InputError(f"nests more than {DEEPEST} deep", where)
    if type(value).__module__.partition(".")[0] == "numpy" and hasattr(value, "tolist"):
        if getattr(getattr(value, "dtype", None), "kind", "") == "m" or not hasattr(value, "dtype"):
            raise InputError(f"a {type(value).__name__} cannot be written as TOML", where)
        value = value.tolist()
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return toml_string(value)
    if isinstance(value, Integral):
        if not -(2**63) <= int(value) < 2**63:
            raise InputError(f"the integer {value} needs more than 64 bits", where)
        return str(int(value))
    if isinstance(value, Real):
        return toml_float(float(value))
    if isinstance(value, Mapping):
        items = (f"{toml_key(key)} = {toml_value(x, _inside(where, key), depth + 1)}" for key, x in value.items())
        return "{" + ", ".join(items) + "}"
    if isinstance(value, (list, tuple, range)):
        return "[" + ", ".join(toml_value(x, where, depth + 1) for x in value) + "]"
    raise InputError(f"a value of type {type(value).__name__} cannot be written as TOML; give a number, a string, a "
                     "truth value, a list, a dict or a NumPy array", where)


def toml_text(document: Mapping[str, Any]) -> str:
    """The text of a document.

    Tables get headers down to `[a.b]`, deeper ones are written inline. Lists of tables get headers `[[a]]` at the top,
    and otherwise a line for each table.

    Parameters
    ----------
    document : mapping
        Keys are strings. Values are as in `toml_value`.
    """
    return "\n".join(_table(document, "")) + "\n"


def _inside(where: str, key: object) -> str:
    return f"{where}.{key}" if where else str(key)


def _is_tables(value: object) -> bool:
    return isinstance(value, (list, tuple)) and len(value) > 0 and all(isinstance(x, Mapping) for x in value)


def _lines(key: object, value: object, where: str) -> Iterable[str]:
    line = f"{toml_key(key)} = {toml_value(value, where)}"
    if not isinstance(value, (list, tuple)) or not (_is_tables(value) or len(line) > WIDTH):
        return [line]
    return [f"{toml_key(key)} = [", *(f"  {toml_value(x, where)}," for x in value), "]"]


def _table(table: Mapping[str, Any], where: str, depth: int = 0) -> list[str]:
    """Values before tables: a header ends the table above."""
    lines: list[str] = []
    after: list[str] = []
    for key, value in table.items():
        inside, header = _inside(where, key), f"{where and where + '.'}{toml_key(key)}"
        if isinstance(value, Mapping) and depth < 2:
            after += ["", f"[{header}]", *_table(value, header, depth + 1)]
        elif _is_tables(value) and depth == 0:
            for one in value:
                after += ["", f"[[{header}]]", *_table(one, header, 2)]
        else:
            lines += _lines(key, value, inside)
    lines += after
    return lines[1:] if depth == 0 and lines[:1] == [""] else lines
