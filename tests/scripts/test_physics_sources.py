"""Tests of src/physics.cmake: every source that a solve depends on changes the hash in the store's keys."""

import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "src/physics.cmake"
PROGRAM = Path(os.environ.get("RIGIDLIMIT_PROGRAM", ROOT / "build/release/src/rigidlimit"))


def physics_of(root: Path) -> tuple[str, list[str]]:
    """Hash and sources."""
    said = subprocess.run(["cmake", f"-DSOURCE_DIR={root}", "-P", SCRIPT], check=True,
                          capture_output=True, text=True)
    hash_, *sources = said.stdout.split()
    return hash_, sources


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    shutil.copytree(ROOT / "src/rigidlimit", tmp_path / "src/rigidlimit")
    return tmp_path


def changed(root: Path, name: str) -> str:
    """The hash after a change of one character of the file; the change is undone."""
    file = root / "src/rigidlimit" / name
    text = file.read_text(encoding="utf-8")
    at = text.rindex("}")
    file.write_text(text[:at] + " " + text[at:], encoding="utf-8")
    hash_, _ = physics_of(root)
    file.write_text(text, encoding="utf-8")
    return hash_


@pytest.mark.parametrize("name", [
    "experiment/pair/catalogue.cpp",  # the flags of the laws, and the names of the solvers
    "experiment/rolling/solve_tasks.cpp", "experiment/pair/compliant_side.cpp", "experiment/spec/time_grid.cpp",
    "experiment/friction/friction_solves.cpp", "experiment/friction/rigid_history.cpp",
    "contact/event_driven/event_driven.cpp",  # without a header of the same name
    "contact/contact_problem.cpp", "systems/friction/wheel.hpp", "systems/rolling/knife_edge.toml", "solvers/radau/radau_iia_quad.cpp",
    "formulations/compliant/adapted.cpp", "mechanics/kkt.cpp", "core/dense.cpp", "asymptotics/layer.cpp",
    "classical/hires.cpp", "experiment/benchmark/benchmark_tasks.cpp", "experiment/benchmark/problems_of.cpp",
])
def test_a_change_of_a_source_used_by_solves_changes_the_hash(copy: Path, name: str) -> None:
    assert changed(copy, name) != physics_of(ROOT)[0]


@pytest.mark.parametrize("name", [
    "report/rolling_tables.cpp", "cli/run.cpp", "experiment/benchmark/judge_benchmark.cpp",
    "experiment/rolling/judge_rolling.cpp", "experiment/rolling/read_rolling_study.cpp", "experiment/friction/judge_friction.cpp",
    "convergence/verdict.cpp",
])
def test_sources_that_judge_or_print_solves_do_not_change_the_hash(copy: Path, name: str) -> None:
    assert changed(copy, name) == physics_of(ROOT)[0]


def test_a_new_file_outside_experiment_changes_the_hash(copy: Path) -> None:
    (copy / "src/rigidlimit/solvers/new_method.cpp").write_text("// new\n", encoding="utf-8")
    assert physics_of(copy)[0] != physics_of(ROOT)[0]


def symbols(archive: Path) -> Iterator[tuple[str, str, str]]:
    """Object, kind and name of every symbol in the archive of a module."""
    said = subprocess.run(["nm", "-A", archive], check=True, capture_output=True, text=True)
    for line in said.stdout.splitlines():
        if found := re.match(r"[^:]+:([^:]+)\.o:\S*\s+(\w) (\S+)$", line):
            yield found[1], found[2], found[3]


def test_hashed_sources_need_no_symbols_of_other_sources() -> None:
    archives = sorted(PROGRAM.parent.glob("librigidlimit_*.a"))
    if not (PROGRAM.exists() and archives and shutil.which("nm")):
        pytest.skip("the program is not built here (scripts/test builds it)")
    sources = physics_of(ROOT)[1]
    listed = {(Path(name).parts[2], Path(name).name) for name in sources}
    inside, needed, elsewhere = set(), {}, {}
    for archive in archives:
        module = archive.stem.removeprefix("librigidlimit_")
        for source, kind, name in symbols(archive):
            if "rigidlimit" not in name:  # an inline function of a library, in any object
                continue
            belongs = (module, source) in listed
            if kind in "Uw":
                needed.update({name: source} if belongs else {})
            elif belongs:
                inside.add(name)
            else:
                elsewhere[name] = f"{module}/{source}"
    assert len(inside) > 1000 and needed and elsewhere, "the test found the objects"
    missed = {(source, elsewhere[name]) for name, source in needed.items()
              if name not in inside and name in elsewhere}
    # These sources judge the order of time stepping from finished motions; the build generates the codes
    # and the embedded texts from the hashed sources.
    assert missed <= {("step_checks.cpp", "convergence/orders.cpp"),
                      ("catalogue.cpp", "systems/codes.cpp"), ("catalogue.cpp", "systems/embedded_systems.cpp"),
                      ("frictional_catalogue.cpp", "systems/codes.cpp")}, "the second of each is missing"
