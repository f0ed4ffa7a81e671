"""Runs experiments and reads their tables.

This is the only part that depends on the current verbs, files and column names. Change it with them: read a
table from another file, or rename a column (RENAMED); the golden files stay unchanged.
"""

from __future__ import annotations

import csv
import dataclasses
import hashlib
import json
import platform
import re
import subprocess
import tomllib
from pathlib import Path

from golden import rules
from golden.records import CorpusError, Record, Table, Value

ROOT = Path(__file__).resolve().parents[3]
EXPERIMENTS = ROOT / "experiments"
PARTS = ("bases", "systems")  # folders of files that studies include

# The sweep of convergence/knife_edge_steps.toml with other systems and more solvers, without claims.
COUNTED = [
    "solvers.compliant=['radau_iia_7','radau_iia','cvode_bdf','rosenbrock4']",
    "epsilon.values=[1e-2,1e-4,1e-6,1e-8]", "solvers.rtol=1e-12", "solvers.atol=1e-14",
    "solvers.max_steps=20000", "time.grid='end'", "expect=[]", "bound=[]",
    "sweep.solvers.formulation=['natural','adapted']"]
STEPS = {f"{name}_steps": (f"convergence/{name}.toml", COUNTED)
         for name in ("chaplygin_sleigh", "rolling_disk")}

# Overrides of benchmarks: no times, and no cases that take an hour. Omitted are the largest trains, runs of
# 100 000 steps, most tolerances, half the ε of the order reduction, and the ring modulator (its reference
# alone takes minutes).
BENCH = {
    "chain": ["problem=[{chain=[1,3,10,30],epsilon=[0.0,1e-3],end=1.0}]"],
    "classical_work_precision": [
        "tolerance.rtol=[1e-3,1e-6]", "limit.steps=5000",
        "problem=[{classical='prothero_robinson'},{classical='kaps'},{classical='van_der_pol'},"
        "{classical='robertson'},{classical='hires'},{classical='orego'},{classical='e5'},"
        "{classical='pollution'}]"],
    "contact_work_precision": ["tolerance.rtol=[1e-4,1e-8]", "limit.steps=2000"],
    "cost_epsilon": ["limit.steps=2000"],
    "order_reduction": [
        "problem=[{study='../convergence/knife_edge.toml',epsilon=[1e-1,1e-3,1e-6],formulations=['natural','adapted']}]"]}

# Long experiments, shortened to seconds for the short comparison; their claims need not hold.
SHORTENED: dict[str, tuple[str, list[str]]] = {
    "knife_edge_seven_decades.short": (
        "knife_edge_seven_decades",
        ["epsilon.values=[1e-2,1e-5]", "time.end=0.6", "time.samples=21", "solvers.rtol=1e-18",
         "solvers.atol=1e-20"]),
    "realisations.short": ("realisations", ["epsilon.count=3", "time.samples=101"]),
    "knife_edge_damping.short": (
        "knife_edge_damping",
        ["sweep.contact.damping_ratio=[0.5,1.0,2.0]", "sweep.contact.damping_exponent=[1.0,1.5]",
         "epsilon.count=3", "time.samples=101"]),
    "knife_edge_plane.short": ("knife_edge_plane", ["epsilon.count=3", "sweep.contact.damping.count=3"]),
    "two_point_ball.short": ("two_point_ball", ["sweep.system.half_angle=[0.7]", "time.samples=11"]),
    **{f"{name}.short": (name, ["--quick"])
       for name in ("chain", "classical_work_precision", "contact_work_precision", "cost_epsilon",
                    "order_reduction")}}

