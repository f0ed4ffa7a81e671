"""The wheel of `scripts/wheel --gates` needs Python alone: no compiler, no NumPy, no compiled package."""

import ast
import re
import subprocess
import sys
from importlib.metadata import distribution
from pathlib import Path

import pytest

import rigidlimit
from program import ROOT

PYTEST = ("pytest", "pluggy", "iniconfig", "packaging", "pygments")
"""pytest and the packages that it needs."""
GATE = '''
from importlib.util import find_spec

import rigidlimit_gates as rl

STEPS = [2.0**-k for k in range(6)]


def test_the_compiled_package_is_hidden():
    assert find_spec("rigidlimit") is None and find_spec("numpy") is None


def test_an_order_is_confirmed():
    assert rl.Series(STEPS, [3 * h**2 for h in STEPS]) == rl.converges_with_order(2)


def test_another_order_is_refuted():
    assert rl.Series(STEPS, [3 * h for h in STEPS], 1e-12, name="drift") == rl.converges_with_order(2)
'''


@pytest.fixture(scope="module")
def wheel() -> Path:
    subprocess.run([ROOT / "scripts/wheel", "--gates"], check=True, capture_output=True)
    found, = (ROOT / "build/wheel_gates").iterdir()
    return found


@pytest.fixture(scope="module")
def packages(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the installed wheel alone."""
    folder = tmp_path_factory.mktemp("packages")
    subprocess.run([sys.executable, "-m", "pip", "install", "-q", "--disable-pip-version-check", "--no-index",
                    "--target", folder, wheel], check=True)
    return folder


@pytest.fixture(scope="module")
def pytest_alone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with pytest alone."""
    folder = tmp_path_factory.mktemp("pytest")
    for name in PYTEST:
        installed = distribution(name)
        for top in {file.parts[0] for file in installed.files or ()} - {"..", "__pycache__"}:
            (folder / top).symlink_to(str(installed.locate_file(top)))
    return folder


def run(gate: str, folder: Path, *path: Path) -> subprocess.CompletedProcess[str]:
    """Run pytest without the packages of this environment, with those of `path`."""
    (folder / "test_gate.py").write_text(gate, encoding="utf-8")
    environment = {"HOME": str(folder), "LANG": "C.UTF-8", "PYTHONPATH": ":".join(map(str, path)), "CI": "true"}
    return subprocess.run([sys.executable, "-S", "-m", "pytest", "-p", "no:cacheprovider", "test_gate.py"], cwd=folder,
                          env=environment, capture_output=True, text=True, check=False)


def test_the_wheel_is_for_every_system_and_needs_no_other_package(wheel: Path, packages: Path) -> None:
    assert wheel.name == f"rigidlimit_gates-{rigidlimit.__version__}-py3-none-any.whl"
    info, = packages.glob("*.dist-info")
    metadata = (info / "METADATA").read_text(encoding="utf-8")
    assert "Requires-Python: >=3.9" in metadata and "Requires-Dist" not in metadata
    assert "Root-Is-Purelib: true" in (info / "WHEEL").read_text(encoding="utf-8")
    assert (info / "licenses/LICENSE").read_bytes() == (ROOT / "LICENSE").read_bytes()
    files = {file.relative_to(packages).parts[0] for file in packages.rglob("*") if file.is_file()}
    assert files == {"rigidlimit_gates", info.name}
    sources = {file.name: file.read_bytes() for file in (packages / "rigidlimit_gates").glob("*.py")}
    for name in ("judge.py", "words.py", "errors.py", "pytest_plugin.py"):
        assert sources[name] == (ROOT / "python/rigidlimit" / name).read_bytes()


def test_the_sources_have_the_syntax_of_python_3_9_and_import_the_standard_library_alone(packages: Path) -> None:
    standard, own = set(sys.stdlib_module_names), packages / "rigidlimit_gates"
    imported: dict[str, set[str]] = {}
    for file in own.glob("*.py"):
        tree = ast.parse(file.read_text(encoding="utf-8"), feature_version=(3, 9))
        for node in ast.walk(tree):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else \
                [node.module or ""] if isinstance(node, ast.ImportFrom) and node.level == 0 else []
            imported.setdefault(file.stem, set()).update(name.partition(".")[0] for name in names)
    assert imported.pop("pytest_plugin") - standard == {"pytest"}, "negative control"
    assert len(imported) > 10 and not set().union(*imported.values()) - standard
    with pytest.raises(SyntaxError):
        ast.parse("match 1:\n    case 1: pass", feature_version=(3, 9))


def test_the_plugin_works_where_the_compiled_package_is_missing(
        packages: Path, pytest_alone: Path, tmp_path: Path) -> None:
    done = run(GATE, tmp_path, packages, pytest_alone)
    assert "1 failed, 2 passed" in done.stdout, done.stdout + done.stderr
    assert "assert converges with order 2 ± 0.05: does not hold for drift of 6 ε" in done.stdout
    assert len(re.findall(r"^E .*<- not 2 ± 0.05$", done.stdout, re.MULTILINE)) == 5
    without = run(GATE, tmp_path, pytest_alone)
    assert "No module named 'rigidlimit_gates'" in without.stdout, "negative control"


def test_both_plugins_explain_the_series_of_their_package(packages: Path, tmp_path: Path) -> None:
    gate = GATE.split("def test_the_compiled")[0] + '''
import rigidlimit


def test_gates():
    assert rl.Series(STEPS, STEPS, name="pure") == rl.converges_with_order(2)


def test_compiled():
    assert rigidlimit.Series(STEPS, STEPS, name="compiled") == rigidlimit.converges_with_order(2)


def test_mixed():
    assert rigidlimit.Series(STEPS, STEPS) == rl.converges_with_order(1)
'''
    (tmp_path / "test_gate.py").write_text(gate, encoding="utf-8")
    done = subprocess.run([sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "test_gate.py"], cwd=tmp_path,
                          env={"HOME": str(tmp_path), "LANG": "C.UTF-8", "PYTHONPATH": str(packages), "CI": "true"},
                          capture_output=True, text=True, check=False)
    assert "3 failed" in done.stdout, done.stdout + done.stderr
    for name in ("pure", "compiled"):
        assert f"converges with order 2 ± 0.05: does not hold for {name} of 6 ε" in done.stdout
    assert "TypeError: 'converges with order 1 ± 0.05' judges a Series, not a Series" in done.stdout
