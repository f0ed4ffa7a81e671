"""scripts/golden: make, compare and show golden files."""

from __future__ import annotations

import argparse
import concurrent.futures
import dataclasses
import math
import os
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from golden import comparison, constants, figures, index, records, rules
from golden.comparison import BITS, BOUNDS, ColumnReport, Demand, RecordReport
from golden.program import ROOT, Experiment, Program, all_experiments
from golden.records import CorpusError, Record

CORPUS = Path(__file__).resolve().parents[1] / "corpus"
ACCEPTED = Path(__file__).resolve().parents[1] / "accepted.md"
AGREES, DIFFERS, COULD_NOT = 0, 1, 2

ABOUT = """\
Compares the results of the program with the golden values in tests/golden/corpus: rows with all digits,
verdicts, events, exit status, counts of steps and evaluations of all experiments.

  scripts/golden compare --short         a few experiments of each kind, as in scripts/test
  scripts/golden compare                 all experiments: five minutes on two idle cores
  scripts/golden compare knife_edge      one experiment, or a pattern: 'curb_*'
  scripts/golden show knife_edge errors  a golden table
  scripts/golden list                    names, kinds, sizes
  scripts/golden index                   writes experiments/README.md
  scripts/golden figures                 writes the numbers of docs/findings.md
  scripts/golden constants               writes docs/constants.md
  scripts/golden make knife_edge --because 'CVODE asks for fewer Jacobians'

Numbers and counts must agree bit for bit if compiler, libraries and libm are those of the golden file;
otherwise they must be within the bounds of tests/golden/columns.toml. See tests/golden/README.md."""

EXITS = "Exit status: 0 all agree or are made; 1 a value differs, or a golden file or experiment is missing; 2 error."


def main(arguments: list[str] | None = None) -> int:
    options = parser().parse_args(arguments)
    try:
        return options.command(options)
    except CorpusError as error:
        print(f"golden: {error}", file=sys.stderr)
        return COULD_NOT
    except KeyboardInterrupt:
        print("golden: interrupted; the same command with --resume continues", file=sys.stderr)
        return 130


def parser() -> argparse.ArgumentParser:
    top = argparse.ArgumentParser(prog="scripts/golden", description=ABOUT, epilog=EXITS,
                                  formatter_class=argparse.RawDescriptionHelpFormatter)
    verbs = top.add_subparsers(required=True, metavar="COMMAND")

    def verb(name: str, command: Callable, about: str, names: str) -> argparse.ArgumentParser:
        one = verbs.add_parser(name, help=about, description=about, epilog=EXITS,
                               formatter_class=argparse.RawDescriptionHelpFormatter)
        one.set_defaults(command=command)
        one.add_argument("names", nargs="*", metavar="NAME", help=names)
        return one

    some = "experiments by name or pattern (default: all)"
    compare = verb("compare", compare_command, "run experiments and compare them with their golden files",
                   some)
    make = verb("make", make_command, "run experiments and write their golden files", some)
    for one in (compare, make):
        one.add_argument("--short", action="store_true", help="only cheap or shortened experiments")
        one.add_argument("--program", type=Path, metavar="FILE", default=default_program(),
                         help="default: $RIGIDLIMIT_PROGRAM, or build/release/src/rigidlimit")
        one.add_argument("--work", type=Path, metavar="DIR", default=ROOT / "build/golden",
                         help="folder for the program's results (default: build/golden)")
        one.add_argument("--jobs", type=whole, metavar="N", default=os.cpu_count() or 1,
                         help="experiments run in parallel (default: the number of cores)")
        one.add_argument("--resume", action="store_true",
                         help="reuse results of an earlier call with the same program and the same files")
    group = compare.add_mutually_exclusive_group()
    group.add_argument("--bits", dest="demand", action="store_const", const=BITS,
                       help="require equal bits on any platform")
    group.add_argument("--bounds", dest="demand", action="store_const", const=BOUNDS,
                       help="require only the bounds, even on the platform of the golden files")
    group.add_argument("--relative", dest="demand", metavar="R", type=relative,
                       help="require numbers within a relative R, and equal counts")
    compare.add_argument("--all-columns", action="store_true", help="also show columns that agree")
    make.add_argument("--because", metavar="REASON", default="",
                      help="the reason for changed values, added to tests/golden/accepted.md")
    show = verb("show", show_command, "print golden files",
                "an experiment, then any of its tables (default: list the tables)")
    show.add_argument("--rows", type=whole, metavar="N", default=20, help="rows of a table (default: 20)")
    verb("list", list_command, "list the experiments and their golden files", some)
    table = verb("index", index_command, "write experiments/README.md: all experiments with question and result",
                 argparse.SUPPRESS)
    table.add_argument("--program", type=Path, metavar="FILE", default=default_program(),
                       help="default: $RIGIDLIMIT_PROGRAM, or build/release/src/rigidlimit")
    table.add_argument("--check", action="store_true", help="write nothing; exit status 1 if it differs")
    pages = verb("figures", figures_command, "write the numbers of docs/{findings,theory}.md from the golden files",
                 argparse.SUPPRESS)
    pages.add_argument("--check", action="store_true", help="write nothing; exit status 1 if they differ")
    listed = verb("constants", constants_command, "write docs/constants.md: orders and constants of all studies",
                  argparse.SUPPRESS)
    listed.add_argument("--check", action="store_true", help="write nothing; exit status 1 if it differs")
    return top


