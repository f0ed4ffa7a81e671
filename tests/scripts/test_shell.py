"""Tests of the scripts for new users in an artificial clone: cmake, the program and Python are stubs that
print their arguments."""

from __future__ import annotations

import contextlib
import os
import pty
import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
CMAKE = """#!/usr/bin/env bash
[[ $1 == --build ]] || exit 0
for k in 1 2 3 4 5 6 7 8 9 10; do echo "[$k/400] Building CXX object src/a$k.cpp.o"; done
[[ ! -e fails ]] || { echo "FAILED: a.cpp"; exit 1; }
mkdir -p build/release/src && cp program build/release/src/rigidlimit
"""
# The name of the file selects the behaviour.
PROGRAM = """#!/usr/bin/env bash
quiet=no
for file in "$@"; do [[ $file != --quiet ]] || quiet=yes; done
name=$(basename "$file" .toml)
mkdir -p "results/$name"
report=results/$name/result.txt
kind=rolling
[[ $file != *friction/* ]] || kind=friction
[[ $file != *benchmarks/* ]] || kind=benchmark
printf '{\n "name": "%s",\n "kind": "%s",\n "sweep": false\n}\n' "$name" "$kind" >"results/$name/result.json"
case $name in
  broken) printf '%s: not held, 1 of 7 expectations broken, 2 of 2 bounds\\n  v: 3 against 2\\n' \\
    "$name" >"$report"; status=1 ;;
  bad) echo "rigidlimit: bad.toml:3: nonsense" >&2; exit 2 ;;
  free) echo "$name: nothing was expected" >"$report"; status=0 ;;
  measured) echo "# measured" >"$report"; status=0 ;;
  *) printf 'a table\\n\\n%s: held, 7 of 7 expectations, 2 of 2 bounds\\n%s: bound x ≤ 1 of 9 held\\n' \\
    "$name" "$name" >"$report"; status=0 ;;
esac
if [[ $quiet == no ]]; then echo "tables of $name"; else echo "$name: said quietly" >&2; fi
exit "$status"
"""
PYTHON = """#!/usr/bin/env bash
printf '%s\\n' "in $PWD" "$@"
"""


def executable(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    path.chmod(0o755)


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    root = tmp_path / "a clone"
    for name in ("reproduce", "plot", "docs", "setup.sh"):
        (root / "scripts").mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / "scripts" / name, root / "scripts")
    executable(root / "program", PROGRAM)
    executable(root / "tools" / "cmake", CMAKE)
    executable(root / "tools" / "ninja", "#!/bin/sh\n")
    executable(root / "build/venv/bin/python", PYTHON)
    for place in (root / "analysis/requirements.lock", root / "build/venv/made_from"):
        place.parent.mkdir(exist_ok=True)
        place.write_text("numpy\n", encoding="utf-8")
    (root / "python").mkdir()
    (root / "build/venv/package_made").touch()
    for name in ("convergence/good", "damping/broken", "friction/slides", "benchmarks/measured"):
        file = root / "experiments" / f"{name}.toml"
        file.parent.mkdir(parents=True, exist_ok=True)
        kind = "benchmark" if "/measured" in name else "study"
        file.write_text(f"[{kind}]\nname = \"x\"\n", encoding="utf-8")
    return root


def run(clone: Path, *words: str, where: Path | None = None) -> subprocess.CompletedProcess[str]:
    path = f"{clone / 'tools'}:/usr/bin:/bin"
    return subprocess.run([str(clone / words[0]), *words[1:]], cwd=where or clone, text=True,
                          capture_output=True, check=False, timeout=120,
                          env={"PATH": path, "HOME": str(clone), "LANG": "C.UTF-8"})