# Cheap experiments that the short comparison runs unchanged.
SHORT = {
    "chaplygin_sleigh", "chaplygin_sleigh_composite", "epicyclic_gear_prediction", "knife_edge",
    "knife_edge_beta_2", "knife_edge_prediction", "knife_edge_steps", "nonholonomic_particle_prediction",
    "race_roller_prediction", "rolling_coin_prediction", "rolling_disk_prediction",
    "turntable_ball_prediction", "two_blade_dumbbell_prediction", "v_groove_ball_prediction", "wheel",
    "wheel_prediction",
    "ball_one_side", "bouncing_ball_plastic", "curb_corner_spin", "curb_kappa", "curb_upward_plastic",
    "sphere_slip", "spinning_disk", "wheel_creeps", "wheel_slip_euler", "wheel_slip_to_roll",
    "wheel_slips_for_ever", "wheel_uphill"}

# Current name of a column: its name in the golden files.
RENAMED: dict[str, dict[str, str]] = {}


@dataclasses.dataclass(frozen=True)
class Experiment:
    name: str  # of its golden file
    kind: str
    file: str  # below ROOT
    overrides: tuple[str, ...] = ()  # of values of the file; words that begin with -- are options
    short: bool = False  # is part of the short comparison


def kind_of(path: Path) -> str:
    with path.open("rb") as stream:
        tables = tomllib.load(stream)  # bases contain no benchmark and no sweep
    if "benchmark" in tables:
        return "bench"
    if "sweep" in tables:  # of both kinds of studies
        return "sweep"
    return "friction" if path.parent.name in ("friction", "impacts") else "smooth"


def all_experiments() -> dict[str, Experiment]:
    """All files of experiments/ except systems and bases, the sweeps of STEPS, and the shortened ones; by name."""
    found = {}
    for path in sorted(EXPERIMENTS.rglob("*.toml")):
        if path.parent in [EXPERIMENTS / part for part in PARTS]:
            continue
        file, name, kind = str(path.relative_to(ROOT)), path.stem, kind_of(path)
        if name in found:
            raise CorpusError(f"{file}: {found[name].file} has the same name, so both would share a golden file")
        overrides = ("timing.repeats=0", *BENCH.get(name, [])) if kind == "bench" else ()
        found[name] = Experiment(name, kind, file, overrides, name in SHORT)
    for name, (file, overrides) in STEPS.items():
        found[name] = Experiment(name, "sweep", f"experiments/{file}", tuple(overrides))
    for name, (whole_name, overrides) in SHORTENED.items():
        whole = found[whole_name]
        before = whole.overrides[:1] if whole.kind == "bench" else whole.overrides
        found[name] = Experiment(name, whole.kind, whole.file, (*before, *overrides), True)
    return found


