"""Damping maps."""

from pathlib import Path

import pytest

from made_map import damping_map

@pytest.fixture(scope="session")
def orders_map(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """4 zeta x 3 beta x 4 eps."""
    return damping_map("knife_edge_damping", tmp_path_factory.mktemp("orders"),
                       "sweep.contact.damping_ratio=[0.25, 0.5, 1.0, 2.0]",
                       "sweep.contact.damping_exponent=[0.0, 1.0, 2.0]", "epsilon.count=4")


@pytest.fixture(scope="session")
def plane_map(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """3 c x 2 d."""
    return damping_map("knife_edge_plane", tmp_path_factory.mktemp("plane"), "epsilon.from=1e-1",
                       "epsilon.to=1e-2", "epsilon.count=3", "sweep.contact.damping=[10.0, 100.0]")