def test_all_experiments_give_a_count_those_that_failed_and_the_next_step(clone: Path) -> None:
    (clone / "experiments" / "convergence" / "free.toml").write_text("[study]\n", encoding="utf-8")
    said = run(clone, "scripts/reproduce", "--no-install", "--jobs", "2")
    assert said.returncode == 1, said.stderr
    assert "tables of" not in said.stdout, "they are in results/"
    table = said.stdout.split("results (tables")[1].splitlines()
    assert table[1] == "    2 of 4 studies held, 26 of 27 claims"
    assert [re.split(r"  +", x.strip())[:3] for x in table[2:5]] == [
        ["experiment", "kind", "held"], ["broken", "study", "8 of 9"], ["free", "study", "-"]]
    assert [x.split()[-2:] for x in table[3:5]] == [["not", "held"], ["was", "expected"]]
    assert len({x.index("study") for x in table[3:5]}) == 1, "aligned"
    assert "broken: not held, 1 of 7 expectations broken" in said.stdout and "v: 3 against 2" in said.stdout
    assert said.stdout.rstrip().endswith("then rigidlimit report")
    assert "[1/4] not held, 8 of 9  broken: " in said.stdout, "and one line per experiment during the run"
    assert said.stdout.count("[3/4] held, 9 of 9  good: ") == 1, "held ones have this line alone"


def costs(clone: Path, **seconds: float) -> None:
    (clone / "experiments/costs.tsv").write_text(
        "# CPU seconds\n" + "".join(f"{name}\t{cost}\n" for name, cost in seconds.items()), encoding="utf-8")


def order_of(said: subprocess.CompletedProcess[str]) -> list[str]:
    """The studies in the order of their verdicts."""
    return re.findall(r"^    \[\d+/\d+\] .*?  (\w+): ", said.stdout, re.MULTILINE)


def test_studies_run_in_the_order_of_their_cost(clone: Path) -> None:
    assert order_of(run(clone, "scripts/reproduce", "--no-install")) == ["broken", "good", "slides"], "without costs"
    costs(clone, good=9.5, slides=0.3, gone=8.0, broken=12.0)
    assert order_of(run(clone, "scripts/reproduce", "--no-install")) == ["slides", "good", "broken"]
    costs(clone, good=0.2, slides=9.0, gone=0.1, away=19.0, moved=3.0)
    assert order_of(run(clone, "scripts/reproduce", "--no-install")) == ["good", "broken", "slides"], (
        "an experiment without a measurement has the median, 3 s")


def test_long_studies_run_only_on_demand(clone: Path) -> None:
    costs(clone, good=20.1, slides=3.0, broken=20.0)
    said = run(clone, "scripts/reproduce", "--no-install")
    assert order_of(said) == ["slides", "broken"] and said.returncode == 1
    assert "not run (scripts/reproduce --all runs them, 20 s of CPU time):\n    good (20 s)\n" in said.stdout
    assert "then 2 experiments: 23 s of CPU time" in said.stdout
    said = run(clone, "scripts/reproduce", "--no-install", "--all")
    assert order_of(said) == ["slides", "broken", "good"] and "not run" not in said.stdout
    said = run(clone, "scripts/reproduce", "--no-install", "good")
    assert "tables of good" in said.stdout and said.returncode == 0, "a long study by name"
    assert run(clone, "scripts/reproduce", "--no-install", "--all", "good").returncode == 2


def test_measured_costs_replace_those_of_the_same_name(clone: Path) -> None:
    costs(clone, slides=70.0, good=50.0)
    said = run(clone, "scripts/reproduce", "--no-install", "--measure", "good")
    assert said.returncode == 0, said.stderr
    lines = (clone / "experiments/costs.tsv").read_text(encoding="utf-8").splitlines()
    assert lines[0].startswith("# ") and "scripts/reproduce --measure" in lines[0]
    assert [line.split("\t")[0] for line in lines[1:]] == ["good", "slides"] and lines[2] == "slides\t70.0"
    assert float(lines[1].split("\t")[1]) < 5.0
    (clone / "experiments/convergence/bad.toml").write_text("nonsense", encoding="utf-8")
    said = run(clone, "scripts/reproduce", "--no-install", "--measure")
    assert said.returncode == 2 and "bad.toml:3: nonsense" in said.stderr
    lines = (clone / "experiments/costs.tsv").read_text(encoding="utf-8").splitlines()
    assert sorted(line.split("\t")[0] for line in lines[1:]) == ["broken", "good", "slides"], "the others are measured"


def shipped_costs(text: str) -> dict[str, float]:
    lines = [line.split("\t") for line in text.splitlines() if not line.startswith("#")]
    return {name: float(cost) for name, cost in lines}


