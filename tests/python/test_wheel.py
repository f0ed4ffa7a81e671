"""The wheel of scripts/wheel works in an empty virtual environment without Debian's libraries, with equal bits."""

import csv
import importlib.util
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from program import PROGRAM, ROOT

pytestmark = pytest.mark.skipif("RIGIDLIMIT_WHEEL" not in os.environ,
                                reason="RIGIDLIMIT_WHEEL names no folder; scripts/test builds a wheel")
EXAMPLE = re.findall(r"```python\n(.*?)print\(result\.verdict\)", (ROOT / "docs/python.md").read_text(), re.DOTALL)[0]
USE = EXAMPLE + """
import json
import numpy as np

solution = study.compliant(1e-3).solve("radau_iia", np.linspace(0, 2, 101), rtol=1e-10, atol=1e-12)
study.save("saved.toml")
with open("/proc/self/maps") as maps:
    loaded = sorted({line.split()[-1] for line in maps if ".so" in line})
print(json.dumps({"table": result.text("csv"), "success": solution.success, "y": solution.y.tobytes().hex(),
                  "loaded": loaded, "package": rl.__file__}))
"""
PLATFORM = {"libc.so.6", "libm.so.6", "libdl.so.2", "libpthread.so.0", "librt.so.1", "libgcc_s.so.1",
            "libstdc++.so.6", "libatomic.so.1", "libexpat.so.1", "libz.so.1"}
"""Libraries that the platform tag promises to every wheel."""
COMPILED_IN = {"libarchive", "libacl", "liblz4", "libxml2", "libicuuc", "libicudata"}
"""libarchive, of which the wheel has the code for zip, and the libraries that only its other formats need."""

ONLY_OF_NTL = {"libgf2x"}
"""The library that NTL needs. FLINT finds a library without code in place of NTL."""


