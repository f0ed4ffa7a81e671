"""Damping maps made by the program, and the path of the package."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = Path(os.environ.get("RIGIDLIMIT_PROGRAM", ROOT / "build/release/src/rigidlimit"))
sys.path.insert(0, str(ROOT))


def damping_map(name: str, results: Path, *options: str) -> Path:
    """A shipped damping map, shortened by `options` (--set)."""
    if not PROGRAM.exists():
        pytest.skip("the program is not built (scripts/test builds it)")
    changes = [word for option in options for word in ("--set", option)]
    said = subprocess.run([PROGRAM, "run", ROOT / f"experiments/damping/{name}.toml", "--results", results,
                           "--quiet", *changes], check=False, capture_output=True, text=True, timeout=300)
    assert said.returncode in (0, 1) or (results / name).is_dir(), said.stderr
    return results / name


@pytest.fixture(scope="session")
def orders_map(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """2 zeta x 3 beta x 4 eps."""
    return damping_map("knife_edge_damping", tmp_path_factory.mktemp("orders"),
                       "sweep.contact.damping_ratio=[0.5, 1.0]",
                       "sweep.contact.damping_exponent=[0.0, 1.0, 2.0]", "epsilon.count=4")


@pytest.fixture(scope="session")
def plane_map(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """3 c x 2 d."""
    return damping_map("knife_edge_plane", tmp_path_factory.mktemp("plane"), "epsilon.from=1e-1",
                       "epsilon.to=1e-2", "epsilon.count=3", "sweep.contact.damping=[10.0, 100.0]")
