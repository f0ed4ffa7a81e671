"""The blocks of docs/cluster.md on a real Slurm: after a killed part and a lost node, the same commands complete it."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))

from slurm import NODES, Slurm, private_slurm  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = Path(os.environ.get("RIGIDLIMIT_PROGRAM", ROOT / "build/release/src/rigidlimit")).absolute()
PAGE = (ROOT / "docs/cluster.md").read_text(encoding="utf-8")
STUDY = f"""base = {json.dumps(str(ROOT / "experiments/damping/knife_edge_damping.toml"))}
[study]
name = "study"
[epsilon]
count = 3
"""
PARTS = 16
COUNT = Path(__file__).with_name("finished_solves.py").resolve()

# The program in the PATH of the nodes. The first run of two parts ends early, with some of their solves in the store:
# the first part by SIGKILL; the second is stopped until the test kills its node. Slices of 20 ms make a part slower than
# the pause between two transactions of its store. A part that ends all the same is repeated.
FAULTY = """#!/bin/bash
part=${{SLURM_ARRAY_TASK_ID:-0}} results=results
[[ "$*" =~ --results\\ ([^ ]+) ]] && results=${{BASH_REMATCH[1]}}
declare -A all=([{killed}]={all_of_killed} [{lost}]={all_of_lost})
if [[ -v all[$part] && ! -e ran-$part ]]; then
  store=$results/study/shards/$part-of-{parts}.db
  {program} "$@" &
  while :; do
    kill -CONT $! || {{ rm -f "$store"; {program} "$@" & }}
    sleep 0.02
    kill -STOP $! || continue
    sleep 0.25
    [[ -e $store-journal ]] || {{ solves=$({finished} "$store") && ((0 < solves && solves < all[$part])) && break; }}
  done 2>/dev/null
  [[ $part == {lost} ]] || kill -KILL $!
  echo "$SLURMD_NODENAME" >ran-$part
  wait $!
  exit