@dataclasses.dataclass(frozen=True)
class Program:
    path: Path
    work: Path  # has one folder of results per experiment
    jobs: int = 1  # parallel solves

    def __post_init__(self) -> None:
        if not self.path.is_file():
            raise CorpusError(f"{self.path}: no such program (scripts/test builds "
                              "build/release/src/rigidlimit; --program selects another)")

    def identity(self) -> str:
        return hashlib.sha256(self.path.read_bytes()).hexdigest()

    def run(self, experiment: Experiment, resume: bool = False) -> Record:
        """Runs an experiment and reads its tables. With `resume` the tables of a finished run of the same
        program and files are reused, and an unfinished run continues."""
        place = self.work / experiment.name
        mark = place / "finished.json"
        stamp = {"program": self.identity(), "with": list(experiment.overrides),
                 "files": hashlib.sha256(b"".join(p.read_bytes() for p in
                                                  sorted(EXPERIMENTS.rglob("*.toml")))).hexdigest()}
        if resume and (done := finished(mark)) and all(done.get(k) == v for k, v in stamp.items()):
            return self.record(experiment, place, done["status"])
        mark.unlink(missing_ok=True)
        if not resume:
            remove(place)
        place.mkdir(parents=True, exist_ok=True)
        status = self.solve(experiment, place)
        if status in (0, 1):  # before reading, so that errors in reading can be fixed without solving
            mark.write_text(json.dumps(stamp | {"status": status}))
        return self.record(experiment, place, status)

    def platform(self) -> dict[str, str]:
        """Properties that affect the bits of results: compiler, libraries and the variant of libm."""
        said = subprocess.run([self.path.resolve(), "--version"], capture_output=True, text=True, check=False)
        if said.returncode:
            raise CorpusError(f"{self.path} --version: status {said.returncode}: {said.stderr.strip()}")
        pairs = (line.strip().split(": ", 1) for line in said.stdout.splitlines() if ": " in line)
        return {name: text for name, text in pairs
                if name in ("compiler", "flags", "sundials", "boost", "eigen")} | {"libm": libm()}

    def solve(self, experiment: Experiment, place: Path) -> int:
        command = [self.path.resolve(), "run", ROOT / experiment.file]
        for override in experiment.overrides:
            command += [override] if override.startswith("--") else ["--set", override]
        command += ["--quiet", "--results", place.resolve(), "--jobs", str(self.jobs)]
        with (place / "said.txt").open("w") as said:
            return subprocess.run(command, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                  stderr=said, check=False).returncode

    def record(self, experiment: Experiment, place: Path, status: int) -> Record:
        """Reads the results of a run in `place`."""
        folders = [p for p in place.iterdir() if p.is_dir()]
        if len(folders) != 1:
            said = (place / "said.txt").read_text(errors="replace").strip().splitlines()
            raise CorpusError(f"{experiment.name}: the program ended with status {status} and wrote no "
                              f"tables{': ' + said[-1] if said else ''}")
        folder = folders[0]
        content = one_json(folder)
        tables = READERS[experiment.kind](folder, content)
        outcome = {"exit_status": [status]}
        outcome |= {key: [content[key]] for key in OUTCOME if key in content}
        tables["outcome"] = Table(outcome)
        known = rules.all_tables()
        return Record(experiment.name, experiment.kind, experiment.file, list(experiment.overrides),
                      self.platform(),
                      {name: known[name].typed(renamed(name, table)) for name, table in tables.items()})


OUTCOME = ("held", "interrupted", "against", "no_prediction")


def finished(mark: Path) -> dict | None:
    try:
        return json.loads(mark.read_text())
    except (OSError, ValueError):
        return None


def remove(place: Path) -> None:
    """Removes the results of an earlier run; folders without said.txt stay."""
    if not (place / "said.txt").exists():
        return
    for path in sorted(place.rglob("*"), reverse=True):
        path.rmdir() if path.is_dir() else path.unlink()


def renamed(name: str, table: Table) -> Table:
    names = RENAMED.get(name, {})
    return Table({names.get(column, column): values for column, values in table.columns.items()})


# --- tables of the current program --------------------------------------------------------------------------


def one_json(folder: Path) -> dict:
    path = folder / "result.json"
    if not path.exists():
        raise CorpusError(f"{folder}: no JSON of a result")
    return json.loads(path.read_text(encoding="utf-8"))


def from_csv(path: Path) -> Table:
    with path.open(newline="", encoding="utf-8") as stream:
        rows = list(csv.reader(stream))
    return Table({name: [row[k] for row in rows[1:]] for k, name in enumerate(rows[0])})


def flat(entry: dict, before: str = "") -> dict[str, Value]:
    """{"law": {"friction": x}} as {"law.friction": x}; entries of lists are numbered from 1."""
    cells: dict[str, Value] = {}
    for key, value in entry.items():
        name = before + key
        if isinstance(value, list):
            value = {str(k): v for k, v in enumerate(value, 1)}
        cells |= flat(value, f"{name}.") if isinstance(value, dict) else {name: value}
    return cells


def from_json(entries: list) -> Table:
    """One row per entry; missing values are null."""
    rows = [flat(e if isinstance(e, dict) else {"value": e}) for e in entries]
    names = list(dict.fromkeys(name for row in rows for name in row))
    return Table({name: [row.get(name) for row in rows] for name in names})


def numbered(table: Table, name: str = "number") -> Table:
    return Table({name: list(range(1, len(table) + 1)), **table.columns})


