"""Random studies against the proofs of the program: no theorem may contradict an own solve.

    python tests/oracle/random_studies.py --seed 1 --count 300 --program PATH

Each study runs through `rigidlimit prove`, and every third one through `rigidlimit run` with certified rows. An own
solve of both motions (oracle_pair.py) then tests each statement of the program:

    theorem           K_low eps^2 - K3 eps^3 <= sup |error| <= K_high eps^2 + K3 eps^3 at some eps <= eps0
    claim             a proved one holds, and a refuted one fails, on its interval of eps
    exit status       0 only if the program calls all claims of the file proved
    certified row     proved_lower <= |error| <= proved_upper
    gate of `run`     a bound or an expectation that it calls held agrees with the own errors

A study without a rigid motion has no theorem, so that each theorem is a violation. The command prints counts by kind of
study and by kind of claim, also when it is interrupted. Its exit status is 1 if it finds a violation.
"""

from __future__ import annotations

import argparse
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
from math import isfinite, log
from pathlib import Path
from typing import Any

from oracle_tables import OWN, PROGRAM
from random_cases import KINDS, Case, Claim, Slipping, Sweep, random_case, random_slipping, random_sweep

Record = dict[str, Any]
STATES = ("proved", "refuted", "open", "dropped")


@dataclass
class Answer:
    """Output of one command of the program. `status` is None if the time ran out."""

    status: int | None
    document: Record
    message: str

    def records(self, name: str) -> list[Record]:
        found = self.document.get(name, [])
        return found if isinstance(found, list) else []


@dataclass
class Verdict:
    """Counts and violations of one study."""

    kind: str
    outcome: str = "open"  # proved, refused, open or timeout: of `prove`
    theorems: int = 0
    unchecked: int = 0  # theorems for eps below the reach of own solves
    claims: Counter[tuple[str, str]] = field(default_factory=Counter)  # by option and state
    rows: int = 0  # certified
    gates: int = 0  # claims that `run` calls held
    violations: list[str] = field(default_factory=list)
    violated_options: list[str] = field(default_factory=list)
    text: str = ""


def ask(program: Path, study: Path, command: str, seconds: float, *options: str) -> Answer:
    """Runs a command on a study and reads its JSON; results go to the folder of the study."""
    words = [str(program), command, str(study), "--format", "json", *options]
    if command == "run":
        words += ["--results", str(study.parent / "results"), "--jobs", "1"]
    try:
        done = subprocess.run(words, capture_output=True, text=True, check=False, timeout=seconds, cwd=study.parent)
    except subprocess.TimeoutExpired:
        return Answer(None, {}, "time limit")
    try:
        result = json.loads(done.stdout)
    except json.JSONDecodeError:
        result = {}
    return Answer(done.returncode, result, done.stderr.strip())


def tolerance(quantity: str, size: float) -> float:
    """Accuracy of an own error, in its unit: that of the solves, and 1e-8 for the place of a maximum."""
    return OWN.get(quantity, OWN["q"]) + 1e-8 * abs(size)


def epsilons_below(case: Case, largest: float) -> list[float]:
    """Three eps of (0, largest], without those below the reach of own solves."""
    return [e for e in (largest, 0.3 * largest, 0.1 * largest) if e >= 0.99 * case.least]


def theorem_violations(case: Case, theorem: Record) -> list[str]:
    """Own errors outside K eps^2 +- K3 eps^3, and theorems about a motion that does not exist."""
    name = f"theorem of {theorem['quantity']} {theorem['norm']} {theorem['window']}"
    if case.rigid is None:
        return [f"{name}: no rigid motion exists"]
    if case.foreign and case.kind != "laws":
        return [f"{name}: {case.foreign}"]
    found = []
    for epsilon in epsilons_below(case, theorem["largest_epsilon"]):
        error = case.error(epsilon, theorem["quantity"], theorem["norm"], theorem["window"])
        rest = theorem["remainder"] * epsilon**3 + tolerance(theorem["quantity"], error)
        low, high = (theorem[key] * epsilon**2 for key in ("constant_lower", "constant_upper"))
        if not low - rest <= error <= high + rest:
            found.append(f"{name}: own error {error:.9g} at eps = {epsilon:g}, outside [{low - rest:.9g}, "
                         f"{high + rest:.9g}]")
    return found


def slope(case: Case, claim: Claim) -> float:
    """The order of the own error between two small eps."""
    low, high = (case.error(e, claim.quantity, claim.norm, claim.window) for e in (case.least, 2.0 * case.least))
    return log(high / low) / log(2.0) if low > 0.0 else 0.0


