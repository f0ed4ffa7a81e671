"""Text in figures: symbols, units, numbers, solver pairs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from .._core import with_bar
from .names import SYMBOLS, label
from .store import RollingResult
from .sweep import Sweep
from .tables import AnalysisError

KEYS = {"contact.damping_ratio": "ζ", "contact.damping_exponent": "β"}
QUANTITIES = ("q", "v", "lambda")
ERROR_BARS = "the largest of solver, reference and sampling error"  # as docs/verdicts.md


def check_quantities(quantities: Sequence[str]) -> None:
    """AnalysisError for an unknown quantity or an empty list."""
    for x in quantities or [""]:
        if x not in QUANTITIES:
            raise AnalysisError(f"quantities must be of {', '.join(QUANTITIES)}, not '{x}'")


def symbol(quantity: str, index: int | None = None) -> str:
    """The symbol as mathematics; components count from 1, as in the text. A component with a name is its name."""
    if quantity not in SYMBOLS:
        return label(quantity)
    below = "" if index is None else f"_{{{index + 1}}}"
    return f"${SYMBOLS[quantity]}{below}$"


def power_text(x: float) -> str:
    """A number such as 3.2e-4 as mathematics without dollars; powers of ten as such."""
    if not np.isfinite(x) or x == 0.0:
        return f"{x:g}"
    exponent = int(np.floor(np.log10(abs(x)) + 1e-9))
    if -2 <= exponent <= 2:
        return f"{x:.3g}"
    digits = f"{x / 10.0**exponent:.2g}"
    return rf"10^{{{exponent}}}" if digits == "1" else rf"{digits} \times 10^{{{exponent}}}"


def epsilon_text(epsilon: float) -> str:
    return rf"$\varepsilon = {power_text(epsilon)}$"


def order_text(order: float, error: float) -> str:
    """A fitted order and its standard error."""
    return with_bar(order, error)


def window_text(study: RollingResult, window: str) -> str:
    if window == "all":
        return "all t"
    swept = study.sweep is not None and "time.after" in study.sweep.keys
    return "t > time.after" if swept else f"t > {study.after:.4g} s"


def verdict_text(study: RollingResult) -> str:
    """The verdict of the whole study."""
    if not study.judgement:
        return "not judged yet"
    held = "held" if study.judgement.get("held") else "not held"
    return f"{held}, incomplete" if study.interrupted else held


def pair_text(study: RollingResult, key: Sequence[object]) -> str:
    """The part of a series' key that differs within the study. `key`: values of study.series_keys."""
    *point, law, rigid_solver, compliant_solver = key
    table = study.table
    words = [point_text(study.sweep, point)] if study.sweep else []
    words += [str(law)] if table["law"].nunique() > 1 else []
    if table["compliant_solver"].nunique() > 1 or not words:
        words.append(compliant_solver)
    return ", ".join(map(str, words)) + (f" / {rigid_solver}" if table["rigid_solver"].nunique() > 1 else "")


def point_text(sweep: Sweep, point: Sequence[object]) -> str:
    """"ζ = 0.5": a point of a sweep, with the symbols of docs/theory.md."""
    return replace(sweep, keys=tuple(KEYS.get(key, key) for key in sweep.keys)).text(point)


def power_of_epsilon(power: float) -> str:
    """epsilon^power as mathematics without dollars."""
    return r"\varepsilon" if power == 1.0 else rf"\varepsilon^{{{power:g}}}"