def lengths(table: Table, key: list[str]) -> Table:
    """The number of rows with each key."""
    counts: dict[tuple, int] = {}
    for values in zip(*(table.columns[name] for name in key)):
        counts[values] = counts.get(values, 0) + 1
    columns = {name: [values[k] for values in counts] for k, name in enumerate(key)}
    return Table({**columns, "rows": list(counts.values())})


# Only with claims on steps or time.grid = "end", and of a study with [ensemble].
OPTIONAL = ("steps", "growth", "ensemble", "ensemble_orders", "ensemble_bounds")


def smooth_tables(folder: Path, content: dict) -> dict[str, Table]:
    tables = {name: from_json(content[entries]) for name, entries in (
        ("errors", "errors"), ("series", "series"), ("rigid", "rigid"), ("energy", "energy"),
        ("bounds", "bounds"), ("failures", "failures"))}
    tables["start_forces"] = numbered(from_json(content.get("multiplier_at_start", [])))
    return tables | {name: from_json(content[name]) for name in OPTIONAL if content.get(name)}


def friction_tables(folder: Path, content: dict) -> dict[str, Table]:
    rigid = {k: v for k, v in content["rigid"].items() if k not in ("moreau_jean", "known_event_times")}
    motions = from_csv(folder / "motions.csv")
    tables = {
        "friction_rigid": from_json([rigid]),
        "known_event_times": numbered(from_json(content["rigid"]["known_event_times"])),
        "friction_stepping": from_json(content["rigid"]["moreau_jean"]),
        "friction_series": from_json(content["series"]),
        "friction_solves": from_json(content["solves"]),
        "inequality": from_json(content["inequality"]),
        "claims": numbered(from_json([
            {"claim": one["name"], "held": one["held"], "found": one["message"].removeprefix("found ")}
            for one in content["claims"] if one["group"] == "claims"])),
        "events": from_csv(folder / "events.csv"),
        "event_times": from_csv(folder / "event_times.csv"),
        "friction_errors": from_csv(folder / "errors.csv"),
        "motions": motions,
        "motion_lengths": lengths(motions, ["motion", "tangential_power", "solver", "epsilon"]),
    }
    if (folder / "step_events.csv").exists():
        tables["stepping_events"] = lengths(from_csv(folder / "step_events.csv"), ["step", "kind"])
    return tables


def at_point(entry: dict) -> dict:
    """The entry with its swept values as one text."""
    point = ", ".join(f"{key} = {value}" for key, value in entry.get("swept", {}).items())
    return {"point": point, **{key: value for key, value in entry.items() if key != "swept"}}


def sweep_tables(folder: Path, content: dict) -> dict[str, Table]:
    """Of a sweep of rolling studies; of friction, points and modes."""
    counts = [name for name in (*OPTIONAL, "modes") if content.get(name)]
    of_rolling = ("errors", "rigid") if content.get("kind") != "friction" else ()
    tables = {name: from_json([at_point(entry) for entry in content.get(name, [])]) for name in (
        "points", "series", "energy", "bounds", "failures", "least", *of_rolling, *counts)}
    return {"errors": Table({}), "rigid": Table({}), **tables}


def bench_tables(folder: Path, content: dict) -> dict[str, Table]:
    tables = {"trials": from_csv(folder / "errors.csv"), "references": from_json(content["references"])}
    published = from_json(content["published"])
    return {**tables, "published": published} if len(published) else tables


READERS = {"smooth": smooth_tables, "friction": friction_tables, "sweep": sweep_tables, "bench": bench_tables}


def libm() -> str:
    """The variant of libm: glibc selects sin, exp and pow by the features of the processor."""
    try:
        flags = re.search(r"^flags\s*:(.*)$", Path("/proc/cpuinfo").read_text(), re.MULTILINE)
    except OSError:
        flags = None
    can = [f for f in ("fma", "avx2") if flags and f in flags[1].split()]
    return " ".join([*platform.libc_ver(), platform.machine(), *can])