def whole(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"'{text}' is not a positive integer")
    return int(text)


def relative(text: str) -> Demand:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not 0.0 < value < 1.0:
        raise argparse.ArgumentTypeError(f"'{text}' is not a number between 0 and 1")
    return comparison.within(value)


def default_program() -> Path:
    return Path(os.environ.get("RIGIDLIMIT_PROGRAM", ROOT / "build/release/src/rigidlimit"))


# --- the experiments of a call -------------------------------------------------------------------------


def chosen(names: list[str], short: bool = False) -> list[Experiment]:
    """The selected experiments, in order; CorpusError if a name matches none."""
    every = all_experiments()
    wanted = [e for e in every.values() if e.short or not short]
    if not names:
        return wanted
    found: dict[str, Experiment] = {}
    for name in names:
        fitting = {e.name: e for e in wanted if Path(e.name).match(name)}
        if not fitting:
            raise CorpusError(f"no experiment {name}{' in the short comparison' if short else ''}; "
                              "scripts/golden list names all")
        found |= fitting
    return list(found.values())


def golden_file(name: str) -> Path:
    return CORPUS / f"{name}{records.ENDING}"


def without_other_half(every: dict[str, Experiment]) -> list[str]:
    """Experiments without a golden file, golden files without an experiment."""
    kept = {p.name.removesuffix(records.ENDING) for p in CORPUS.glob(f"*{records.ENDING}")}
    return [f"{name} ({every[name].file}) has no golden file: a new experiment? "
            f"scripts/golden make {name}" for name in every if name not in kept] + [
        f"{golden_file(name).relative_to(ROOT)}: its experiment is missing; if that is intended, git rm it "
        "and add a line to tests/golden/accepted.md" for name in sorted(kept - set(every))]


def outcomes(options: argparse.Namespace, experiments: list[Experiment]
             ) -> Iterator[tuple[Experiment, Record | CorpusError]]:
    """Runs experiments in parallel and yields results in their order."""
    program = Program(options.program, options.work)

    def one(experiment: Experiment) -> Record | CorpusError:
        try:
            return program.run(experiment, options.resume)
        except CorpusError as error:
            return error

    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        running = [(e, pool.submit(one, e)) for e in experiments]
        try:
            for experiment, future in running:
                yield experiment, future.result()
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


# --- compare -------------------------------------------------------------------------------------------


def demand_of(golden: Record, found: Record, asked: Demand | None) -> Demand:
    return asked or (BITS if golden.platform == found.platform else BOUNDS)


def compare_command(options: argparse.Namespace) -> int:
    experiments = chosen(options.names, options.short)
    failures = without_other_half(all_experiments()) if not (options.names or options.short) else []
    reports, could_not = [], []
    started = time.monotonic()
    for experiment, found in outcomes(options, [e for e in experiments if golden_file(e.name).exists()]):
        if isinstance(found, CorpusError):
            could_not.append(str(found))
            continue
        golden = records.read(golden_file(experiment.name))
        report = comparison.compared(golden, found, demand_of(golden, found, options.demand))
        reports.append(report)
        if not report.agrees or options.all_columns:
            print(text_of(report, golden, found, options.all_columns), flush=True)
    if options.names or options.short:
        failures += [f"{e.name} has no golden file: scripts/golden make {e.name}"
                     for e in experiments if not golden_file(e.name).exists()]
    print(summary(reports))
    for line in failures + could_not:
        print(f"golden: {line}", file=sys.stderr)
    differing = sum(not r.agrees for r in reports)
    print(f"{len(reports)} compared in {time.monotonic() - started:.0f} s: "
          f"{len(reports) - differing} agree, {differing} differ"
          + (f", {len(could_not)} could not be run" if could_not else "")
          + (f", {len(failures)} without a golden file or an experiment" if failures else ""))
    return COULD_NOT if could_not else DIFFERS if differing or failures else AGREES