def use(python: Path | str, folder: Path, hidden: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Run the example of docs/python.md and a solve in an empty directory,
    with those libraries first that are in `hidden`."""
    folder.mkdir()
    environment = {"HOME": str(folder), "LANG": "C.UTF-8"} | ({"LD_LIBRARY_PATH": str(hidden)} if hidden else {})
    return subprocess.run([python, "-c", USE], cwd=folder, env=environment, capture_output=True, text=True, check=False)


def needed(module: Path) -> dict[str, Path]:
    """The libraries that the linker loads with a module, by name."""
    done = subprocess.run(["ldd", module], capture_output=True, text=True, check=True)
    return {name: Path(path).resolve() for name, path in re.findall(r"(\S+) => (/\S+)", done.stdout)}


def outside(libraries: dict[str, Path], folder: Path) -> set[str]:
    return {name for name, path in libraries.items() if not path.is_relative_to(folder)} - PLATFORM


def stems(files: Iterable[str | Path]) -> set[str]:
    """libklu of libklu.so.1 and of libklu-83ddea99.so.1.3.8, libevent-2.1 of libevent-2-33bd1e52.1.so.7."""
    return {re.sub(r"-[0-9a-f]{8}(?=\.)", "", Path(file).name).partition(".so")[0] for file in files}


@pytest.fixture(scope="module")
def packages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of packages of an environment with the wheel and NumPy."""
    environment = tmp_path_factory.mktemp("wheel") / "venv"
    wheel, = Path(os.environ["RIGIDLIMIT_WHEEL"]).glob("*.whl")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", environment], check=True)
    subprocess.run([sys.executable, "-m", "pip", "--python", environment / "bin/python", "install", "-q",
                    "--disable-pip-version-check", "--constraint", ROOT / "analysis/requirements.txt",
                    wheel], check=True)
    found, = environment.glob("lib/python3*/site-packages")
    return found


@pytest.fixture(scope="module")
def python(packages: Path) -> Path:
    return packages.parents[2] / "bin/python"


@pytest.fixture(scope="module")
def debians() -> dict[str, Path]:
    """The libraries of the system that the editable package loads."""
    found = importlib.util.find_spec("rigidlimit._core")
    assert found and found.origin
    return {name: path for name, path in needed(Path(found.origin)).items() if name not in PLATFORM}


def test_the_environment_has_the_wheel_and_numpy_only(packages: Path) -> None:
    assert {path.name.partition("-")[0] for path in packages.glob("*.dist-info")} == {"rigidlimit", "numpy"}


def test_every_library_of_the_module_is_in_the_wheel(packages: Path, debians: dict[str, Path]) -> None:
    module, = packages.glob("rigidlimit/_core.*.so")
    inside = needed(module)
    assert not outside(inside, packages) and stems(debians) - COMPILED_IN - ONLY_OF_NTL <= stems(inside)
    assert not stems(inside) & (COMPILED_IN | ONLY_OF_NTL), "left out"
    assert {"libarchive", "libgf2x"} <= stems(debians), "negative control"
    assert {"libsundials_cvode", "libklu", "libsqlite3"} <= stems(outside(debians, packages)), "negative control"


def newest(file: Path, library: str) -> tuple[int, ...]:
    """The latest version of a library's functions that a file needs: (2, 34) of GLIBC_2.34."""
    printed = subprocess.run(["objdump", "-T", file], capture_output=True, text=True, check=True).stdout
    return max((tuple(map(int, found.split("."))) for found in re.findall(rf"\({library}_([\d.]+)\)", printed)),
               default=(0,))


def test_the_wheel_runs_with_glibc_2_34_and_the_library_of_gcc_11(packages: Path, debians: dict[str, Path]) -> None:
    wheel, = Path(os.environ["RIGIDLIMIT_WHEEL"]).glob("*.whl")
    said = subprocess.run([Path(sys.executable).parent / "auditwheel", "show", wheel], capture_output=True, text=True,
                          check=True).stdout
    assert wheel.name.endswith("-manylinux_2_34_x86_64.whl") and '"manylinux_2_34_x86_64"' in said
    files = [*packages.glob("rigidlimit/_core.*.so"), *(packages / "rigidlimit.libs").iterdir()]
    assert len(files) > 20
    for file in files:
        assert newest(file, "GLIBC") <= (2, 34) and newest(file, "GLIBCXX") <= (3, 4, 29), file.name
    module = importlib.util.find_spec("rigidlimit._core")
    assert module and module.origin
    assert newest(Path(module.origin), "GLIBC") > (2, 34), "negative control: without old versions of functions"
    assert newest(debians["libntl.so.44"], "GLIBCXX") > (3, 4, 29), "negative control: Debian's NTL"


def test_the_studies_of_the_wheel_have_names_in_an_empty_folder(packages: Path, tmp_path: Path) -> None:
    program, environment = packages.parents[2] / "bin/rigidlimit", {"HOME": str(tmp_path), "PATH": "/usr/bin:/bin"}
    done = subprocess.run([program, "run", "knife_edge"], cwd=tmp_path, env=environment, capture_output=True, text=True,
                          check=False)
    assert done.returncode == 0 and done.stdout.startswith("knife_edge: held"), done.stderr
    there = packages / "rigidlimit/experiments"
    shipped = {path.relative_to(there) for path in there.rglob("*.toml")}
    assert shipped == {path.relative_to(ROOT / "experiments") for path in (ROOT / "experiments").rglob("*.toml")}
    (tmp_path / "gone").mkdir()
    done = subprocess.run([program, "run", "knife_edge"], cwd=tmp_path, env=environment
                          | {"RIGIDLIMIT_EXPERIMENTS": str(tmp_path / "gone")}, capture_output=True, check=False)
    assert done.returncode == 2, "negative control: without studies"


def test_every_package_in_the_wheel_is_in_one_of_its_bills_of_materials(packages: Path) -> None:
    """CycloneDX: auditwheel lists the libraries inside, scripts/wheel those that are compiled in."""
    listed: dict[str, set[str]] = {}
    for file in packages.glob("rigidlimit-*.dist-info/sboms/*.cdx.json"):
        bill = json.loads(file.read_text(encoding="utf-8"))
        assert bill["bomFormat"] == "CycloneDX"
        listed[file.name] = {f"{one['name']} {one['version']}" for one in bill["components"]}
    lines = (packages / "rigidlimit/licenses/libraries.tsv").read_text(encoding="utf-8").splitlines()[1:]
    inside = {line.split("\t")[2] for line in lines if ".so" in line.split("\t")[0]}
    compiled = {line.split("\t")[2] for line in lines} - inside
    assert compiled == listed["compiled_in.cdx.json"] and any(one.startswith("libeigen3-dev ") for one in compiled)
    assert len(inside & listed["auditwheel.cdx.json"]) > 20


def test_the_wheel_has_the_bits_of_the_program_and_of_the_editable_package(
        python: Path, packages: Path, debians: dict[str, Path], tmp_path: Path) -> None:
    hidden = tmp_path / "hidden"
    hidden.mkdir()
    for name in debians:
        (hidden / name).touch()  # the linker finds this file first, and refuses it
    done = use(python, tmp_path / "wheel", hidden)
    assert done.returncode == 0, done.stderr
    of_wheel = json.loads(done.stdout)
    blind = use(sys.executable, tmp_path / "blind", hidden)
    assert blind.returncode == 1 and "ImportError" in blind.stderr, "negative control: the libraries are hidden"

    assert Path(of_wheel["package"]).is_relative_to(packages) and of_wheel["success"]
    editable = json.loads(use(sys.executable, tmp_path / "editable").stdout)
    assert not Path(editable["package"]).is_relative_to(packages)
    assert of_wheel["y"] == editable["y"]
    printed = subprocess.run([PROGRAM, "run", "saved.toml", "--results", "again", "--format", "csv"],
                             cwd=tmp_path / "wheel", capture_output=True, text=True, check=False)
    assert of_wheel["table"] == editable["table"] == printed.stdout
    assert len(of_wheel["table"].splitlines()) > 9

    def from_system(used: dict[str, Any]) -> set[str]:
        return stems(path for path in used["loaded"] if not Path(path).is_relative_to(packages)) & stems(debians)

    assert not from_system(of_wheel)
    assert from_system(editable) == stems(debians), "negative control"


def test_the_program_of_the_wheel_archives_and_reproduces_a_result_without_libraries_of_the_system(
        packages: Path, debians: dict[str, Path], tmp_path: Path) -> None:
    hidden = tmp_path / "hidden"
    hidden.mkdir()
    for name in debians:
        (hidden / name).touch()
    environment = {"HOME": str(tmp_path), "PATH": "/usr/bin:/bin", "LD_LIBRARY_PATH": str(hidden)}

    def run(*words: str | Path) -> subprocess.CompletedProcess[str]:
        return subprocess.run([packages.parents[2] / "bin/rigidlimit", *words], cwd=tmp_path, env=environment,
                              capture_output=True, text=True, check=False)

    assert run("check", ROOT / "experiments/convergence/knife_edge.toml").returncode == 0
    assert run("run", ROOT / "experiments/convergence/knife_edge.toml", "--quiet").returncode == 0
    assert run("archive", "results/knife_edge").returncode == 0
    assert run("reproduce", "knife_edge.zip", "--quiet").returncode == 0
    again = subprocess.run([PROGRAM, "reproduce", "knife_edge.zip", "--quiet"], cwd=tmp_path, capture_output=True,
                           check=False)
    assert again.returncode == 0, "the program of C++ reads the archive of the wheel"
    report = run("report")
    assert report.returncode == 2 and "pip install 'rigidlimit[report]'" in report.stderr
    native = subprocess.run([PROGRAM, "list"], env=environment, capture_output=True, check=False)
    assert native.returncode == 127, "negative control: the libraries are hidden"


def test_every_library_of_the_wheel_has_its_licence(packages: Path) -> None:
    with (packages / "rigidlimit/licenses/libraries.tsv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    listed = {row["library"] for row in rows if ".so" in row["library"]}
    assert stems(listed) == stems((packages / "rigidlimit.libs").iterdir())
    texts = {path.name: path.read_text(encoding="utf-8") for path in (packages / "rigidlimit/licenses").glob("*.txt")}
    assert {row["licence"] for row in rows} <= set(texts)
    assert all("copyright" in texts[row["licence"]].lower() for row in rows)
    referred = {name for text in texts.values() for name in re.findall(r"/usr/share/common-licenses/([\w.-]*\w)", text)}
    assert "LGPL-2.1" in referred and {f"{name}.txt" for name in referred} <= set(texts)
