"""Tests of src/physics.cmake: every source that a solve depends on changes the hash in the store's keys."""

import shutil
import subprocess
from pathlib import Path

import pytest
from private_names import defined_functions, private_names, public_names

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "src/physics.cmake"


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
    "contact/contact_problem.cpp", "systems/friction/wheel.toml", "systems/rolling/knife_edge.toml", "solvers/radau/radau_iia_quad.cpp",
    "formulations/compliant/adapted.cpp", "mechanics/kkt.cpp", "core/dense.cpp", "asymptotics/layer.cpp",
    "classical/hires.toml", "experiment/benchmark/benchmark_tasks.cpp", "experiment/benchmark/problems_of.cpp",
])
def test_a_change_of_a_source_used_by_solves_changes_the_hash(copy: Path, name: str) -> None:
    assert changed(copy, name) != physics_of(ROOT)[0]


@pytest.mark.parametrize("name", [
    "experiment/rolling/rolling_tables.cpp", "experiment/judge/series_tables.cpp", "result/view.cpp", "cli/run.cpp", "experiment/benchmark/judge_benchmark.cpp",
    "experiment/rolling/judge_rolling.cpp", "experiment/rolling/read_rolling_study.cpp", "experiment/friction/judge_friction.cpp",
    "convergence/verdict.cpp",
])
def test_sources_that_judge_or_print_solves_do_not_change_the_hash(copy: Path, name: str) -> None:
    assert changed(copy, name) == physics_of(ROOT)[0]


def test_a_new_file_outside_experiment_changes_the_hash(copy: Path) -> None:
    (copy / "src/rigidlimit/solvers/new_method.cpp").write_text("// new\n", encoding="utf-8")
    assert physics_of(copy)[0] != physics_of(ROOT)[0]


def declared_in(headers: list[Path]) -> set[tuple[str, str]]:
    return {(kind, name) for header in headers for kind, name, _ in public_names(header.read_text(encoding="utf-8"))}


def defined_elsewhere(root: Path, hashed: set[str]) -> set[tuple[str, str]]:
    """(source, function) of experiment/ that is not hashed, although hashed headers alone declare the function or its
    class."""
    top = root / "src/rigidlimit/experiment"
    headers = sorted(top.rglob("*.hpp"))
    is_hashed = [str(header.relative_to(root)) in hashed for header in headers]
    declared = declared_in([one for one, yes in zip(headers, is_hashed) if yes])
    declared -= declared_in([one for one, yes in zip(headers, is_hashed) if not yes])
    found = set()
    for source in sorted(top.rglob("*.cpp")):
        name = str(source.relative_to(root))
        if name in hashed:
            continue
        text = source.read_text(encoding="utf-8")
        private = {one for _, one, _ in private_names(text)}
        for function in defined_functions(text):
            owner, _, member = function.partition("::")
            if owner not in private and ("type" if member else "function", owner) in declared:
                found.add((name, function))
    return found


def test_hashed_headers_declare_nothing_that_other_sources_define() -> None:
    hashed = set(physics_of(ROOT)[1])
    # They judge finished solves.
    judges = {"judged_claims", "has_numbers", "FrictionResult::held", "FrictionResult::has_numbers"}
    assert {name for _, name in defined_elsewhere(ROOT, hashed)} <= judges
    # Negative control: with this source the solves would miss its functions.
    missed = defined_elsewhere(ROOT, hashed - {"src/rigidlimit/experiment/pair/compliant_side.cpp"})
    assert {Path(source).name for source, name in missed if name not in judges} == {"compliant_side.cpp"}