def holds(case: Case, claim: Claim) -> tuple[bool, bool, str]:
    """Whether a claim holds by own errors, whether it fails by them, and the reason; neither if they cannot decide."""
    keys = claim.keys
    if claim.table == "expect":
        order = slope(case, claim)
        reason = f"own order {order:.3f} near eps = {case.least:g}"
        if "convergence" in keys:
            return order < 0.05, order > 0.3, reason
        within, distance = keys.get("within", 0.05), abs(order - keys["order"])
        if abs(keys.get("ratio", 1.0) - 1.0) > 0.1:
            return False, True, f"{reason}, and the ratio {keys['ratio']:g} is wrong"
        return distance < 0.5 * within, distance > within + 0.1, reason
    low, high = claim.interval or (0.0, max(case.epsilons))
    inner = {high, (max(low, case.least) * high)**0.5, max(low, case.least)}
    usable = [e for e in sorted(inner) if max(low, 0.99 * case.least) <= e <= high]
    safe = True
    for epsilon in usable:
        error, limit = case.error(epsilon, claim.quantity, claim.norm, claim.window), claim.limit(epsilon)
        reason = f"own error {error:.6g} at eps = {epsilon:.4g}, limit {limit:.6g}"
        if error > limit + tolerance(claim.quantity, error):
            return False, True, reason
        safe = safe and error < 0.98 * limit
    reason = f"own errors are below the limit at eps = {', '.join(f'{e:.4g}' for e in usable)}"
    if low == 0.0:
        constant = case.error(case.least, claim.quantity, claim.norm, claim.window) / case.least**2
        if slope(case, claim) > 1.5:
            if claim.keys["power"] > 2.0:
                return False, True, f"the own error is {constant:.4g} eps^2, above the limit as eps -> 0"
            safe = safe and (claim.keys["power"] < 2.0 or claim.limit(1.0) > 1.1 * constant)
    return safe and bool(usable), False, reason


def claim_violation(case: Case, claim: Claim, state: str) -> str:
    """The reason why the state of a claim is wrong; empty: own errors agree, or cannot decide."""
    if state not in ("proved", "refuted"):
        return ""
    name = f"{claim.table} {claim.measure} {claim.keys} is {state}"
    if case.rigid is None:
        return f"{name}: no rigid motion exists"
    if case.foreign:
        return f"{name}: {case.foreign}" if state == "proved" else ""
    if "solver_error" in claim.keys:
        return f"{name}: no theorem is about a solver" if state == "proved" else ""
    if claim.quantity not in ("q", "v", "lambda", *case.names):
        return ""
    true, false, reason = holds(case, claim)
    return f"{name}: {reason}" if (state == "proved" and false) or (state == "refuted" and true) else ""


def states_of(claims: Sequence[Claim], judged: Sequence[Record]) -> tuple[list[str], list[str]]:
    """The state of each claim, "dropped" if the program does not list it, and listed claims that the file lacks.

    The claims of a study differ in table and measure, and the text of a listed one begins with its measure. The program
    may list the order and the ratio of an expectation apart: it is proved if both are.
    """
    parts: list[list[str]] = [[] for _ in claims]
    strangers = []
    for record in judged:
        text = record["claim"]
        words = {"expect": ("order", "ratio", "converge", "decrease"), "bound": ("error ≤", "solver")}
        fitting = [i for i, claim in enumerate(claims) if claim.measure in text
                   and any(word in text for word in words[claim.table])
                   and ("solver" in text) == ("solver_error" in claim.keys)]
        if fitting:
            parts[fitting[0]].append(record["state"])
        else:
            strangers.append(text)
    return [combined_state(part) for part in parts], strangers


def combined_state(parts: Sequence[str]) -> str:
    """refuted if one part is, proved if all are, and dropped without parts."""
    if not parts:
        return "dropped"
    return "refuted" if "refuted" in parts else "proved" if set(parts) == {"proved"} else "open"


def judge_proof(case: Case, answer: Answer, verdict: Verdict) -> None:
    """Adds the counts and the violations of `prove`."""
    theorems = [one for one in answer.records("constants") if one.get("status") == "proved"]
    states, strangers = states_of(case.claims, answer.records("claims"))
    verdict.theorems = len(theorems)
    verdict.outcome = ("timeout" if answer.status is None else "proved" if theorems
                       else "refused" if answer.status == 2 and not answer.document else "open")
    for theorem in theorems:
        verdict.unchecked += not epsilons_below(case, theorem["largest_epsilon"])
        verdict.violations += theorem_violations(case, theorem)
    for claim, state in zip(case.claims, states):
        if not answer.document:
            state = "refused"
        verdict.claims[claim.option, state] += 1
        if reason := claim_violation(case, claim, state):
            verdict.violations.append(reason)
            verdict.violated_options.append(claim.option)
    verdict.violations += [f"the file has no claim {text!r}" for text in strangers]
    proved = states.count("proved")
    if answer.status == 0 and proved < len(case.claims):
        verdict.violations.append(f"exit status 0, but {proved} of {len(case.claims)} claims are proved")
    if answer.status == 0 and not theorems:
        verdict.violations.append("exit status 0 without a theorem")
    if answer.status not in (None, 0, 1, 2):
        verdict.violations.append(f"exit status {answer.status}: {answer.message[-200:]}")