def faults(measured: dict[str, float], studies: set[str], longest: float) -> list[str]:
    """Costs of studies that do not exist, and a default set that needs more than 3 minutes on two cores."""
    found = [f"{name} does not exist" for name in measured if name not in studies]
    median = sorted(measured.values())[(len(measured) - 1) // 2]
    total = sum(cost for cost in (measured.get(name, median) for name in studies) if cost <= longest)
    return found + ([f"{total:.0f} s"] if total > 0.8 * 2 * 180 else [])  # 0.8: the second core idles at times


def test_the_default_studies_need_three_minutes_on_two_cores() -> None:
    measured = shipped_costs((ROOT / "experiments/costs.tsv").read_text(encoding="utf-8"))
    studies = {path.stem for path in (ROOT / "experiments").glob("*/*.toml")
               if path.parent.name not in ("bases", "systems", "benchmarks")}
    script = (ROOT / "scripts/reproduce").read_text(encoding="utf-8")
    longest = float(re.search(r"^readonly longest=(\d+)$", script, re.MULTILINE)[1])
    assert len(measured) > 100 and faults(measured, studies, longest) == []
    assert faults(measured | {"no_such": 1.0}, studies, longest) == ["no_such does not exist"]
    slow = {name: 2.0 * cost for name, cost in measured.items()}
    assert faults(slow, studies, 1e9) != [], "negative control: studies that take twice as long"


def test_one_experiment_shows_its_tables(clone: Path) -> None:
    said = run(clone, "scripts/reproduce", "--no-install", "good")
    assert said.returncode == 0 and "tables of good" in said.stdout
    assert re.search(r"good +study +9 of 9 +\d+ s +held", said.stdout)


def test_named_benchmarks_and_friction_studies_are_drawn(clone: Path) -> None:
    said = run(clone, "scripts/reproduce", "--no-install", "measured", "slides")
    assert said.returncode == 0
    assert re.search(r"measured +benchmark +- +\d+ s +done", said.stdout)
    assert "rigidlimit.analysis\nbench\nresults/measured" in said.stdout.replace(str(clone) + "/", "")
    assert "rigidlimit.analysis\nfriction\nresults/slides" in said.stdout.replace(str(clone) + "/", "")


def test_an_experiment_that_cannot_run_does_not_stop_the_others(clone: Path) -> None:
    (clone / "experiments" / "convergence" / "bad.toml").write_text("nonsense", encoding="utf-8")
    said = run(clone, "scripts/reproduce", "--no-install")
    assert said.returncode == 2 and "bad.toml:3: nonsense" in said.stderr
    assert re.search(r"bad +- +- +\d+ s +could not run", said.stdout)
    assert "] held, 9 of 9  good: " in said.stdout
    assert run(clone, "scripts/reproduce", "--no-install", "no_such").returncode == 2


def test_a_build_prints_its_size_and_on_failure_the_end_of_its_log(clone: Path) -> None:
    said = run(clone, "scripts/reproduce", "--no-install", "--jobs", "2", "good")
    assert "400 steps, each with up to 2 GB of memory\n" in said.stdout and "2 at a time" in said.stdout
    assert "min" not in said.stdout.split("400 steps")[1].split("\n")[0], "no step has told its time yet"
    (clone / "fails").touch()
    said = run(clone, "scripts/reproduce", "--no-install", "good")
    assert said.returncode == 2 and "FAILED: a.cpp" in said.stderr
    assert "build-release.log" in said.stderr


def test_a_build_on_a_terminal_updates_one_line(clone: Path) -> None:
    ours, theirs = pty.openpty()
    said = b""
    with subprocess.Popen([str(clone / "scripts/reproduce"), "--no-install", "--jobs", "2", "good"],
                          cwd=clone, stdin=subprocess.DEVNULL, stdout=theirs, stderr=subprocess.STDOUT,
                          env={"PATH": f"{clone / 'tools'}:/usr/bin:/bin", "HOME": str(clone),
                               "LANG": "C.UTF-8"}) as running:
        os.close(theirs)
        with contextlib.suppress(OSError):  # Linux: the other end is closed
            while piece := os.read(ours, 65536):
                said += piece
        os.close(ours)
    text = said.decode()
    assert running.returncode == 0, text
    assert "unbound" not in text and re.search(r"good +study +9 of 9 +\d+ s +held", text)
    assert text.count("\r\x1b[K    [") == 10, "each step replaces the line of the last one"
    assert "\r\x1b[K    400 steps, each" in text, "the size of the build is not part of that line"


def bash(clone: Path, text: str) -> str:
    said = subprocess.run(["bash", "-c", f"set -euo pipefail; . scripts/setup.sh; {text}"], cwd=clone,
                          text=True, capture_output=True, check=True, timeout=60)
    return said.stdout


def test_the_rest_of_a_build_is_its_share_of_the_time(clone: Path) -> None:
    assert re.fullmatch(r"\[50/250\] 20 %, 5 min .*, about 20 min .*\n",
                        bash(clone, "steps_so_far 50 250 300"))
    assert bash(clone, "steps_so_far 2 250 300") == "[2/250] 0 %\n", "too few steps for an estimate"
    assert bash(clone, "tell_cost 3") == "", "no message for a short build"
    assert [bash(clone, f"duration {n}") for n in (59, 600, 7260)] == ["59 s\n", "10 min\n", "2 h 01 min\n"]


def test_the_long_install_is_explained_only_for_sundials(clone: Path) -> None:
    assert "MPI" in bash(clone, "why_long $'git\\nlibsundials-dev'")
    assert bash(clone, "why_long chromium") == ""


# --- Paths are relative to the caller's directory


def words_of(clone: Path, where: Path, *words: str) -> list[str]:
    said = run(clone, *words, where=where)
    assert said.returncode == 0, said.stderr
    place, *rest = said.stdout.splitlines()
    assert place == f"in {where}", "relative paths refer to the caller's directory"
    assert rest[:2] == ["-P", "-m"], "and a rigidlimit.py of the caller is not imported"
    return rest[2:]


def test_paths_of_plot_are_relative_to_the_caller(clone: Path, tmp_path: Path) -> None:
    here = tmp_path / "my project"
    (here / "results" / "mine").mkdir(parents=True)
    (clone / "results" / "theirs").mkdir(parents=True)
    (clone / "results" / "mine").mkdir()
    assert words_of(clone, here, "scripts/plot", "pair", "results/mine", "--style", "dark") == [
        "rigidlimit.analysis", "pair", "results/mine", "--style", "dark"]
    assert words_of(clone, here, "scripts/plot", "pair", "results/theirs") == [
        "rigidlimit.analysis", "pair", f"{clone}/results/theirs"], "a path that is missing here may be in the clone"
    assert words_of(clone, here, "scripts/plot", "export", "results/mine", "-o", "results/theirs") == [
        "rigidlimit.analysis", "export", "results/mine", "-o", "results/theirs"], "the output need not exist"
    assert words_of(clone, here, "scripts/plot", "page_picture") == [
        "rigidlimit.analysis.page_picture", "--results", f"{here}/results"]
    assert words_of(clone, here, "scripts/plot", "gallery", "--only", "pair") == [
        "rigidlimit.analysis.gallery", "--results", f"{here}/results", "--only", "pair"]


def test_results_of_the_clone_are_used_if_the_caller_has_none(clone: Path, tmp_path: Path) -> None:
    (clone / "results").mkdir()
    (tmp_path / "elsewhere").mkdir()
    assert words_of(clone, tmp_path / "elsewhere", "scripts/plot", "gallery") == [
        "rigidlimit.analysis.gallery", "--results", f"{clone}/results"]
    assert words_of(clone, clone, "scripts/plot", "gallery") == [
        "rigidlimit.analysis.gallery", "--results", f"{clone}/results"]


def test_docs_builds_the_site_and_ends_with_2_on_failure(clone: Path) -> None:
    said = run(clone, "scripts/docs", "--no-install", "--jobs", "2")
    assert said.returncode == 0 and said.stdout.rstrip().endswith(f"{clone}/build/site/index.html")
    assert (clone / "build/log/docs.log").read_text(encoding="utf-8").splitlines()[1:] == [
        "-m", "mkdocs", "build", "--strict"]
    served = run(clone, "scripts/docs", "--no-install", "--serve", "127.0.0.1:1")
    assert served.stdout.splitlines()[-5:] == ["mkdocs", "serve", "--livereload", "--dev-addr", "127.0.0.1:1"]
    assert run(clone, "scripts/docs", "--sever").returncode == 2
    executable(clone / "build/venv/bin/python", "#!/bin/sh\necho 'a dead link'; exit 1\n")
    failed = run(clone, "scripts/docs", "--no-install")
    assert failed.returncode == 2 and "a dead link" in failed.stderr