fi
exec {program} "$@"
"""


def blocks(language: str) -> list[str]:
    return [str(text) for text in re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)]


def new_folder(parent: Path, name: str) -> Path:
    (parent / name).mkdir()
    (parent / name / "study.toml").write_text(STUDY)
    return parent / name


def finished(store: Path) -> int:
    """The finished solves in a store; 0 without one."""
    done = subprocess.run([sys.executable, COUNT, store], text=True, capture_output=True, check=False)
    return int(done.stdout or 0)


def store_of(folder: Path, part: int) -> Path:
    return folder / f"results/study/shards/{part}-of-{PARTS}.db"


def tables(folder: Path) -> dict[str, bytes]:
    """The files of results, without the stores."""
    return {path.name: path.read_bytes() for path in (folder / "results/study").iterdir()
            if path.is_file() and not path.name.startswith("results.db")}


@pytest.fixture(scope="module")
def single(tmp_path_factory: pytest.TempPathFactory) -> tuple[int, dict[str, bytes]]:
    """The exit status and the tables of one process."""
    folder = new_folder(tmp_path_factory.mktemp("single"), "study")
    done = subprocess.run([PROGRAM, "run", "study.toml", "--jobs", "1", "--quiet"], cwd=folder, text=True,
                          capture_output=True, timeout=120, check=False)
    assert done.returncode in (0, 1), done.stderr
    assert "errors.csv" in tables(folder)
    return done.returncode, tables(folder)


@pytest.fixture(scope="module")
def largest(tmp_path_factory: pytest.TempPathFactory) -> dict[int, int]:
    """The two parts with the most solves, and the number of their solves."""
    folder = new_folder(tmp_path_factory.mktemp("parts"), "study")
    for part in range(1, PARTS + 1):
        subprocess.run([PROGRAM, "run", "study.toml", "--shard", f"{part}/{PARTS}", "--jobs", "1", "--quiet"], cwd=folder,
                       timeout=120, check=True)
    solves = {part: finished(store_of(folder, part)) for part in range(1, PARTS + 1)}
    return {part: solves[part] for part in sorted(solves, key=lambda part: solves[part])[-2:]}


@pytest.fixture(scope="module")
def slurm(largest: dict[int, int]) -> Iterator[Slurm]:
    with private_slurm() as one:
        programs = one.place / "bin"
        programs.mkdir()
        (killed, all_of_killed), (lost, all_of_lost) = largest.items()
        (programs / "finished").write_text(f"#!/bin/sh\nexec {sys.executable} -IS {COUNT} \"$1\"\n")
        (programs / "rigidlimit").write_text(FAULTY.format(
            killed=killed, all_of_killed=all_of_killed, lost=lost, all_of_lost=all_of_lost, parts=PARTS,
            program=PROGRAM, finished=programs / "finished"))
        for program in programs.iterdir():
            program.chmod(0o755)
        one.environment["PATH"] = f"{programs}:{one.environment['PATH']}"
        yield one


def submitted(slurm: Slurm, folder: Path, commands: str) -> tuple[str, str]:
    """The jobs of the array and of the merge."""
    merge = slurm.run("bash", "-ec", commands, folder=folder).split()[-1]
    after = re.search(r"afterany:(\d+)", slurm.facts(merge)["Dependency"])
    assert after
    return after[1], merge


@pytest.mark.parametrize("disk", ["shared", "local"])
def test_same_commands_complete_a_study_after_a_killed_part_and_a_lost_node(
        disk: str, slurm: Slurm, largest: dict[int, int], single: tuple[int, dict[str, bytes]]) -> None:
    killed, lost = largest
    script, commands, local_lines = blocks("bash")
    cluster, local = new_folder(slurm.place, disk), slurm.place / "tmp"
    if disk == "local":
        script = script.replace(script.splitlines()[-1] + "\n", local_lines)
        slurm.environment["TMPDIR"] = str(local)
        local.mkdir()
    (cluster / "parts.sh").write_text(script)

    array, merge = submitted(slurm, cluster, commands)
    slurm.wait(lambda: (cluster / f"ran-{lost}").exists(), 60)
    slurm.wait(lambda: set(slurm.queue()) <= {f"{array}_{lost}", merge}, 90)
    node = (cluster / f"ran-{lost}").read_text().strip()
    assert node in NODES
    slurm.kill_node(node)
    slurm.wait(lambda: "DOWN" in slurm.run("sinfo", "-hn", node, "-o", "%T").upper(), 60)
    slurm.start_node(node)
    slurm.wait(lambda: not slurm.queue(), 60)
    shutil.rmtree(local, ignore_errors=True)

    assert slurm.facts(f"{array}_{killed}")["ExitCode"] == "137:0"
    assert slurm.facts(f"{array}_{lost}")["JobState"] == "NODE_FAIL"
    # Negative control: the merge of the incomplete set fails and writes no tables.
    assert slurm.facts(merge)["ExitCode"] == "2:0"
    told = (cluster / f"slurm-{merge}.out").read_text()
    missing = re.search(r"(\d+) of (\d+) solves", told)
    assert missing, told
    assert 0 < int(missing[1]) < int(missing[2])
    assert tables(cluster) == {}
    kept = [finished(store_of(cluster, part)) for part in (killed, lost)]
    assert all(kept) if disk == "shared" else not any(kept), kept

    array, merge = submitted(slurm, cluster, commands)
    slurm.wait(lambda: not slurm.queue(), 60)
    assert slurm.facts(merge)["ExitCode"] == f"{single[0]}:0"
    new = {log.stem.split("_")[-1]: int(count) for log in cluster.glob(f"slurm-{array}_*.out")
           for count in re.findall(r"has \d+ solves, (\d+) of them new", log.read_text())}
    assert {part for part, count in new.items() if count > 0} == {str(killed), str(lost)}
    assert sum(new.values()) >= int(missing[1]), "a part also solves the rigid side that its pairs need"
    assert tables(cluster) == single[1]


def without_program(files: dict[str, bytes]) -> dict[str, Any]:
    """result.json names the program and its loaded libraries, which differ between Python and the command line."""
    result = json.loads(files["result.json"])
    assert result.pop("provenance")["hash"]
    return {**files, "result.json": result}


def test_dask_has_the_tables_of_one_process_after_a_lost_node(
        slurm: Slurm, single: tuple[int, dict[str, bytes]]) -> None:
    pytest.importorskip("dask_jobqueue")
    pytest.importorskip("rigidlimit")
    script, = blocks("python")
    cluster = new_folder(slurm.place, "dask")
    store = cluster / "results/study/results.db"
    with subprocess.Popen([sys.executable, "-c", script], cwd=cluster, text=True, stderr=subprocess.PIPE,
                          env={**slurm.environment, "DASK_JOBQUEUE__SLURM__INTERFACE": "lo"}) as process:
        slurm.wait(lambda: process.poll() is not None or store.exists() and store.stat().st_size > 200_000, 60)
        slurm.kill_node(NODES[0])
        lost = process.poll() is None
        errors = process.communicate(timeout=120)[1]
    slurm.start_node(NODES[0])
    assert process.returncode == 0, errors + slurm.logs()
    assert lost, "the node was lost before the end"
    assert without_program(tables(cluster)) == without_program(single[1])
    assert len(list(cluster.glob("slurm-*.out"))) > 1, "workers were jobs"