def row_violations(case: Case, rows: Sequence[Record]) -> list[str]:
    """Own errors outside [proved_lower, proved_upper] of certified rows, and proved rows without a rigid motion."""
    found = []
    for row in rows:
        name = f"certified row of {row['quantity']} {row['norm']} {row['window']} at eps = {row['epsilon']:g}"
        if case.rigid is None:
            found.append(f"{name}: no rigid motion exists")
        elif row["epsilon"] >= 0.99 * case.least:
            error = case.error(row["epsilon"], row["quantity"], row["norm"], row["window"])
            own = tolerance(row["quantity"], error)
            if not row["proved_lower"] - own <= error <= row["proved_upper"] + own:
                found.append(f"{name}: own error {error:.9g}, outside [{row['proved_lower']:.9g}, "
                             f"{row['proved_upper']:.9g}]")
    return found


def is_proved(row: Record) -> bool:
    """Whether a row has both bounds."""
    return all(isinstance(row.get(key), float) and isfinite(row[key]) for key in ("proved_lower", "proved_upper"))


def judge_rows(case: Case, answer: Answer, verdict: Verdict, for_all: bool) -> None:
    """Adds the certified rows of a run and, if the file has `proved = "all"`, its bounds for all eps."""
    rows = [row for row in answer.records("errors")
            if is_proved(row) and row["quantity"] in OWN and row.get("law", "viscoelastic") == "viscoelastic"]
    verdict.rows += len(rows)
    verdict.violations += row_violations(case, rows)
    bounds = [claim for claim in case.claims if claim.table == "bound"]
    for claim, record in zip(bounds, answer.records("bounds")):
        if for_all and claim.keys.get("proved") == "all" and record.get("held") is True:
            verdict.gates += 1
            if reason := claim_violation(case, claim, "proved"):
                verdict.violations.append(f"run holds it for all eps: {reason}")


def judge_case(program: Path, case: Case, study: Path, certified: bool, seconds: float) -> Verdict:
    """Both commands on one rolling study."""
    verdict = Verdict(case.kind, text=case.text())
    study.write_text(verdict.text)
    judge_proof(case, ask(program, study, "prove", seconds), verdict)
    if certified:
        options = ["--set", f"epsilon.values={case.epsilons[:2]}", "--set", "solvers.certified=true"]
        answer = ask(program, study, "run", seconds, *options)
        for_all = answer.status != 2
        if not for_all and 'proved = "all"' in verdict.text:  # no theorem: the rows may still have bounds
            study.write_text(verdict.text.replace('proved = "all"\n', ""))
            answer = ask(program, study, "run", seconds, *options)
        judge_rows(case, answer, verdict, for_all)
    return verdict


def refusal(program: Path, study: Path, kind: str, word: str, seconds: float) -> Verdict:
    """`prove` of another kind of study: exit status 2, and a message that names the kind."""
    answer = ask(program, study, "prove", seconds)
    verdict = Verdict(kind, "timeout" if answer.status is None else "refused", text=study.read_text())
    if answer.status is not None and (answer.status != 2 or answer.document or word not in answer.message):
        verdict.outcome = "open"
        verdict.violations.append(f"prove does not refuse a {kind} study: {answer.status}, {answer.message[-200:]}")
    return verdict


def judge_sweep(program: Path, sweep: Sweep, study: Path, seconds: float) -> Verdict:
    """`prove` refuses a sweep. `run` gives it the exit status 0 only if all bounds hold at both points and each eps."""
    study.write_text(sweep.text())
    verdict = refusal(program, study, "sweep", "sweep", seconds)
    if ask(program, study, "run", seconds).status == 0:
        for case in sweep.points:
            for claim in case.claims:
                verdict.gates += 1
                low, high = claim.interval or (0.0, max(case.epsilons))
                for epsilon in case.epsilons:
                    error = case.error(epsilon, claim.quantity, claim.norm, claim.window)
                    if low <= epsilon <= high and error > claim.limit(epsilon) + tolerance(claim.quantity, error):
                        verdict.violations.append(f"run holds {claim.measure} {claim.keys}: own error {error:.6g} at "
                                                  f"eps = {epsilon:g}")
    return verdict


