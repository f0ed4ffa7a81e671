"""Every Python package that the scripts install is pinned by the hashes of its files."""

from __future__ import annotations

import re
import subprocess
import sys
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[2]
PINS = dict(re.findall(r"^([\w.-]+)==([\w.]+)$", (ROOT / "analysis/requirements.txt").read_text(encoding="utf-8"), re.M))
LOCK = (ROOT / "analysis/requirements.lock").read_text(encoding="utf-8")


def normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def script() -> ModuleType:
    loader = SourceFileLoader("lock", str(ROOT / "scripts/lock"))
    found = module_from_spec(spec_from_loader("lock", loader))  # type: ignore[arg-type]
    loader.exec_module(found)
    return found


def test_every_package_of_the_list_is_locked_at_its_version() -> None:
    locked = {normal(name): version for name, version in re.findall(r"^([\w.-]+)==([\w.]+) \\$", LOCK, re.M)}
    assert len(PINS) > 25 and {normal(name): version for name, version in PINS.items()}.items() <= locked.items()
    entries = re.split(r"\n(?=[\w.-]+==)", LOCK)[1:]
    assert len(entries) == len(locked) > len(PINS), "and those that they need"
    assert all(re.fullmatch(r"\S+ \\\n(    --hash=sha256:[0-9a-f]{64} \\\n)*    --hash=sha256:[0-9a-f]{64}\n?", entry)
               for entry in entries)


@pytest.mark.parametrize(("file", "locked"), [
    ("numpy-2.4.6-cp311-cp311-manylinux_2_28_x86_64.whl", True), ("numpy-2.4.6-cp314-cp314t-macosx_14_0_arm64.whl", True),
    ("numpy-2.4.6.tar.gz", True), ("numpy-2.4.6-cp310-cp310-win_amd64.whl", False), ("numpy-2.4.61.tar.gz", False),
    ("numpy-2.4.6-py2.py3-none-any.whl", True), ("numpy-2.4.6-cp39-abi3-musllinux_1_2_x86_64.whl", True),
    ("numpy_financial-2.4.6.tar.gz", False), ("numpy-2.4.6-1-py3-none-any.whl", True)])
def test_files_of_one_version_for_supported_pythons_are_locked(file: str, locked: bool) -> None:
    assert script().is_of(file, "numpy", "2.4.6") == locked


def test_names_of_files_are_compared_as_the_index_does() -> None:
    assert script().is_of("mkdocs_material-9.8.2-py3-none-any.whl", "mkdocs-material", "9.8.2")
    assert script().is_of("ruamel.yaml-0.18.tar.gz", "ruamel_yaml", "0.18")


def test_a_file_of_another_hash_is_not_installed(tmp_path: Path) -> None:
    """Control: with the right hash pip goes on to install it."""
    import hashlib
    import zipfile

    wheel = tmp_path / "mine-1.0-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as made:
        made.writestr("mine.py", "")
        made.writestr("mine-1.0.dist-info/METADATA", "Metadata-Version: 2.1\nName: mine\nVersion: 1.0\n")
        made.writestr("mine-1.0.dist-info/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        made.writestr("mine-1.0.dist-info/RECORD", "")
    for digest, status in ((hashlib.sha256(wheel.read_bytes()).hexdigest(), 0), ("0" * 64, 1)):
        (tmp_path / "lock").write_text(f"mine==1.0 \\\n    --hash=sha256:{digest}\n", encoding="utf-8")
        done = subprocess.run([sys.executable, "-m", "pip", "install", "--require-hashes", "--no-index", "--find-links", tmp_path,
                               "--target", tmp_path / "there", "--upgrade", "-r", tmp_path / "lock"], capture_output=True, check=False)
        assert done.returncode == status, done.stderr


def test_actions_of_workflows_are_pinned_by_their_commit() -> None:
    """A tag can be moved to other code; a commit cannot."""
    used = [line for file in (*(ROOT / ".github/workflows").glob("*.yml"), *(ROOT / "examples").rglob("*.yml"))
            for line in re.findall(r"uses: *(.+)", file.read_text(encoding="utf-8"))]
    pinned = r"[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+"
    assert len(used) >= 5 and [line for line in used if not re.fullmatch(pinned, line)] == []
    assert not re.fullmatch(pinned, "actions/checkout@v4"), "negative control"
