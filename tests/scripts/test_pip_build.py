"""`pip install .` links a finished build of the program and writes nothing into it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
RELEASE = ROOT / "build/release"


def reason(root: Path) -> str:
    """Why the archives of build/release cannot be linked; empty: they can."""
    script = root / "ask.cmake"
    script.write_text(f"""include({ROOT}/python/finished_build.cmake)
why_unusable(reason "{root}" "{root}/build/release")
file(WRITE "{root}/reason" "${{reason}}")
""", encoding="utf-8")
    subprocess.run(["cmake", "-P", script], check=True, capture_output=True)
    return (root / "reason").read_text(encoding="utf-8")


def write(path: Path, text: str, seconds: float) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    os.utime(path, (seconds, seconds))


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """A clone with a finished build, in a folder whose name has characters of regular expressions."""
    root = tmp_path / "src" / "rigidlimit" / "c++ (1)"
    for name in ("src/rigidlimit/core/a.cpp", "src/rigidlimit/core/a.hpp", "src/rigidlimit/main.cpp",
                 "src/CMakeLists.txt", "CMakeLists.txt", "docs/help.md", "docs/verdicts.md"):
        write(root / name, "", 1000)
    build = root / "build/release"
    write(build / "CMakeCache.txt", f"CMAKE_HOME_DIRECTORY:INTERNAL={root}\n", 2000)
    write(build / "rigidlimit_sources.txt", "".join(f"{root}/src/rigidlimit/{name}\n" for name in (
        "core/a.cpp", "testing/matcher.cpp")), 2000)
    for name in ("build.ninja", "rigidlimit_library.cmake", "src/rigidlimit"):
        write(build / name, "", 2000)
    return root


def test_a_finished_build_is_used(clone: Path) -> None:
    assert reason(clone) == ""
    write(clone / "src/rigidlimit/testing/matcher.cpp", "", 3000)
    assert reason(clone) == "", "the program does not need the matchers"


@pytest.mark.parametrize("name", ["src/rigidlimit/core/a.hpp", "src/rigidlimit/new.cpp", "docs/help.md",
                                  "CMakeLists.txt"])
def test_a_newer_source_makes_a_build_unusable(clone: Path, name: str) -> None:
    write(clone / name, "", 3000)
    assert reason(clone).startswith(f"{name} is newer")


def test_an_unfinished_or_foreign_build_is_not_used(clone: Path) -> None:
    write(clone / "src/rigidlimit/moved_here.cpp", "", 500)
    assert "other files" in reason(clone)
    (clone / "src/rigidlimit/moved_here.cpp").unlink()
    write(clone / "build/release/CMakeCache.txt", "CMAKE_HOME_DIRECTORY:INTERNAL=/elsewhere\n", 2000)
    assert "other sources" in reason(clone)
    (clone / "build/release/src/rigidlimit").unlink()
    assert "not built" in reason(clone)


def state(folder: Path) -> dict[str, tuple[int, int]]:
    """Size and time of every file."""
    return {str(path): (path.stat().st_size, path.stat().st_mtime_ns) for path in folder.rglob("*") if path.is_file()}


def configured(root: Path, folder: Path, **variables: str) -> str:
    """What CMake prints for the package of a checkout; the build is in `folder`."""
    done = subprocess.run(["cmake", "-G", "Ninja", "-S", root / "python", "-B", folder, "-DCMAKE_BUILD_TYPE=Release",
                           f"-DPython_EXECUTABLE={sys.executable}"], capture_output=True, text=True, check=False,
                          env={name: text for name, text in os.environ.items() if name != "RIGIDLIMIT_BUILD"} | variables)
    assert done.returncode == 0, done.stderr
    return done.stdout


def compiled(folder: Path) -> set[str]:
    """The sources that a build compiles; units of several files have names of their own."""
    rules = (folder / "build.ninja").read_text(encoding="utf-8")
    return set(re.findall(r"^build \S+\.o: C(?:XX)?_COMPILER\S* (\S+)", rules, re.MULTILINE))


@pytest.mark.skipif(not (RELEASE / "rigidlimit_library.cmake").exists(), reason="build/release is not built")
def test_pip_links_the_build_of_this_checkout_and_compiles_no_file_of_the_library(tmp_path: Path) -> None:
    said = configured(ROOT, tmp_path / "pip")
    assert f"linking the library of {RELEASE}" in said, said
    there = compiled(tmp_path / "pip")
    assert f"{ROOT}/python/src/module.cpp" in there
    assert [name for name in there if name.startswith(f"{ROOT}/src/") or "/Unity/" in name] == []
    # Negative control: a checkout without a build compiles the library, in units.
    archive = subprocess.run(["git", "archive", "HEAD"], cwd=ROOT, capture_output=True, check=True).stdout
    clean = tmp_path / "clean"
    clean.mkdir()
    subprocess.run(["tar", "-x"], cwd=clean, input=archive, check=True)
    assert "building the library" in configured(clean, tmp_path / "own")
    assert sum("/Unity/" in name for name in compiled(tmp_path / "own")) > 40


@pytest.mark.skipif(not (RELEASE / "rigidlimit_library.cmake").exists(), reason="build/release is not built")
def test_the_build_of_pip_writes_nothing_into_build_release(tmp_path: Path) -> None:
    before = state(RELEASE)
    assert f"linking the library of {RELEASE}" in configured(ROOT, tmp_path / "pip", RIGIDLIMIT_BUILD=str(RELEASE))
    assert state(RELEASE) == before, "with install_manifest.txt, if an installation has written it"
    rules = (tmp_path / "pip/build.ninja").read_text(encoding="utf-8")
    outputs = re.findall(r"^build ([^:|]+)[^:]*: (?!phony)", rules, re.MULTILINE)
    assert outputs and not any(str(RELEASE) in name for name in outputs), "no rule makes a file there"
    assert f"{RELEASE}/src/librigidlimit_cli.a" in rules, "negative control: the archives are linked"