def text_of(report: RecordReport, golden: Record, found: Record, every_column: bool) -> str:
    """The differences by table and column."""
    lines = [f"{report.experiment} ({found.file}), {report.demand} required: "
             f"{'agrees' if report.agrees else 'DIFFERS'}"]
    lines += [f"  {name}: golden {golden.platform.get(name)!r}, here {found.platform.get(name)!r}"
              for name in sorted(golden.platform.keys() | found.platform.keys())
              if golden.platform.get(name) != found.platform.get(name)]
    lines += [f"  table {name} is missing" for name in report.lost]
    lines += [f"  table {name} is new: not compared" for name in report.new]
    for table in report.tables:
        for what, names in (("rows are missing", table.missing), ("rows are new", table.extra),
                            ("columns are missing", table.lost),
                            ("columns are new, not compared", table.new)):
            if names:
                shown = "; ".join(names[:3]) + ("; ..." if len(names) > 3 else "")
                lines.append(f"  {table.table}: {len(names)} {what}: {shown}")
    columns = [c for c in report.columns if c.differing or every_column]
    if columns:
        lines.append(aligned(["table", "column", "kind", "cells", "differ", "refused", "relative", "ulps",
                              "of bound", "golden", "found", "at"], [column_cells(c) for c in columns],
                             left={0, 1, 2, 11}, indent="  "))
    return "\n".join(lines) + "\n"


def column_cells(column: ColumnReport) -> list[str]:
    cells = [column.table, column.column, column.kind, str(column.cells), str(column.differing),
             str(column.beyond)]
    if (worst := column.worst) is None:
        return cells + ["-"] * 6
    return cells + [number(worst.relative), "-" if worst.ulps is None else number(worst.ulps),
                    number(worst.fraction) if math.isfinite(worst.fraction) else "-",
                    value(worst.golden), value(worst.found), worst.where or "-"]


def number(x: float) -> str:
    if isinstance(x, int):
        return str(x) if x < 100000 else f"{x:.1e}"
    return "-" if math.isnan(x) else f"{x:.1e}"


def value(x: records.Value) -> str:
    text = "none" if x is None else repr(x) if isinstance(x, float) else str(x)
    return text if len(text) <= 28 else text[:25] + "..."


def summary(reports: list[RecordReport]) -> str:
    rows = []
    for r in reports:
        worst = r.worst
        rows.append([r.experiment, r.kind, str(sum(t.rows for t in r.tables)),
                     str(sum(c.cells for c in r.columns)), str(r.demand),
                     str(sum(c.differing for c in r.columns if c.kind != rules.WORDS)),
                     str(sum(c.beyond for c in r.columns)),
                     f"{worst.table}.{worst.column}" if worst else "-",
                     number(worst.worst.relative) if worst else "-",
                     number(worst.worst.fraction) if worst and math.isfinite(worst.worst.fraction) else "-",
                     "agrees" if r.agrees else "DIFFERS"])
    return aligned(["experiment", "kind", "rows", "cells", "asked", "differ", "refused", "worst column",
                    "relative", "of bound", ""], rows, left={0, 1, 4, 7, 10})


def aligned(header: list[str], rows: list[list[str]], left: set[int], indent: str = "") -> str:
    widths = [max(len(row[k]) for row in [header, *rows]) for k in range(len(header))]
    return "\n".join(
        (indent + "  ".join(cell.ljust(w) if k in left else cell.rjust(w)
                            for k, (cell, w) in enumerate(zip(row, widths)))).rstrip()
        for row in [header, ["-" * w for w in widths], *rows])


# --- make ----------------------------------------------------------------------------------------------


def make_command(options: argparse.Namespace) -> int:
    status = AGREES
    for experiment, found in outcomes(options, chosen(options.names, options.short)):
        try:
            if isinstance(found, CorpusError):
                raise found
            print(made(experiment, found, options.because), flush=True)
        except CorpusError as error:
            print(f"golden: {error}", file=sys.stderr)
            status = COULD_NOT
    return status


def made(experiment: Experiment, found: Record, because: str) -> str:
    """Writes the golden file if values differ, and the reason to accepted.md. Returns a message."""
    known = rules.all_tables()
    for name, table in found.tables.items():
        if unruled := known[name].unruled(table):
            raise CorpusError(f"{experiment.name}: {name}: no rule for {', '.join(unruled)}: "
                              "add their kind to tests/golden/columns.toml")
    path = golden_file(experiment.name)
    thinned = dataclasses.replace(found, tables={
        name: comparison.sampled(table, known[name]) for name, table in found.tables.items()})
    if not path.exists():
        records.write(thinned, path)
        return f"{experiment.name}: made, {path.stat().st_size} bytes"
    golden = records.read(path)
    if records.text_of(golden) == records.text_of(thinned):
        return f"{experiment.name}: unchanged"
    changes = changes_of(comparison.compared(golden, found, BITS))
    if changes and not because:
        raise CorpusError(f"{experiment.name}: values differ ({changes}); --because 'REASON' accepts them, "
                          f"scripts/golden compare {experiment.name} --resume shows them")
    records.write(thinned, path)
    if changes:
        accept(f"* `{experiment.name}`: {' '.join(because.split())} ({changes})")
    return f"{experiment.name}: updated ({changes or 'the same values'}), {path.stat().st_size} bytes"