def judge_slipping(program: Path, case: Slipping, study: Path, seconds: float) -> Verdict:
    """`prove` refuses a friction study. `run` gives it the exit status 0 only if the errors are at most the limits."""
    study.write_text(case.text())
    verdict = refusal(program, study, "friction", "friction", seconds)
    answer = ask(program, study, "run", seconds)
    if answer.status == 0:
        for claim in case.claims:
            verdict.gates += 1
            for epsilon in case.epsilons:
                error = case.error(epsilon, claim.quantity)
                if error > claim.keys["at_most"] + tolerance(claim.quantity, error):
                    verdict.violations.append(f"run holds {claim.quantity} {claim.keys}: own error {error:.6g} at "
                                              f"eps = {epsilon:g}")
    return verdict


def judge(program: Path, seed: int, index: int, folder: Path, seconds: float = 60.0) -> Verdict:
    """The study (seed, index); its kind follows from the index."""
    kind, study = KINDS[index % len(KINDS)], folder / f"random_{seed}_{index}.toml"
    if kind == "sweep":
        return judge_sweep(program, random_sweep(seed, index), study, seconds)
    if kind == "friction":
        return judge_slipping(program, random_slipping(seed, index), study, seconds)
    return judge_case(program, random_case(seed, index, kind), study, certified=index % 3 == 0, seconds=seconds)


def lines(head: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """A table with columns of equal width."""
    cells = [list(map(str, row)) for row in (head, *rows)]
    widths = [max(map(len, column)) for column in zip(*cells)]
    return "\n".join("  ".join(one.ljust(width) if i == 0 else one.rjust(width)
                               for i, (one, width) in enumerate(zip(row, widths))) for row in cells)


def tables(verdicts: Sequence[Verdict]) -> str:
    """Counts of studies by kind, and of claims by option."""
    kinds = [kind for kind in KINDS if any(one.kind == kind for one in verdicts)]
    rows = []
    for name, group in [*((kind, [one for one in verdicts if one.kind == kind]) for kind in kinds), ("all", verdicts)]:
        outcomes = Counter(one.outcome for one in group)
        rows.append([name, len(group), *(outcomes[key] for key in ("proved", "refused", "open", "timeout")),
                     sum(bool(one.violations) for one in group), sum(one.theorems for one in group),
                     sum(one.unchecked for one in group), sum(one.rows for one in group),
                     sum(one.gates for one in group)])
    claims: Counter[tuple[str, str]] = Counter()
    for verdict in verdicts:
        claims.update(verdict.claims)
    wrong = Counter(option for verdict in verdicts for option in verdict.violated_options)
    options = [[option, *(claims[option, state] for state in (*STATES, "refused")), wrong[option]]
               for option in sorted({option for option, _ in claims})]
    return (lines(["kind", "studies", "proved", "refused", "open", "timeout", "violated", "theorems", "unchecked",
                   "rows", "gates"], rows) + "\n\n"
            + lines(["claim", *STATES, "refused", "violated"], options))


def keep(folder: Path, name: str, verdict: Verdict) -> None:
    """Writes a study with its violations as comments."""
    folder.mkdir(parents=True, exist_ok=True)
    comments = "".join(f"# {line}\n" for line in verdict.violations)
    (folder / f"{name}.toml").write_text(comments + verdict.text)


def show(verdict: Verdict, name: str, seconds: float, folder: Path | None) -> None:
    """Prints the outcome of a study and its violations, and keeps a study that has some."""
    print(f"{name} ({verdict.kind}): {verdict.outcome}, {verdict.theorems} theorems, {len(verdict.violations)} "
          f"violations, {seconds:.1f} s", file=sys.stderr)
    for line in verdict.violations:
        print(f"{name} ({verdict.kind}): {line}", flush=True)
    if verdict.violations and folder:
        keep(folder, name, verdict)


def main() -> int:
    parser = argparse.ArgumentParser(description="Random studies against the proofs of the program.")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--first", type=int, default=0, help="index of the first study")
    parser.add_argument("--program", type=Path, default=PROGRAM)
    parser.add_argument("--seconds", type=float, default=60.0, help="time limit of one command")
    parser.add_argument("--keep", type=Path, help="folder for the studies with violations")
    arguments = parser.parse_args()
    verdicts: list[Verdict] = []
    for one in (signal.SIGINT, signal.SIGTERM):
        signal.signal(one, signal.default_int_handler)
    try:
        with tempfile.TemporaryDirectory() as folder:
            for index in range(arguments.first, arguments.first + arguments.count):
                begin = time.monotonic()
                verdict = judge(arguments.program.resolve(), arguments.seed, index, Path(folder), arguments.seconds)
                verdicts.append(verdict)
                show(verdict, f"random_{arguments.seed}_{index}", time.monotonic() - begin, arguments.keep)
    except KeyboardInterrupt:
        print("interrupted: the tables have the studies so far", file=sys.stderr)
    print(tables(verdicts))
    return int(any(verdict.violations for verdict in verdicts))


if __name__ == "__main__":
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    sys.exit(main())
