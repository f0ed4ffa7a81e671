"""Numbers and verdicts as text for pages; the templates escape it."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from numbers import Real

from ..._core import with_bar
from ..names import SUPERSCRIPTS

UNKNOWN = "–"


@dataclass(frozen=True)
class Badge:
    """A verdict: a word, a sign, and a tone for its colour, which repeats them."""

    word: str
    tone: str  # "good", "bad", "open", "plain": classes of style.css

    @property
    def sign(self) -> str:
        return {"good": "✓", "bad": "✗", "open": "~", "plain": "•"}[self.tone]


TONES = {
    "confirmed": "good", "held": "good", "ok": "good", "exact": "good", "success": "good",
    "refuted": "bad", "not held": "bad", "diverging": "bad", "broken": "bad",
    "settled": "plain", "nothing expected": "plain", "benchmark": "plain",
}


def badge(word: str) -> Badge:
    """The badge of a verdict or a state; unknown names get the tone "open"."""
    if word.startswith(("failed", "cannot")):
        return Badge(word, "bad")
    return Badge(word, TONES.get(word, "open"))


def known(x: object) -> bool:
    """Whether x is a finite number; JSON has null, pandas has NaN and NumPy numbers."""
    return isinstance(x, Real) and math.isfinite(x)


def power_of_ten(exponent: int) -> str:
    return "10" + str(exponent).translate(SUPERSCRIPTS)


def scientific(x: object, digits: int = 4) -> str:
    """1.751·10⁻³; small integers and numbers of moderate size in decimals; "–" for missing ones."""
    if not known(x):
        return UNKNOWN
    x = float(x)  # type: ignore[arg-type]
    if x == 0.0:
        return "0"
    mantissa, exponent = f"{x:.{digits - 1}e}".split("e")
    mantissa = mantissa.replace("-", "−")
    return mantissa if int(exponent) == 0 else f"{mantissa}·{power_of_ten(int(exponent))}"


def fixed(x: float, decimals: int) -> str:
    """Fixed decimals, without a minus sign before zero."""
    text = f"{x:.{decimals}f}"
    return text.replace("-", "−" if float(text) != 0.0 else "")


def order(x: object, error: object = None) -> str:
    """To the first digit of the standard error; two decimals without one."""
    if not known(x):
        return UNKNOWN
    if not known(error):
        return fixed(float(x), 2)  # type: ignore[arg-type]
    return with_powers(with_bar(float(x), float(error)))  # type: ignore[arg-type]


def with_powers(text: str) -> str:
    """1.75e-03 as 1.75·10⁻³, 1e-05 as 10⁻⁵, and signs as "−"."""
    def power(found: re.Match[str]) -> str:
        mantissa, exponent = found[1], int(found[2])
        if exponent == 0:
            return mantissa
        return ("" if mantissa == "1" else f"{mantissa}·") + power_of_ten(exponent)

    return re.sub(r"(?<![\w.])(\d+(?:\.\d+)?)e([-+]\d+)\b", power, text).replace("-", "−")


def count(x: object) -> str:
    """An integer with separated thousands."""
    return f"{int(x):,}".replace(",", "\u202f") if known(x) else UNKNOWN


def plural(n: int, noun: str) -> str:
    """"1 claim", "2 claims"."""
    return f"{n} {noun}" + "s" * (n != 1)


def duration(seconds: object) -> str:
    if not known(seconds):
        return UNKNOWN
    s = float(seconds)  # type: ignore[arg-type]
    if s < 1.0:
        return f"{1e3 * s:.3g} ms"
    if s < 120.0:
        return f"{s:.3g} s"
    return f"{s / 60.0:.3g} min" if s < 7200.0 else f"{s / 3600.0:.3g} h"