def changes_of(report: RecordReport) -> str:
    """A summary by table: "errors: work.steps 26, order 3 by 1e-05; 2 rows less"."""
    parts = [f"table {name} gone" for name in report.lost] + [f"table {name} new" for name in report.new]
    for table in report.tables:
        said = [f"{c.column} {c.differing}" + ("" if math.isnan(c.worst.relative) else
                                               f" by {c.worst.relative:.0e}")
                for c in table.columns if c.differing]
        said += [f"{len(names)} {what}" for names, what in (
            (table.missing, "rows less"), (table.extra, "rows more"), (table.lost, "columns less"),
            (table.new, "columns more")) if names]
        if said:
            parts.append(f"{table.table}: {', '.join(said)}")
    return "; ".join(parts)


def accept(line: str) -> None:
    with ACCEPTED.open("a", encoding="utf-8") as file:
        file.write(line + "\n")


# --- pages --------------------------------------------------------------------------------------------


def index_command(options: argparse.Namespace) -> int:
    return page_written(index.INDEX, index.index_text(options.program, CORPUS), "index", options.check)


def constants_command(options: argparse.Namespace) -> int:
    return page_written(constants.PAGE, constants.page_text(CORPUS), "constants", options.check)


def page_written(page: Path, text: str, verb: str, check: bool) -> int:
    """Writes a generated page, or with `check` only compares it."""
    if page.exists() and page.read_text(encoding="utf-8") == text:
        print(f"{page.relative_to(ROOT)}: up to date")
        return AGREES
    if check:
        print(f"{page.relative_to(ROOT)} is out of date: scripts/golden {verb} writes it", file=sys.stderr)
        return DIFFERS
    page.write_text(text, encoding="utf-8")
    print(f"{page.relative_to(ROOT)}: written")
    return AGREES


# --- show, list ----------------------------------------------------------------------------------------


def figures_command(options: argparse.Namespace) -> int:
    status = AGREES
    for page in figures.PAGES:
        before = page.read_text(encoding="utf-8")
        try:
            text = figures.page_text(before, figures.Corpus(CORPUS))
        except CorpusError as error:
            raise CorpusError(f"{page.relative_to(ROOT)}: {error}") from None
        if text != before and options.check:
            print(f"golden: {page.relative_to(ROOT)} is out of date; run scripts/golden figures", file=sys.stderr)
            status = DIFFERS
        elif text != before:
            page.write_text(text, encoding="utf-8")
            print(f"written: {page.relative_to(ROOT)}")
    return status


def show_command(options: argparse.Namespace) -> int:
    if not options.names:
        raise CorpusError("show needs an experiment; scripts/golden list names all")
    name, *tables = options.names
    if not golden_file(name).exists():
        raise CorpusError(f"no golden file of {name}; scripts/golden list names all")
    record = records.read(golden_file(name))
    if not tables:
        head = [["kind", record.kind], ["file", record.file], *([["with", o] for o in record.overrides]),
                *([k, v] for k, v in record.platform.items())]
        print("\n".join(f"{key:10} {text}" for key, text in head) + "\n")
        print(aligned(["table", "rows", "columns"],
                      [[n, str(len(t)), " ".join(t.columns)] for n, t in record.tables.items()], left={0, 2}))
    for table in tables:
        if table not in record.tables:
            raise CorpusError(f"{name} has no table {table}, but {', '.join(record.tables)}")
        shown = record.tables[table]
        rows = [["none" if column[i] is None else str(column[i]) for column in shown.columns.values()]
                for i in range(min(len(shown), options.rows))]
        print(aligned(list(shown.columns), rows, left=set()))
        if len(shown) > options.rows:
            print(f"... {len(shown) - options.rows} more rows (--rows {len(shown)})")
    return AGREES


def list_command(options: argparse.Namespace) -> int:
    rows = []
    for e in chosen(options.names):
        path = golden_file(e.name)
        kept = path.exists()
        record = records.read(path) if kept else None
        rows.append([e.name, e.kind, "short" if e.short else "", str(record.cells()) if record else "-",
                     str(path.stat().st_size) if kept else "no golden file",
                     " ".join([e.file, *e.overrides])])
    print(aligned(["experiment", "kind", "", "cells", "bytes", "file"], rows, left={0, 1, 2, 5}))
    print(f"{len(rows)} experiments, "
          f"{sum(p.stat().st_size for p in CORPUS.glob(f'*{records.ENDING}'))} bytes")
    return AGREES
