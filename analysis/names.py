"""Names and units of the coordinates, velocities and contacts of a system, for figures.

Names come from the result of a study ("phi'", "sliding along x"); short names are set as mathematics.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

GREEK = frozenset(
    "alpha beta gamma delta epsilon zeta eta theta kappa lambda mu nu xi pi rho sigma tau phi chi psi "
    "omega Gamma Delta Theta Lambda Xi Pi Sigma Phi Psi Omega".split())
VARIANTS = {"epsilon": r"\varepsilon", "phi": r"\varphi"}
PARTS = {"q": "coordinates", "v": "velocities", "lambda": "contacts", "gap": "positions"}
SYMBOLS = {"q": "q", "v": "v", "lambda": r"\lambda"}
# A contact force is dual to a velocity of the contact: their product is a power.
DUAL = {"m/s": "N", "rad/s": "N m", "1/s": "J"}
PRIME = "\u2032"
SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


@dataclass(frozen=True)
class Component:
    """A component of q, v or lambda: `label` is ready for matplotlib; `unit` may be ""."""

    label: str
    unit: str


def unit(text: str) -> str:
    """"kg m^2" as kg m²; "" for a pure number."""
    out, raised = [], False
    for c in "" if text == "1" else text:
        raised = c == "^" or (raised and (c.isdigit() or c == "-"))
        out.append("" if c == "^" else c.translate(SUPERSCRIPTS) if raised else c)
    return "".join(out)


def dual(of_velocity: str) -> str:
    """The unit of the force dual to a contact velocity of this unit: their product is a power."""
    return DUAL.get(of_velocity, "" if of_velocity in ("", "1") else f"W/({of_velocity})")


def label(name: str) -> str:
    """"phi'" as mathematics, "sliding along x" as text with TeX characters escaped.

    Primes are text: matplotlib's mathematics takes them from a font that browsers lack, as the letter 0.
    """
    parts = re.fullmatch(r"([A-Za-z]+)(?:_([A-Za-z0-9]+)|([0-9]+))?('*)", name)
    if not parts:
        return name.replace("\\", r"\\").replace("$", r"\$")
    base, below = parts[1], parts[2] or parts[3] or ""
    if base in GREEK:
        base = VARIANTS.get(base, f"\\{base}")
    elif len(base) > 1:
        base = rf"\mathrm{{{base}}}"
    return f"${base}" + (rf"_{{\mathrm{{{below}}}}}" if below else "") + "$" + PRIME * len(parts[4])


def visible_rows(description: Mapping[str, Any], quantity: str, count: int) -> list[int]:
    """The rows of `count` samples of a quantity that users see, in the order of their names.

    The clock of surfaces that move has samples but no name: it is the last row, and in a tangent lift the last one of
    each half.
    """
    given = description.get(PARTS[quantity])
    clocks = count - len(given) if isinstance(given, list) else 0
    if clocks <= 0 or count % clocks:
        return list(range(count))
    return [row for row in range(count) if (row + 1) % (count // clocks)]


def components(description: Mapping[str, Any], quantity: str, count: int) -> list[Component]:
    """The `count` components of a quantity, named by the description or else numbered."""
    given = description.get(PARTS[quantity])
    if not isinstance(given, list) or len(given) != count:
        return [Component(f"${SYMBOLS[quantity]}_{{{k + 1}}}$", "") for k in range(count)]
    named = []
    for one in given:
        its = str(one.get("unit", ""))
        named.append(Component(label(str(one.get("name", ""))),
                               unit(dual(its) if quantity == "lambda" else its)))
    return named


def units_of(description: Mapping[str, Any], quantity: str) -> str:
    """" [m, rad]": all distinct units of a quantity; "" if none is known."""
    if quantity not in PARTS:  # the name of one component
        return bracket(c.get("unit", "") for part in PARTS.values() for c in description.get(part) or []
                       if isinstance(c, Mapping) and c.get("name") == quantity)
    given = description.get(PARTS[quantity])
    return bracket(c.unit for c in components(description, quantity, len(given))) if isinstance(
        given, list) else ""


def bracket(units: Iterable[str]) -> str:
    words = list(dict.fromkeys(word for word in units if word))
    return f" [{', '.join(words)}]" if words else ""


def commented_units(toml: str) -> dict[str, Sequence[str]]:
    """The units in the comments of a resolved file: {"initial.q": ["m", "m", "rad"], "system.mass":
    ["kg"]}. Comments that are symbols of numbers ("beta") are omitted."""
    found: dict[str, Sequence[str]] = {}
    section = ""
    for line in toml.splitlines():
        if header := re.fullmatch(r"\[\[?([\w.]+)\]?\]", line.strip()):
            section = header[1]
        elif given := re.fullmatch(r"(\w+) = [^\"#]*# ([^#]+)", line.strip()):
            words = [word.strip() for word in given[2].split(",")]
            if not GREEK & set(words):
                found[f"{section}.{given[1]}"] = words
    return found
