"""An experiment on a real Slurm: after kills, a lost node and a time limit, the same script completes it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))

from slurm import NODES, Slurm, private_slurm  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = Path(os.environ.get("RIGIDLIMIT_PROGRAM", ROOT / "build/release/src/rigidlimit"))
EXPERIMENT = ROOT / "experiments/damping/knife_edge_damping.toml"
NAME = "knife_edge_damping"
SHRINK = ("--set", "epsilon.count=3")
PARTS = 16

# The first run of three parts fails: SIGKILL in part 3, a solver that hangs in part 7 until Slurm continues and ends
# it at its time limit, a lost node in part 11.
FAULTY = """#!/bin/bash
part=$SLURM_ARRAY_TASK_ID
if [[ ! -e {place}/ran-$part ]]; then
  echo "$SLURMD_NODENAME" >{place}/ran-$part
  case $part in
    3) {program} "$@" & sleep 0.05; kill -KILL $!; wait $!; exit ;;
    7) trap '' TERM; {program} "$@" & kill -STOP $!; wait $!; exit ;;
    11) exec sleep 100 ;;
  esac
fi
exec {program} "$@"
"""


@pytest.fixture
def slurm() -> Iterator[Slurm]:
    with private_slurm() as one:
        yield one


def rigidlimit(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([PROGRAM, *arguments], cwd=folder, text=True, capture_output=True,
                          timeout=120, check=False)


def tables(folder: Path) -> dict[str, bytes]:
    """The files of results, without the stores."""
    return {path.name: path.read_bytes() for path in (folder / "results" / NAME).iterdir()
            if path.is_file() and not path.name.startswith("results.db")}


def submitted(slurm: Slurm, folder: Path) -> tuple[str, str]:
    """The jobs of the array and of the merge."""
    text = slurm.run("bash", "job.sh", folder=folder)
    merge = re.search(r"\d+", text)
    assert merge, text
    after = re.search(r"afterany:(\d+)", slurm.facts(merge[0])["Dependency"])
    assert after
    return after[1], merge[0]


def test_same_script_completes_an_array_after_kills_a_lost_node_and_a_time_limit(
        slurm: Slurm, tmp_path: Path) -> None:
    whole, cluster = tmp_path / "whole", slurm.place / "cluster"
    whole.mkdir()
    cluster.mkdir()
    single = rigidlimit(whole, "run", str(EXPERIMENT), *SHRINK, "--jobs", "1", "--quiet")
    assert single.returncode in (0, 1), single.stderr
    printed = rigidlimit(cluster, "slurm", str(EXPERIMENT), *SHRINK, "--parts", str(PARTS), "--mem", "500M")
    assert printed.returncode == 0, printed.stderr
    faulty = slurm.place / "faulty"
    faulty.write_text(FAULTY.format(place=cluster, program=PROGRAM))
    faulty.chmod(0o755)
    local = slurm.place / "local"
    local.mkdir()
    slurm.environment["TMPDIR"] = str(local)
    assert f"exec {PROGRAM.resolve()} run" in printed.stdout
    (cluster / "job.sh").write_text(printed.stdout.replace(f"exec {PROGRAM.resolve()}", f"exec {faulty}"))

    array, merge = submitted(slurm, cluster)
    slurm.wait(lambda: (cluster / "ran-7").exists(), 30)
    slurm.run("scontrol", "update", f"jobid={array}_7", "timelimit=1")
    slurm.wait(lambda: (cluster / "ran-11").exists(), 30)
    slurm.wait(lambda: set(slurm.queue()) <= {f"{array}_7", f"{array}_11", merge}, 90)
    node = (cluster / "ran-11").read_text().strip()
    assert node in NODES
    also_lost = (cluster / "ran-7").read_text().strip() == node
    slurm.kill_node(node)
    slurm.wait(lambda: "DOWN" in slurm.run("sinfo", "-hn", node, "-o", "%T").upper(), 60)
    slurm.start_node(node)
    slurm.wait(lambda: not slurm.queue(), 150)

    assert slurm.facts(f"{array}_3")["ExitCode"] == "137:0"
    assert slurm.facts(f"{array}_7")["JobState"] in (("NODE_FAIL", "TIMEOUT") if also_lost else ("TIMEOUT",))
    shards = cluster / "results" / NAME / "shards"
    assert slurm.facts(f"{array}_11")["JobState"] == "NODE_FAIL"
    before = {path.name for path in shards.iterdir()}
    assert not {"3-of-16.db", "11-of-16.db"} & before
    assert len(before) in (PARTS - 3, PARTS - 2), "the others are complete, part 7 perhaps"
    # Negative control: the merge of the incomplete set fails and writes no tables.
    assert slurm.facts(merge)["ExitCode"] == "2:0"
    again = rigidlimit(cluster, "merge", f"results/{NAME}")
    assert again.returncode == 2
    missing = re.search(r"(\d+) of (\d+) solves", again.stderr)
    assert missing
    assert 0 < int(missing[1]) < int(missing[2])
    assert tables(cluster) == {}

    array, merge = submitted(slurm, cluster)
    slurm.wait(lambda: not slurm.queue(), 60)
    assert slurm.facts(merge)["ExitCode"] == f"{single.returncode}:0"
    assert slurm.facts(merge)["JobState"] == ("FAILED" if single.returncode else "COMPLETED")
    new = sum(int(re.findall(r"has \d+ solves, (\d+) of them new", log.read_text())[-1])
              for log in cluster.glob(f"slurm-{array}_*.out"))
    assert new == int(missing[1]), "only missing solves are computed"
    assert tables(cluster) == tables(whole)
    assert "errors.csv" in tables(whole)
    assert not list(shards.glob(".*")), "no hidden copy stays"
