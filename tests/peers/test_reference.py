"""Tests of the reference end states for the peers. NumPy only."""

import json
from math import cos, sin
from pathlib import Path

import numpy as np
import pytest

from peers.problems import END_TIME, problem
from peers.reference import collocate, graded_mesh, own_reference, radau_iia, read_references


def rigid_knife_edge(t: float) -> np.ndarray:
    """The closed form of docs/theory.md, section 8."""
    s, u0, w = 9.81 * sin(0.3), 0.7, 1.3
    u = u0 + s / w * sin(w * t)
    return np.array([u0 / w * sin(w * t) + s * sin(w * t) ** 2 / (2 * w * w),
                     u0 / w * (1 - cos(w * t)) + s / w * (t / 2 - sin(2 * w * t) / (4 * w)),
                     w * t, u * cos(w * t), u * sin(w * t), w])


def test_radau_iia_satisfies_the_collocation_conditions() -> None:
    """sum_j A_ij c_j^(k-1) = c_i^k/k for k <= s (C(s)), sum_j b_j c_j^(k-1) = 1/k for k <= 2 s - 1
    (B(2 s - 1)) and, as a negative control, not for k = 2 s; to a few units of round-off."""
    for stages in (2, 7, 9):
        c, A = radau_iia(stages)
        assert c[-1] == 1.0 and np.all(np.diff(c) > 0.0)
        for k in range(1, stages + 1):
            assert A @ c ** (k - 1) == pytest.approx(c**k / k, abs=1e-14)
        for k in range(1, 2 * stages):
            assert A[-1] @ c ** (k - 1) == pytest.approx(1.0 / k, abs=1e-14)
    c, A = radau_iia(2)
    assert abs(A[-1] @ c**3 - 0.25) > 1e-3


def test_the_mesh_is_graded() -> None:
    times = graded_mesh(1e-6, 1.5, 0.05, 2.0)
    steps = np.diff(times)
    assert times[0] == 0.0 and times[-1] == 2.0
    assert steps[0] <= 1e-6 and np.max(steps) <= 0.05 and np.max(steps[1:] / steps[:-1]) < 1.51


def test_the_rigid_end_state_equals_the_closed_form() -> None:
    """The tolerance is the round-off of some hundred operations. At eps = 1e-2 the compliant end
    differs by 1.8e-3 (|q2| = 17.675 at t = 2 times eps^2), so the comparison is sensitive."""
    rigid = own_reference("knife_edge", float("nan"))
    assert rigid.end == pytest.approx(rigid_knife_edge(END_TIME), abs=1e-13)
    assert rigid.error_bar < 1e-13
    distance = np.abs(own_reference("knife_edge", 1e-2).end - rigid.end)
    assert np.max(distance[:3]) == pytest.approx(17.675e-4, rel=0.02)


def test_a_coarse_collocation_differs_from_the_reference() -> None:
    """Order 3 with 60 steps must show its error, otherwise the error bar would be meaningless."""
    ode = problem("chaplygin_sleigh", "adapted", 1e-2)
    coarse = ode.end(collocate(ode.rhs, ode.jacobian, ode.start,
                               graded_mesh(5e-3, 1.5, 0.05, END_TIME), 2))
    reference = own_reference("chaplygin_sleigh", 1e-2)
    assert 1e-8 < np.max(np.abs(coarse - reference.end)) < 1e-2
    assert reference.error_bar < 1e-13


def test_references_are_read_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "ends.json"
    entries = [{"problem": "knife_edge", "epsilon": 1e-2, "end": [1, 2, 3, 4, 5, 6.5],
                "error_bar": 1e-14},
               {"problem": "knife_edge", "epsilon": None, "end": [0] * 6, "error_bar": 0}]
    path.write_text(json.dumps(entries), encoding="utf-8")
    found = read_references(path)
    assert found["knife_edge", 0.01].end[-1] == 6.5 and found["knife_edge", 0.01].error_bar == 1e-14
    assert ("knife_edge", None) in found
    path.write_text(json.dumps(entries[0]), encoding="utf-8")
    assert len(read_references(path)) == 1, "one object is a list of one"


@pytest.mark.parametrize("text", ["{", '{"problem": "x"}', '[{"problem": "x", "epsilon": 1, "end": '
                                  '["a"], "error_bar": 0}]', '[{"problem": "x", "epsilon": 1, "end":'
                                  ' [NaN], "error_bar": 0}]'])
def test_an_invalid_reference_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "ends.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match="ends.json: no list of references"):
        read_references(path)
