"""The tables of a study's page, from the verdicts of `rigidlimit run`. Formats text, computes nothing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pandas as pd

from ..names import dual
from . import typeset
from .tables import Cell, Table, num, table
from .words import (
    SYMBOLS,
    UNKNOWN,
    badge,
    count,
    duration,
    known,
    order,
    plain,
    scientific,
    short,
    to_its_bar,
    unit,
    with_bar,
)

Entry = dict[str, Any]
HEADS = {"law": "law", "compliant_solver": "compliant", "rigid_solver": "rigid"}
PAIR = tuple(HEADS)
WORK = ("steps", "rejected_steps", "rhs_evaluations", "jacobian_evaluations", "factorisations",
        "newton_iterations")


def window_words(result: Entry, window: str) -> str:
    if window == "all":
        return "all t"
    varies = "time.after" in swept(result).values()
    return "t > time.after" if varies else f"t > {plain(result.get('after'), 4)} s"


def pair_words(result: Entry, entry: Entry) -> str:
    solvers = f"{entry['compliant_solver']} / {entry['rigid_solver']}"
    return f"{entry['law']}, {solvers}" if len(law_names(result)) > 1 else solvers


def law_names(result: Entry) -> list[str]:
    return list(dict.fromkeys(law["name"] for law in result.get("laws", [])))


def description(result: Entry) -> Entry:
    """The system of a single study; empty for a sweep, whose points may have different ones."""
    return {} if swept(result) else result.get("system", {})


def is_expected(series: Entry) -> bool:
    return "held" in series or "ratio" in series


def expected_words(series: Entry) -> str:
    if "expected_order" in series:
        return f"{plain(series['expected_order'], 4)} ± {plain(series['within'], 4)}"
    if series.get("expected_convergence") == "none":
        return "no convergence"
    if series.get("expected_convergence") == "exact":
        return f"no error beyond {scientific(series['within'], 1)}"
    if series.get("expected_convergence") == "bounded":
        return f"at most {scientific(series['within'], 1)}"
    return UNKNOWN


def telling(result: Entry, entries: list[Entry]) -> list[str]:
    """The swept values, and those of law and solvers that differ between these entries."""
    return [*swept(result), *(p for p in PAIR if len({e[p] for e in entries}) > 1)]


def swept(result: Entry) -> dict[str, str]:
    """The columns of a sweep and their keys; empty for a single study."""
    return result.get("swept_columns", {})


def swept_cells(result: Entry, entry: Entry) -> list[Cell]:
    return [swept_cell(entry[column]) for column in swept(result)]


def swept_cell(value: object) -> Cell:
    return num(plain(value)) if known(value) else Cell(str(value))


def swept_table(result: Entry, caption: str, *headers: str, numbers: str) -> Table:
    """A table with one column per swept key before its other columns."""
    return table(caption, *swept(result).values(), *headers, numbers="n" * len(swept(result)) + numbers)


def point_table(result: Entry) -> Table:
    t = swept_table(result, "Points", "verdict", "claims held", "message", numbers=".n.")
    for point in result.get("points", []) if swept(result) else []:
        t.add(*swept_cells(result, point), Cell(badge(str(point["verdict"]))),
              num(f"{point['claims_held']} of {point['claims']}"), str(point.get("message", "")))
    return t


def judged_table(result: Entry, series: list[Entry], caption: str, *columns: str,
                 numbers: str) -> tuple[Table, Callable[..., None]]:
    """A table of series and a function that adds a line; law and solvers are columns if they differ."""
    apart = telling(result, series)
    if series and not {"rigid_solver", "compliant_solver"} & set(apart):
        caption += f"; {series[0]['compliant_solver']} / {series[0]['rigid_solver']}"
    t = table(caption, *[(HEADS | swept(result))[p] for p in apart], "", "norm", "window", *columns,
              numbers="".join("n" if p in swept(result) else "." for p in apart) + "..." + numbers)

    def add(s: Entry, *cells: Cell | str) -> None:
        t.add(*[swept_cell(s[p]) if p in swept(result) else s[p] for p in apart], SYMBOLS[s["quantity"]], s["norm"],
              window_words(result, s["window"]), *cells)

    return t, add


def order_table(result: Entry, series: list[Entry], caption: str) -> Table:
    """Fits and verdicts, one line per series."""
    t, add = judged_table(result, series, caption, "fitted order", "for ε → 0", "expected",
                          "verdict", "reason", numbers="nnn..")
    for s in series:
        add(s, num(order(s["order"], s.get("standard_error"))),
            num(to_its_bar(s.get("order_limit"), s.get("order_limit_error"), 6)),
            num(expected_words(s)), Cell(badge(s["verdict"])), s.get("reason", ""))
    return t


def coefficient_table(result: Entry) -> Table:
    """The ratios measured / predicted that were expected to be one."""
    series = [s for s in result.get("series", []) if "ratio" in s]
    t, add = judged_table(
        result, series, "Measured over predicted coefficient, at the smallest ε that is evidence",
        "measured/predicted", "expected", "verdict", "reason", numbers="nn..")
    for s in series:
        r = s["ratio"]
        add(s, num(to_its_bar(r["limit"], r["limit_error"])),
            num(f"{plain(r['expected'], 4)} ± {plain(r['within'], 2)}"),
            Cell(badge(r["verdict"])), r["reason"])
    return t


def bound_table(result: Entry) -> Table:
    who = "law, solvers" if len(result.get("laws", [])) > 1 else "solvers"
    t = swept_table(result, "Bounds", who, "claim", "state", "worst at ε", "limit there", "error over limit",
              "reason", numbers="...nnn.")
    for b in result.get("bounds", []):
        t.add(*swept_cells(result, b), pair_words(result, b), b["claim"], Cell(badge(b["state"])),
              num(short(b["worst_epsilon"])), num(scientific(b["limit"])),
              num(plain(b["factor"], 4)), b["reason"])
    return t


def growth_table(result: Entry) -> Table:
    """The claims on the growth of the steps."""
    t = swept_table(result, "Growth of the steps", "law, solver", "steps per decade of ε", "at least", "at most",
              "state", "reason", numbers=".nnn..")
    for g in result.get("growth", []):
        t.add(*swept_cells(result, g), f"{g['law']}, {g['compliant_solver']}", num(plain(g["growth"])),
              num(plain(g["growth_at_least"])), num(plain(g["growth_at_most"])),
              Cell(badge("held" if g["held"] else "not held")), g["reason"])
    return t


def law_table(result: Entry) -> Table:
    t = table("Contact laws", "law", "equations", "ε is", "expected orders", "source")
    for law in result.get("laws", []) if not swept(result) else []:
        t.add(law["name"], Cell(typeset.line(law["equations"])),
              Cell(typeset.line(law["small_parameter"])), Cell(typeset.line(law["expected"])),
              law["source"])
    return t


def parameter_table(result: Entry) -> Table:
    t = table("Parameters of the system", "parameter", "value", "unit", "meaning", numbers=".n..")
    for p in description(result).get("parameters", []):
        t.add(p["name"], num(plain(p["value"])), unit(p["unit"]), p["meaning"])
    return t


def start_table(result: Entry) -> Table:
    """The initial state of both motions, and the rolling force there."""
    t = table("Start", "", "component", "value", "unit", numbers="..n.")
    about = description(result)
    for symbol, name in (("q", "coordinates"), ("v", "velocities")):
        for c in about.get(name, []):
            t.add(symbol, Cell(typeset.line(c["name"])), num(plain(c["start"])), unit(c["unit"]))
    for c, force in zip(about.get("contacts", []), result.get("multiplier_at_start", [])):
        t.add("Λ(0)", f"dual to {c['name']}", num(plain(force)), unit(dual(c["unit"])))
    return t


def toml_value(x: object) -> str:
    """A value of the resolved study as text; of a diagonal matrix only the diagonal."""
    if isinstance(x, bool):
        return "yes" if x else "no"
    if isinstance(x, (int, float)):
        return plain(x)
    if is_diagonal(x):
        inner = ", ".join(toml_value(line[k]) for k, line in enumerate(x))
        return f"diag({inner})" if len(x) > 1 else inner
    if isinstance(x, list):
        inner = ", ".join(toml_value(e) for e in x)
        named = bool(x) and all(isinstance(e, str) for e in x)
        return inner if len(x) == 1 or named else f"({inner})"
    return str(x)


def is_diagonal(x: object) -> bool:
    return (isinstance(x, list) and len(x) > 0
            and all(isinstance(line, list) and len(line) == len(x) for line in x)
            and all(e == 0.0 for k, line in enumerate(x) for i, e in enumerate(line) if i != k))


def range_words(epsilons: list[float]) -> str:
    if not epsilons:
        return "none solved"
    if len(epsilons) == 1:
        return short(epsilons[0])
    return f"{len(epsilons)} values, {short(epsilons[0])} to {short(epsilons[-1])}"


def contact_table(resolved: Entry) -> Table:
    """The contact at ε = 1 and the time scale. Stiffness and damping are per metre of sliding if the
    contact component is a velocity in m/s."""
    t = table("Contact and time", "", "value", "unit", "meaning", numbers=".n..")
    contact, time = resolved.get("contact", {}), resolved.get("time", {})
    for key, symbol, unit_text, meaning in (
            ("stiffness", "C", "N/m", "stiffness at ε = 1"),
            ("damping", "D", "N s/m", "damping at ε = 1"),
            ("damping_ratio", "ζ", "", "damping over critical damping"),
            ("damping_exponent", "β", "", "damping scales with ε to the −β"),
            ("preparation", "η(0)", "", "of the spring at the start"),
            ("deflection", "η(0)", "", "deflection over ε² at the start")):
        if key in contact:
            t.add(symbol, num(toml_value(contact[key])), unit_text, meaning)
    for key, symbol, meaning in (("end", "T", "end of the motion"),
                                 ("after", "t > ", "start of the window \"after\"")):
        if key in time:
            t.add(symbol, num(toml_value(time[key])), "s", meaning)
    return t


def setting_table(resolved: Entry) -> Table:
    """Contact, ε, time and solvers, as in the resolved study."""
    t = table("Contact, ε, time, solvers: all settings", "key", "value")
    for section in ("contact", "epsilon", "time", "solvers"):
        for key, value in resolved.get(section, {}).items():
            if isinstance(value, dict):
                for inner, x in value.items():
                    t.add(f"{section}.{key}.{inner}", toml_value(x))
            elif section == "epsilon" and isinstance(value, list) and len(value) > 1:
                t.add("epsilon", range_words(value))
            else:
                t.add(f"{section}.{key}", toml_value(value))
    return t


def error_tables(result: Entry, errors: pd.DataFrame) -> list[tuple[str, list[Table]]]:
    """Name, errors and coefficients of each pair of solvers, norm and window."""
    found = []
    for key, rows in errors.groupby([*swept(result), *PAIR, "norm", "window"], sort=False):
        entry = dict(zip([*swept(result), *PAIR], key))
        point = "".join(f"{name} = {plain(entry[column]) if known(entry[column]) else entry[column]}, "
                        for column, name in swept(result).items())
        name = f"{point}{pair_words(result, entry)}: {key[-2]} norm, {window_words(result, key[-1])}"
        lines = {epsilon: {r["quantity"]: r for r in line.to_dict("records")}
                 for epsilon, line in rows.groupby("epsilon", sort=False)}
        tables = [one_error_table(name, lines)]
        if rows["ratio"].astype(float).notna().any():
            tables.append(one_ratio_table(name, lines))
        found.append((name, tables))
    return found


def one_error_table(name: str, lines: dict[float, dict[str, Entry]]) -> Table:
    t = table(f"Model error ± the larger of solver and reference error; {name}", "ε", "q error",
              "order", "v error", "order", "λ error", "order", "steps", "flags",
              numbers="nnnnnnnn.")
    for epsilon, line in lines.items():
        cells: list[Cell | str] = [num(scientific(epsilon))]
        flags: list[str] = []
        for quantity, symbol in SYMBOLS.items():
            r = line.get(quantity, {"status": "ok"})
            bars = [r.get("solver_error"), r.get("reference_error")]
            bar = max(bars) if all(known(x) for x in bars) else None
            cells += [num(with_bar(r.get("model_error"), bar)), num(order(r.get("order")))]
            if r["status"] != "ok":
                failed = str(r["status"]).startswith("failed")
                flags.append(r["status"] if failed else f"{symbol} {r['status']}")
        steps = next(iter(line.values()))["steps"]
        t.add(*cells, num(count(steps)), ", ".join(dict.fromkeys(flags)))
    return t


def one_ratio_table(name: str, lines: dict[float, dict[str, Entry]]) -> Table:
    t = table(f"Predicted coefficient K, and measured over predicted; {name}", "ε",
              "K of q", "ratio", "K of v", "ratio", "K of λ", "ratio", numbers="nnnnnnn")
    for epsilon, line in lines.items():
        cells = [num(scientific(epsilon))]
        for quantity in SYMBOLS:
            r = line.get(quantity, {})
            cells += [num(plain(r.get("predicted_coefficient"))),
                      num(to_its_bar(r.get("ratio"), r.get("ratio_error")))]
        t.add(*cells)
    return t


def rigid_table(result: Entry) -> Table:
    t = swept_table(result, "The rigid motion against an independent one: largest distances over [0, T]",
              "solver", "compared with", "q", "v", "Λ", "‖G v‖, m/s", "energy error, J",
              "kinetic energy, J", "steps", "outcome", numbers="..nnnnnnn.")
    for r in result.get("rigid", []):
        solver = r["solver"] + ("" if r["multiplier_in_error_test"] else " *")
        t.add(*swept_cells(result, r), solver, r["reference"], *[num(scientific(r[k], 3)) for k in (
            "q_error", "v_error", "lambda_error", "drift", "energy_error", "energy_scale")],
            num(count(r["work"]["steps"])), Cell(badge(r["outcome"])))
    return t


def energy_table(result: Entry) -> Table:
    t = swept_table(result, "Energy balance of the compliant motion up to T, in joule", "law", "solver",
              "ε", "mechanical", "spring", "work", "damper", "unaccounted", numbers="..nnnnnn")
    for e in result.get("energy", []):
        t.add(*swept_cells(result, e), e["law"], e["compliant_solver"], num(short(e["epsilon"])),
              *[num(scientific(e[k])) for k in ("mechanical", "spring", "work", "damper")],
              num(scientific(e["unaccounted"], 2)))
    return t


def failure_table(result: Entry) -> Table:
    t = swept_table(result, "Solves that did not reach the end", "law", "solver", "ε", "tolerances", "outcome",
              "message", "last t, s", "last step, s", numbers="..n...nn")
    for f in result.get("failures", []):
        t.add(*swept_cells(result, f), f["law"], f["compliant_solver"], num(short(f["epsilon"])),
              "tighter" if f["tighter"] else "the study's", Cell(badge("failed: " + f["outcome"])),
              f["message"], num(plain(f["t_reached"], 4)), num(scientific(f["last_step"], 2)))
    return t


def work_table(solves: pd.DataFrame) -> Table:
    """The cost of every compliant solve of the plan."""
    t = table("Work of the compliant solves", "law", "solver", "ε", "rtol", "outcome", "steps",
              "rejected", "f", "Jacobians", "factorisations", "Newton", "time",
              numbers="..nn.nnnnnnn")
    for _, s in solves[solves["kind"] == "compliant"].iterrows():
        t.add(str(s["law"]), str(s["solver"]), num(short(s["epsilon"])),
              num(scientific(s["rtol"], 1)), Cell(badge(str(s["outcome"]))),
              *[num(count(s[k])) for k in WORK], num(duration(s["seconds"])))
    return t
