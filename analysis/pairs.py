"""Default choices of a figure: law, solver, epsilons, rigid motion, and the points that have marks."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from .evenly_spaced import evenly_spaced
from .result import Motion
from .store import RollingResult
from .tables import AnalysisError, distinct, matching
from .wording import QUANTITIES, check_quantities

MOST_MARKS = 60  # of one line with more than twice as many points
REGIME = {"q": 2.0, "v": 1.0, "lambda": 0.0, "gap": 2.0}  # docs/theory.md, section 2, first row


def chosen(study: RollingResult, law: str | None, solver: str | None) -> tuple[str, str]:
    """The given law and compliant solver, or the first of the study with a finished solve."""
    study.one_point("each point has its own motions")
    there = study.solves[(study.solves["kind"] == "compliant")
                         & (study.solves["status"] == "finished")]
    found = matching(there, law=law, solver=solver)
    if found.empty:
        raise AnalysisError(f"{study.where}: no finished compliant solve of law {law or 'any'} by "
                            f"{solver or 'any solver'}")
    return str(found.iloc[0]["law"]), str(found.iloc[0]["solver"])


def spread_out(epsilons: Sequence[float], count: int) -> list[float]:
    """At most `count` epsilons, evenly spaced by position, the first and the last included."""
    return [epsilons[k] for k in evenly_spaced(len(epsilons), count)]


def thinned(rows: pd.DataFrame) -> pd.DataFrame:
    """These rows, or MOST_MARKS of them at equal distances, the first and the last included."""
    if len(rows) <= 2 * MOST_MARKS:
        return rows
    return rows.iloc[evenly_spaced(len(rows), MOST_MARKS)]


def sampled_epsilons(study: RollingResult, law: str, solver: str, asked: Sequence[float] | None,
                     count: int) -> list[float]:
    """The given epsilons, or `count` spread over those with stored curves of the law (over all if there
    are none); decreasing."""
    if asked is not None:
        return sorted((float(x) for x in asked), reverse=True)
    solved = study.epsilons(law, solver)
    kept = set(matching(study.curves, law=law)["epsilon"].dropna())
    return spread_out([x for x in solved if x in kept] or solved, count)


def chosen_windows(data: pd.DataFrame, wanted: Sequence[str] | None, one: bool) -> list[str]:
    """The given windows, or those of the data, of which a small figure shows `one`. AnalysisError for others."""
    known = list(dict.fromkeys(data["window"]))
    for window in wanted or []:
        if window not in known:
            raise AnalysisError(f"windows must be of {', '.join(known)}, not '{window}'")
    return list(wanted) if wanted else known[:1] if one else known


def of_quantities(rows: pd.DataFrame, quantities: Sequence[str]) -> pd.DataFrame:
    """The rows of these quantities; AnalysisError for one that neither the rows nor QUANTITIES have."""
    if not quantities or not set(quantities) <= {*rows["quantity"], *QUANTITIES}:
        check_quantities(quantities)
    return rows[rows["quantity"].isin(quantities)]


def partner(study: RollingResult, rigid_solver: str | None = None) -> Motion:
    """The rigid motion of the given solver, or of the first solver of the table that has samples."""
    known = distinct(study.solves[study.solves["kind"] == "rigid"]["solver"])
    first = next((solver for solver in distinct(study.table["rigid_solver"]) if solver in known),
                 known[0] if known else None)
    return study.motion("rigid", solver=rigid_solver or first)


def order_of(study: RollingResult, law: str, quantity: str) -> float:
    """The power p of epsilon^p that scales a quantity's error over all t: the expected order of the
    study, or else the predicted order, or else that of the regime (REGIME)."""
    for name in ("expected_order", "predicted_order"):
        for s in study.series:
            if (s["law"], s["quantity"], s["norm"], s["window"]) == (law, quantity, "sup", "all"):
                if s.get(name) is not None and study.judgement.get("against") != "composite":
                    return float(s[name])
    return REGIME[quantity]


def layer_width(study: RollingResult) -> float:
    """The tau = t / epsilon up to which the layer is sampled densely, from the resolved study."""
    return float(study.settings.get("time", {}).get("layer_width", 20.0))
