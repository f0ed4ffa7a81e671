"""Adds the folder of the package golden to the path, and provides a record to compare."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))

from golden.records import Record, Table  # noqa: E402


@pytest.fixture
def record() -> Record:
    """Errors of a pair at three ε, a curve of eleven samples, an outcome; a new record for each test."""
    return Record("made", "smooth", "experiments/made.toml", [], {"compiler": "made"}, {
        "outcome": Table({"exit_status": [0], "held": [True], "interrupted": [False],
                          "no_prediction": [""]}),
        "errors": Table({
            "law": ["viscoelastic"] * 3, "rigid_solver": ["ida"] * 3, "compliant_solver": ["cvode"] * 3,
            "quantity": ["q"] * 3, "norm": ["sup"] * 3, "window": ["all"] * 3,
            "epsilon": [0.1, 0.01, 0.001], "model_error": [1.0, 0.01, 1e-4],
            "solver_error": [1e-8, 2e-8, 3e-8], "reference_error": [1e-10, 1e-10, 1e-10],
            "order": [None, 2.0, 2.0], "verdict": ["confirmed"] * 3,
            "status": ["ok", "ok", "solver_limited"], "work.steps": [100, 120, 140]}),
        "motions": Table({
            "motion": ["rigid"] * 11, "tangential_power": [None] * 11, "solver": [""] * 11,
            "epsilon": [None] * 11, "t": [k / 10 for k in range(11)],
            "q1": [k / 5 for k in range(11)], "modes": ["slip"] * 11}),
        "failures": Table({}),
    })
