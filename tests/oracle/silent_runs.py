"""Random commands of the program: when does each say its first word, and what does one say that takes long?

    python tests/oracle/silent_runs.py --seed 1 --count 60 --program PATH

A command is `run`, `check`, `prove`, `stiffness` or `expand` of a shipped experiment with random values of contact,
epsilons, times and solvers, and sometimes a sweep. Its CPU time is read while it runs. After --most CPU seconds (60) it
is interrupted. The command prints a line for each run, and ends with status 1 if

    a run says nothing for 30 CPU seconds after its start,
    a run beyond --most has said no line of progress, or
    a run does not end within 10 CPU seconds of the interrupt.
"""

from __future__ import annotations

import argparse
import os
import random
import selectors
import shlex
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("convergence", "prediction", "friction", "impacts", "damping", "surfaces", "start", "sensitivity")
FIRST_WORD, AFTER_INTERRUPT = 30.0, 10.0  # CPU seconds
TICKS = os.sysconf("SC_CLK_TCK")


@dataclass
class Outcome:
    """CPU seconds until the first word, in all, and after the interrupt (0: none)."""

    first: float | None
    total: float
    after: float
    status: int | None
    last: str

    def faults(self, most: float) -> list[str]:
        silent = self.first is None or self.first > FIRST_WORD
        return [*(["silent"] if silent and self.total > FIRST_WORD else []),
                *(["no progress"] if self.total > most and not self.last else []),
                *(["not interrupted"] if self.after > AFTER_INTERRUPT or self.status is None else []),
                *(["crashed"] if self.status is not None and self.status not in (0, 1, 2, 130) else [])]


def random_command(rng: random.Random, files: list[Path]) -> list[str]:
    """The words of a command, without the program."""
    file = rng.choice(files)
    slips = file.parent.name in ("friction", "impacts")
    command = rng.choice(["run", "check"] if slips else ["run", "run", "run", "check", "prove", "stiffness", "expand"])
    words = [command, str(file)]

    def put(text: str) -> None:
        words.extend(["--set", text])
    if command == "expand":
        return words
    if command == "stiffness":
        return [*words, "--error", f"q={10 ** rng.uniform(-6, -2):.2g}"]
    if rng.random() < 0.5:
        put(f"contact.damping_ratio={rng.choice([0.3, 0.7, 1.0, 1.5, 4.0])}")
    if rng.random() < 0.5:
        put(f"time.end={rng.choice([0.2, 1.0, 3.0, 10.0])}")
    if rng.random() < 0.3:
        put(f"time.samples={rng.choice([11, 101, 4001])}")
    if rng.random() < 0.3:
        put(f"solvers.rtol={rng.choice(['1e-6', '1e-9', '1e-12'])}")
    if command in ("run", "check") and not slips and rng.random() < 0.2:
        put("solvers.certified=true")
    if command in ("run", "check") and rng.random() < 0.15:
        put("sweep.contact.damping_ratio=[0.5,1.0,2.0]")
    return words


def cpu_of(process: int) -> float:
    """CPU seconds of a process and its ended children; 0 if it is gone."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return sum(map(int, fields[11:15])) / TICKS


def outcome_of(command: list[str], folder: Path, most: float) -> Outcome:
    process = subprocess.Popen(command, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                               stderr=subprocess.PIPE, preexec_fn=answer_interrupts)
    assert process.stderr is not None
    os.set_blocking(process.stderr.fileno(), False)
    waiting = selectors.DefaultSelector()
    waiting.register(process.stderr, selectors.EVENT_READ)
    first, total, interrupted, text = None, 0.0, None, ""
    while process.poll() is None:
        time.sleep(0.05)
        if waiting.select(0) and (more := process.stderr.read()):
            text += more.decode(errors="replace")
            first = cpu_of(process.pid) if first is None else first
        total = max(total, cpu_of(process.pid))
        if interrupted is None and total > most:
            process.send_signal(signal.SIGINT)
            interrupted = total
        if interrupted is not None and total - interrupted > 3 * AFTER_INTERRUPT:
            process.kill()
            process.wait()
            return Outcome(first, total, total - interrupted, None, last_line(text))
    return Outcome(first, total, 0.0 if interrupted is None else total - interrupted, process.returncode, last_line(text))


def answer_interrupts() -> None:
    """A shell starts background jobs with SIGINT ignored, which children keep."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def last_line(text: str) -> str:
    lines = [line for line in text.splitlines() if line.strip()]
    return lines[-1] if lines else ""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--most", type=float, default=60.0, help="CPU seconds of a run")
    parser.add_argument("--program", default=str(ROOT / "build/release/src/rigidlimit"))
    options = parser.parse_args()
    files = sorted(file for folder in FOLDERS for file in (ROOT / "experiments" / folder).glob("*.toml"))
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        for k in range(options.count):
            words = random_command(random.Random(f"{options.seed} {k}"), files)
            found = outcome_of([options.program, *words], Path(folder), options.most)
            faults = found.faults(options.most)
            wrong += bool(faults)
            first = "-" if found.first is None else f"{found.first:.1f}"
            print(f"{k:3}  {found.total:6.1f} s  first {first:>5}  after {found.after:4.1f}  status {found.status}  "
                  f"{' '.join(faults) or 'fine'}  {shlex.join(words).replace(str(ROOT) + '/', '')}", flush=True)
            if found.total > options.most:
                print(f"       said: {found.last[:150]}", flush=True)
    print(f"{options.count} runs, {wrong} with a fault")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
