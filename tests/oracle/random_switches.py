"""Random friction studies with jumps in t, q and v, and with thin contacts, against an own event-driven motion.

    python tests/oracle/random_switches.py --seed 1 --count 300 --first 0 --program PATH --keep DIR

Each study (switch_cases.py) runs through `rigidlimit run`. Its files are compared with the own motion
(switch_motions.py). Each finding has a kind:

    events   the rigid motion has other events, or they have another order
    time     the time of a rigid event is off by more than its bar
    state    q or v of the rigid motion is off by more than its bar at a sample
    missed   a compliant motion does not touch a ridge first where the rigid motion does
    coarse   the bar of the rigid motion is above 1e-7, in SI units
    unheld   a claim that each right motion fulfils, such as the balance of energy, is not held
    failed   the rigid motion or a compliant row ends early
    refused  the program refuses the study (exit status 2), or ends otherwise

The first four are wrong beyond bars. The rows of events have no bar of their own: the bar of a time is that of q and v
divided by the rate of the function whose zero is the event. The command prints the counts by kind of study, also when
it is interrupted, and its exit status is 1 after a finding.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from math import isfinite
from pathlib import Path
from typing import Any

import numpy as np
from oracle_tables import PROGRAM
from random_studies import lines
from switch_cases import KINDS, Case, random_switches
from switch_motions import Event, Opening

WRONG = ("events", "time", "state", "missed")
OTHER = ("coarse", "unheld", "failed", "refused")
OWN = 1e-10     # accuracy of the own motion: q, v and times; test_random_switches.py compares it with closed forms
COARSE = 1e-7
CONTACT = {"impact", "touch", "detachment", "stick", "slip", "reversal"}

Rows = list[dict[str, str]]


@dataclass
class Output:
    """The part of a result that is compared. `samples` are t, q and v of the rigid motion."""

    events: list[tuple[float, str]]
    samples: list[tuple[float, np.ndarray]]
    q_error: float
    v_error: float
    first_impacts: list[tuple[float, float, float]] = field(default_factory=list)  # eps, t, solver error
    unheld: list[str] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)


@dataclass
class Finding:
    kind: str
    text: str


@dataclass
class Verdict:
    kind: str
    findings: list[Finding]
    text: str

    def has(self, kinds: Sequence[str]) -> bool:
        return any(one.kind in kinds for one in self.findings)


def run(program: Path, study: Path, seconds: float) -> tuple[int | None, str, Path]:
    """Exit status (None: out of time), last words, and folder of the results."""
    results = study.parent / "results"
    words = [str(program), "run", str(study), "--results", str(results), "--jobs", "1", "--format", "json"]
    try:
        done = subprocess.run(words, capture_output=True, text=True, check=False, timeout=seconds, cwd=study.parent)
    except subprocess.TimeoutExpired:
        return None, "time limit", results
    return done.returncode, (done.stderr.strip() or done.stdout)[-300:], results / study.stem


def table(folder: Path, name: str) -> Rows:
    with (folder / f"{name}.csv").open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


def number(value: object) -> float:
    """A number of the JSON; null stands for nan."""
    return float(value) if isinstance(value, (int, float)) else float("nan")


def read(folder: Path, case: Case) -> Output:
    """The files that the program wrote for a case."""
    result: dict[str, Any] = json.loads((folder / "result.json").read_text(encoding="utf-8"))
    result = result[0] if isinstance(result, list) else result
    rigid, n = result["rigid"], len(case.setting.names)
    columns = [f"{word}{i + 1}" for word in "qv" for i in range(n)]
    samples = [(float(row["t"]), np.array([float(row[one]) for one in columns]))
               for row in table(folder, "motions") if row["motion"] == "rigid"]
    events = [(float(row["t"]), row["kind"]) for row in table(folder, "events") if row["kind"] in CONTACT]
    if isinstance(case.setting.contact, Opening):   # its friction is 0, and slipping has no meaning
        events = [one for one in events if one[1] in ("impact", "touch", "detachment")]
    impacts = [(float(row["epsilon"]), float(row["t"]), float(row["solver_error"]))
               for row in table(folder, "event_times") if row["event"] == "0" and row["kind"] == "impact"]
    unheld = [f"{one['name']}: {one['message']}" for one in result["claims"] if not one["held"]]
    failed = [f"rigid motion: {rigid['outcome']} {rigid['message']}"] if rigid["outcome"] != "success" else []
    failed += [f"eps = {one['epsilon']}: {one['outcome']} {one['message']}" for one in result["solves"]
               if one["outcome"] != "success"]
    return Output(events, samples, number(rigid["q_error"]), number(rigid["v_error"]), impacts, unheld, failed)


def time_bar(event: Event, output: Output) -> float:
    """Of a zero of a function of q and v, whose gradient is at most 10 in these studies."""
    return OWN + 10.0 * (output.q_error + output.v_error) / event.speed


def event_findings(case: Case, output: Output) -> list[Finding]:
    own = case.events()
    if [one.kind for one in own] != [kind for _, kind in output.events]:
        ours = ", ".join(f"{one.kind} {one.t:.9f}" for one in own)
        theirs = ", ".join(f"{kind} {t:.9f}" for t, kind in output.events)
        return [Finding("events", f"own: {ours or 'none'}; program: {theirs or 'none'}")]
    return [Finding("time", f"{one.kind}: own {one.t:.12f}, program {t:.12f}, off by {abs(t - one.t):.1e}, bar "
                            f"{time_bar(one, output):.1e}")
            for one, (t, _) in zip(own, output.events) if not abs(t - one.t) <= time_bar(one, output)]


def state_finding(case: Case, output: Output) -> list[Finding]:
    """The sample that is furthest beyond its bar. v at an impact depends on the side, and is left out there."""
    worst, found = 1.0, list[Finding]()
    impacts = [one for one in case.motion.events if one.kind == "impact"]
    n = len(case.setting.names)
    for t, state in output.samples:
        distance = np.abs(state - case.motion.at(t))
        near = any(abs(t - one.t) <= time_bar(one, output) + 1e-9 for one in impacts)
        for name, off, bar in (("q", distance[:n].max(), output.q_error),
                               ("v", 0.0 if near else distance[n:].max(), output.v_error)):
            ratio = off / (bar + OWN)
            if not ratio <= worst:
                worst = ratio
                found = [Finding("state", f"{name} at t = {t:.6g}: off by {off:.1e}, bar {bar:.1e}")]
    return found


def impact_findings(case: Case, output: Output) -> list[Finding]:
    """The first touch, before any contact force: at each eps that of the rigid motion."""
    own = case.events()
    if case.kind not in ("ridge", "corner") or not own or own[0].kind != "impact":
        return []
    return [Finding("missed", f"first impact at eps = {epsilon:g}: own {own[0].t:.9f}, program {t:.9f}")
            for epsilon, t, error in output.first_impacts
            if not abs(t - own[0].t) <= 1e-8 / min(1.0, own[0].speed) + (error if isfinite(error) else 0.0)]


def compare(case: Case, output: Output) -> list[Finding]:
    found = [*event_findings(case, output), *state_finding(case, output), *impact_findings(case, output)]
    if not max(output.q_error, output.v_error) <= COARSE:
        found.append(Finding("coarse", f"bars: q {output.q_error:.1e}, v {output.v_error:.1e}"))
    found += [Finding("unheld", one) for one in output.unheld]
    return found + [Finding("failed", one) for one in output.failed]


def judge(program: Path, case: Case, folder: Path, seconds: float) -> Verdict:
    study = folder / f"{case.name}.toml"
    study.write_text(case.text(), encoding="utf-8")
    status, words, results = run(program, study, seconds)
    if status in (0, 1) and (results / "result.json").exists():
        return Verdict(case.kind, compare(case, read(results, case)), case.text())
    return Verdict(case.kind, [Finding("refused", f"exit status {status}: {words}")], case.text())


def tables(verdicts: Sequence[Verdict]) -> str:
    """Studies with findings, by kind of study and kind of finding."""
    rows = []
    for name in (*KINDS, "all"):
        group = [one for one in verdicts if name in (one.kind, "all")]
        if group:
            rows.append([name, len(group), sum(not one.findings for one in group), sum(one.has(WRONG) for one in group),
                         *(sum(one.has([kind]) for one in group) for kind in (*WRONG, *OTHER))])
    return lines(["kind", "studies", "right", "wrong", *WRONG, *OTHER], rows)


def kinds_of(verdicts: Sequence[Verdict]) -> Counter[str]:
    """Counts of findings by kind."""
    return Counter(finding.kind for one in verdicts for finding in one.findings)


def show(name: str, verdict: Verdict, seconds: float, folder: Path | None) -> None:
    """Prints the findings of a study, and keeps a study that has some."""
    print(f"{name} ({verdict.kind}): {len(verdict.findings)} findings, {seconds:.1f} s", file=sys.stderr)
    for one in verdict.findings:
        print(f"{name} ({verdict.kind}): {one.kind}: {one.text}", flush=True)
    if verdict.findings and folder:
        folder.mkdir(parents=True, exist_ok=True)
        comments = "".join(f"# {one.kind}: {' '.join(one.text.split())}\n" for one in verdict.findings)
        (folder / f"{name}.toml").write_text(comments + verdict.text, encoding="utf-8")


def main() -> int:
    parser = argparse.ArgumentParser(description="Random friction studies with jumps against own motions.")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--first", type=int, default=0, help="index of the first study")
    parser.add_argument("--program", type=Path, default=PROGRAM)
    parser.add_argument("--seconds", type=float, default=60.0, help="time limit of one study")
    parser.add_argument("--keep", type=Path, help="folder for the studies with findings")
    arguments = parser.parse_args()
    verdicts: list[Verdict] = []
    for one in (signal.SIGINT, signal.SIGTERM):
        signal.signal(one, signal.default_int_handler)
    try:
        with tempfile.TemporaryDirectory() as folder:
            for index in range(arguments.first, arguments.first + arguments.count):
                begin = time.monotonic()
                case = random_switches(arguments.seed, index)
                verdicts.append(judge(arguments.program.resolve(), case, Path(folder), arguments.seconds))
                show(f"switches_{arguments.seed}_{index}", verdicts[-1], time.monotonic() - begin, arguments.keep)
    except KeyboardInterrupt:
        print("interrupted: the table has the studies so far", file=sys.stderr)
    print(tables(verdicts))
    return int(any(verdict.findings for verdict in verdicts))


if __name__ == "__main__":
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    sys.exit(main())
