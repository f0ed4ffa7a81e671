"""The page of one study: question, equations, verdicts, figures and origin."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from markupsafe import Markup, escape

from ..names import commented_units
from . import origin_tables as origin
from . import plain_tables
from . import study_tables as tables
from . import typeset
from .drawings import as_uri, pictures
from .result_page import ResultPage
from .study_drawings import DRAWINGS
from .tables import Table
from .words import Badge, badge, count, duration, order
from ..store import RollingResult

# docs/theory.md, section 1.
RIGID = ("q' = T(q) v", "M(q) v' = F(q, v, t) − G(q)^T Λ", "0 = G(q) v")
COMPLIANT = ("q' = T(q) v", "M(q) v' = F(q, v, t) − G(q)^T λ", "y' = G(q) v",
             "λ = (C/ε^2) y + (D/ε^β) y'")
LAW_FREE = (*COMPLIANT[:2], "λ or its counterpart: see the table of contact laws")


@dataclass(frozen=True)
class Problem:
    """The problem, in formulas and numbers."""

    rigid: list[Markup]
    compliant: list[Markup]
    title: str
    equations: list[tuple[int, Markup]]
    remarks: list[Markup]
    laws: Table
    tables: list[Table]
    settings: Table


@dataclass(frozen=True)
class StudyPage(ResultPage):
    """All data for templates/study.html.j2, which omits empty tables and lists."""

    counts: list[tuple[Badge, int]]  # of the expectations
    advice: list[tuple[Badge, str]]  # for verdicts other than "confirmed"
    problem: Problem
    verdicts: list[Table]
    unexpected: Table
    errors: list[tuple[str, list[Table]]]
    rigid: Table
    untested: bool  # a rigid solver excluded Λ from its error test
    energy: Table
    work: Table
    failures: Table
    notes: list[str]
    findings: Table
    runs: Table


def overall(study: RollingResult) -> Badge:
    """The verdict of the whole study, as `rigidlimit run` prints it."""
    result = study.judgement
    if not result:
        return badge("not judged")
    if not study.complete or result.get("interrupted"):
        return badge("incomplete")
    if not any(map(tables.is_expected, study.series)) and not result.get("bounds") and not result.get("growth"):
        return badge("nothing expected")
    return badge("held" if result.get("held") else "not held")


def demands(study: RollingResult) -> list[tuple[str, bool]]:
    """The verdict of each expectation and bound, and whether it held."""
    found = []
    for s in study.series:
        if "held" in s:
            found.append((s["verdict"], s["held"]))
        if "ratio" in s:
            found.append((s["ratio"]["verdict"], s["ratio"]["held"]))
    found += [("held" if b["held"] else b["state"], b["held"]) for b in study.judgement.get("bounds", [])]
    return found + [("held" if g["held"] else "not held", g["held"]) for g in study.judgement.get("growth", [])]


def held_words(study: RollingResult) -> str:
    """"11 of 11", or "–" without expectations."""
    asked = demands(study)
    return f"{sum(held for _, held in asked)} of {len(asked)}" if asked else "–"


def main_order(study: RollingResult, quantity: str) -> str:
    """The fitted order of the first series in the sup norm over all t; the range over the points of a sweep."""
    found = [s for s in study.series if (s["quantity"], s["norm"], s["window"]) == (quantity, "sup", "all")]
    if study.sweep is None:
        return order(found[0]["order"], found[0].get("standard_error")) if found else "–"
    known = [s["order"] for s in found if s["order"] is not None]
    return f"{order(min(known))} … {order(max(known))}" if known else "–"


def advice_of(study: RollingResult) -> list[tuple[Badge, str]]:
    # A verdict may have several advices, depending on the error that hides the rows.
    found = dict.fromkeys((s["verdict"], s["advice"]) for s in study.series
                          if tables.is_expected(s) and not s.get("held", True) and s.get("advice"))
    return [(badge(word), text) for word, text in found]


def facts_of(study: RollingResult, resolved: dict[str, Any]) -> list[tuple[str, str]]:
    result, solvers = study.judgement, resolved.get("solvers", {})
    seconds = float(study.solves["seconds"].astype(float).sum())
    against = {"composite": "the rigid motion with its composite expansion added"}
    facts = [("system", str(study.description.get("name", ""))),
             ("contact law", ", ".join(tables.law_names(result))),
             ("compared with", against.get(result.get("against", ""), "the rigid motion")),
             ("rigid side", tables.toml_value(solvers.get("rigid", ""))),
             ("compliant side", tables.toml_value(solvers.get("compliant", ""))),
             ("ε", tables.range_words(study.epsilons())),
             ("points", f"{len(study.points)}: {study.sweep.listed()}" if study.sweep else ""),
             ("demands held", held_words(study)),
             ("solves", f"{count(len(study.solves))}, {duration(seconds)} of computing"),
             ("failures", str(len(result.get("failures", []))))]
    return [(name, value) for name, value in facts if value]


def problem_of(study: RollingResult, resolved: dict[str, Any]) -> Problem:
    result = study.judgement
    about = study.description
    usual = tables.law_names(result) == ["viscoelastic"]
    remarks = []
    if about.get("velocities_are_rates"):
        remarks.append("T is the identity: v = q'")
    if about.get("derived_from_energies"):
        remarks.append("M and F are derived from the energies")
    if about.get("exact_constraints"):
        remarks.append("E v = 0 holds exactly on both sides, with its own multiplier")
    if about.get("closed_form", "none") != "none":
        remarks.append(f"Closed form: {about['closed_form']}")
    typeset_remarks = [typeset.line(r) for r in remarks]
    if about.get("source"):
        typeset_remarks.append(escape(f"Source of the system: {about['source']}"))
    if result.get("no_prediction"):
        typeset_remarks.append(escape(f"Nothing is predicted: {result['no_prediction']}"))
    return Problem(
        rigid=[typeset.line(x) for x in RIGID],
        compliant=[typeset.line(x) for x in (COMPLIANT if usual else LAW_FREE)],
        title=about.get("title", str(about.get("name", ""))),
        equations=typeset.lines(about.get("equations", "")), remarks=typeset_remarks,
        laws=Table("", []) if usual else tables.law_table(result),
        settings=tables.setting_table(resolved),
        tables=[tables.parameter_table(result), tables.start_table(result),
                *(tables_of_sweep(study) if study.sweep else []), tables.contact_table(resolved)])


def tables_of_sweep(study: RollingResult) -> list[Table]:
    """The problem that all points share, from the resolved file."""
    units = commented_units(study.resolved)
    return [plain_tables.parameter_table(study.settings, units),
            plain_tables.start_table({}, study.settings, units)]


def study_page(study: RollingResult, page: Path) -> StudyPage:
    """Draws the study's figures beside `page` and collects the data of the page."""
    result, resolved = study.judgement, study.settings
    expected = [s for s in study.series if tables.is_expected(s)]
    others = [s for s in study.series if not tables.is_expected(s)]
    tally = Counter(word for word, _ in demands(study))
    where, commands = origin.reproduction(result, "run", page.stem, study.name)
    return StudyPage(
        name=study.name, question=str(result.get("question", "")),
        source=str(result.get("source", "")), verdict=overall(study),
        counts=[(badge(word), n) for word, n in tally.items()], advice=advice_of(study),
        facts=facts_of(study, resolved), problem=problem_of(study, resolved),
        verdicts=[tables.point_table(result), tables.order_table(result, expected, "Orders with an expectation"),
                  tables.coefficient_table(result), tables.bound_table(result),
                  tables.growth_table(result)],
        unexpected=tables.order_table(result, others, "Orders without an expectation"),
        pictures=[one for drawing in DRAWINGS for one in pictures(study, drawing, page)],
        errors=tables.error_tables(result, study.table("errors")), rigid=tables.rigid_table(result),
        untested=not all(r["multiplier_in_error_test"] for r in result.get("rigid", [])),
        energy=tables.energy_table(result), work=tables.work_table(study.solves),
        failures=tables.failure_table(result), notes=[str(n) for n in result.get("notes", [])],
        findings=origin.finding_table(study.table("findings")), runs=origin.run_table(study.table("runs")),
        provenance=origin.provenance_table(result.get("provenance", {})), resolved=study.resolved,
        resolved_uri=as_uri(study.resolved.encode(), "text/plain"),
        commands_where=where, commands=commands, file_stem=page.stem,
        version=str(result.get("provenance", {}).get("version", "")))
