"""experiments/README.md: every experiment by folder, with its question and result.

The program supplies the question (`list studies --format json`) and the number of solves (`run --dry-run`); the golden
file of the same commit supplies the result.
"""

from __future__ import annotations

import json
import re
import subprocess
import tempfile
from pathlib import Path

from golden import records
from golden.program import EXPERIMENTS, ROOT
from golden.records import CorpusError, Record

INDEX = EXPERIMENTS / "README.md"

FOLDERS = {
    "convergence": "Every system in the default regime: orders 2, 1, 0, and the predicted constants?",
    "prediction": "Are the errors those that the expansion predicts?",
    "sensitivity": "Do the derivatives of the motions converge, with respect to the start and to parameters?",
    "published": "Do the systems of published benchmarks converge? Their numbers: "
                 "[docs/published.md](../docs/published.md)",
    "damping": "How does the damping change the orders and the errors?",
    "start": "How do a sliding start and a loaded spring change the orders?",
    "joints": "How far does a soft joint give way ([docs/joints.md](../docs/joints.md))?",
    "realisation": "Which contacts realise rolling, and for how long?",
    "friction": "Contacts that slip and roll",
    "impacts": "Contacts that strike, bounce and rest",
    "surfaces": "Belts, plates, tables and rings that move "
                "([docs/surfaces.md](../docs/surfaces.md))",
    "benchmarks": "How much does each method cost?",
}

HEAD = """\
# Experiments

`scripts/golden index` writes this page, and a test fails if the page is out of date. *Held* is the number of claims
(orders, ratios, bounds, steps, facts of the history) that held in the golden file of this commit
([tests/golden](../tests/golden/README.md)). `scripts/golden compare` computes them again. A benchmark makes no
claims. *Solves* counts the solves of the pair with an empty store. `rigidlimit run --dry-run FILE` estimates
their time on a machine once some are done; the corpus stores no times.

[systems/](systems) contains systems as text files, and [bases/](bases) shared settings
([docs/studies.md](../docs/studies.md#a-base)).
"""


def claims_of(record: Record) -> list[bool]:
    """Whether each claim held. An order and a ratio of one series are two claims, as the program counts them."""
    held: list[bool] = []
    for name in ("series", "friction_series", "bounds", "growth", "claims"):
        if table := record.tables.get(name):
            for column in ("held", "ratio.held"):
                held += [fact for fact in table.columns.get(column, []) if isinstance(fact, bool)]
    return held


def outcome_of(record: Record) -> str:
    held = claims_of(record)
    (status,) = record.tables["outcome"].columns["exit_status"]
    if not held:
        return "no claims" if status == 0 else "failed"
    if (status == 0) != all(held):
        raise CorpusError(f"{record.experiment}: exit status {status}, but {held.count(False)} claims did not "
                          "hold: the index lacks a kind of claim")
    return f"{held.count(True)} of {len(held)}"


def said(program: Path, *words: str | Path) -> str:
    done = subprocess.run([program.resolve(), *words], cwd=ROOT, capture_output=True, text=True, check=False,
                          stdin=subprocess.DEVNULL)
    if done.returncode:
        raise CorpusError(f"{' '.join(map(str, words[:2]))}: status {done.returncode}: {done.stderr.strip()}")
    return done.stdout


def cell(text: str) -> str:
    return text.replace("|", r"\|")


def index_text(program: Path, corpus: Path) -> str:
    """The text of experiments/README.md. CorpusError if a file cannot be read, is outside the folders of
    FOLDERS, or has no golden file."""
    listed = json.loads(said(program, "list", "studies", "--format", "json"))["studies"]
    if broken := [one for one in listed if one["fault"]]:
        raise CorpusError(f"{broken[0]['file']}: {broken[0]['fault']}")
    with tempfile.TemporaryDirectory() as nothing_kept:
        plan = said(program, "run", "--dry-run", "--results", nothing_kept, *(one["file"] for one in listed))
    solves = dict(re.findall(r"^(\S+): (\d+) solves$", plan, re.MULTILINE))
    rows: dict[str, list[str]] = {folder: [] for folder in FOLDERS}
    for one in listed:
        file = Path(one["file"]).relative_to("experiments")
        if file.parent.name not in FOLDERS:
            raise CorpusError(f"{one['file']}: not in a folder of the index "
                              "(tests/golden/golden/index.py)")
        record = records.read(corpus / f"{file.stem}{records.ENDING}")
        rows[file.parent.name].append(
            f"| [{file.stem}]({file}) | {cell(one['question'])} | {cell(one['system'])} | "
            f"{outcome_of(record)} | {solves.get(one['name'], '')} |")
    parts = [HEAD]
    for folder, about in FOLDERS.items():
        parts.append(f"\n## {folder}\n\n{about}\n\n| experiment | question | system | held | solves |\n"
                     "| --- | --- | --- | --- | ---: |\n" + "\n".join(rows[folder]) + "\n")
    return "".join(parts)
