"""`rigidlimit help output` names every file that a run writes."""

import os
import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = Path(os.environ.get("RIGIDLIMIT_PROGRAM", ROOT / "build/release/src/rigidlimit"))
HELP = (ROOT / "docs/help.md").read_text(encoding="utf-8")

RUNS = [
    ["knife_edge"],
    ["knife_edge_steps"],
    ["knife_edge", "--set", "solvers.certified=true", "--set", "epsilon.count=4"],
    ["realisations", "--set", "epsilon.count=4"],
    ["wheel_slip_to_roll"],
    ["knife_edge_damping", "--set", "epsilon.count=4", "--set", "sweep.contact.damping_ratio=[0.5, 1.0, 2.0]"],
    ["order_reduction", "--quick"],
    ["contact_work_precision", "--quick"],
    ["cost_epsilon", "--quick"],
]


def named(topic: str) -> set[str]:
    """The files that a text names: "result.json, .md" are result.json and result.md."""
    files, stem = set(), ""
    for word in re.findall(r"[a-z_]*\.[a-z]+(?:\.lock)?|study/", topic):
        stem = word.split(".")[0] or stem
        files.add(word if word.endswith("/") else f"{stem}.{word.split('.', 1)[1]}")
    return files


def written(arguments: list[str], folder: Path) -> set[str]:
    done = subprocess.run([PROGRAM, "run", *arguments, "--quiet"], cwd=folder, check=False, capture_output=True)
    assert done.returncode in (0, 1), done.stderr
    result = next((folder / "results").iterdir())
    return {one.name + "/" * one.is_dir() for one in result.iterdir() if not one.name.startswith(".")}


@pytest.mark.parametrize("arguments", RUNS, ids=" ".join)
def test_every_file_of_a_run_is_named(arguments: list[str], tmp_path: Path) -> None:
    topic = HELP[HELP.index("## output:"):HELP.index("## exit-status:")]
    files = written(arguments, tmp_path)
    assert len(files) > 8 and files <= named(topic), files - named(topic)
    assert not files <= named(topic.replace("errors.csv", "")), "negative control"
