"""Three blades of rank 2 with full C and D: errors, internal forces and derivatives are those of the oracle.

The contact selects the multiplier with the least Lambda^T C^-1 Lambda, and its damper adds an internal force of order
eps (docs/theory.md, section 6), so that lambda has order 1 in the window `after`.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from oracle_bodies import DAMPING, STIFFNESS, blades
from oracle_pair import STEP, Body, Distance, compliant, distance, rolling, windows_of
from oracle_tables import HERE, limit, listed, misses, row_of, run

END = 1.0
EPSILON = (2e-2, 1e-2, 5e-3)
ALL = [(quantity, norm, window) for quantity in ("q", "v", "lambda") for norm in ("sup", "l2")
       for window in ("all", "after")]
Tables = dict[str, list[dict[str, str]]]


def errors(body: Body, epsilon: float, derivative: bool = False) -> Distance:
    rigid = rolling(body, END, derivative=derivative)
    return distance(rigid, compliant(body, epsilon, END, derivative=derivative), epsilon, windows_of(END, END / 4))


@pytest.fixture(scope="module")
def truth() -> dict[float, Distance]:
    return {epsilon: errors(blades(), epsilon) for epsilon in EPSILON}


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Tables:
    return run(HERE / "three_blades.toml", Path(tmp_path_factory.mktemp("blades")))


def test_errors_of_redundant_contacts(tables: Tables, truth: dict[float, Distance]) -> None:
    """|error of the program - error of the oracle| <= solver, reference and sampling error + accuracy of the oracle."""
    found = misses(tables["errors"], truth, ALL)
    assert not found, listed(found)


def test_another_contact_misses_the_errors(tables: Tables) -> None:
    """Control. 0.1 % more stiffness takes 0.1 % of q2 away; 0.1 % more damping changes v by 0.05 %.

    1 % more in one element of D alone changes the internal force, lambda - Lambda of the window `after`.
    """
    changed = DAMPING.copy()
    changed[2, 2] *= 1.01
    for body, measures in ((blades(stiffness=1.001 * STIFFNESS), [("q", "sup", "all")]),
                           (blades(damping=1.001 * DAMPING), [("v", "sup", "all"), ("lambda", "l2", "all")]),
                           (blades(damping=changed), [("lambda", "sup", "after")])):
        assert len(misses(tables["errors"], {2e-2: errors(body, 2e-2)}, measures)) == len(measures), measures


def test_predicted_constants_are_the_limits_of_the_errors(tables: Tables, truth: dict[float, Distance]) -> None:
    """error/eps^k of the oracle tends to the predicted constant; lambda has order 0, and 1 in the window `after`.

    The bar is the distance of two extrapolations, below 3e-3 of the constant; 1 % more is outside.
    """
    for key, order in ((("q", "all"), 2.0), (("v", "all"), 1.0), (("lambda", "all"), 0.0), (("v", "after"), 2.0),
                       (("lambda", "after"), 1.0)):
        value, error = limit({e: truth[e][key[0], "sup", key[1]] for e in EPSILON}, order)
        predicted = float(row_of(tables["errors"], 5e-3, key[0], "sup", key[1])["predicted_coefficient"])
        assert error < 3e-3 * value, "the control below needs this"
        assert predicted == pytest.approx(value, abs=error + 1e-6 * value), key
        assert 1.01 * predicted != pytest.approx(value, abs=error + 1e-6 * value)


DIRECTIONS = {"parameter": (["tangent.parameter=ahead"], {"ahead": 0.7 + 1j * STEP}),
              "start": (["tangent.q={h = 1.0}", "tangent.v={h = 2.0}"],
                        {"dq": [0.0, 0.0, 1j * STEP], "dv": [0.0, 0.0, 2j * STEP]})}


@pytest.mark.parametrize("direction", DIRECTIONS)
def test_errors_of_derivatives(direction: str, tmp_path: Path) -> None:
    """Errors of (q, dq/ds), … are those of the variational equations of both motions, for a parameter and a start.

    The parameter is a length in the constraint, so that the projection of the start depends on it too. Control: the
    derivative along a direction that is 0.1 % longer misses.
    """
    overrides, arguments = DIRECTIONS[direction]
    table = run(HERE / "three_blades.toml", tmp_path, *overrides, "epsilon.values=[2e-2, 1e-2]")["errors"]
    epsilons = (2e-2, 1e-2) if direction == "parameter" else (2e-2,)
    truth = {epsilon: errors(blades(**arguments), epsilon, derivative=True) for epsilon in epsilons}
    found = misses(table, truth, ALL)
    assert not found, listed(found)
    longer = {name: value.real + 1.001j * value.imag if np.isscalar(value) else [1.001 * x for x in value]
              for name, value in arguments.items()}
    wrong = errors(blades(**longer), 2e-2, derivative=True)
    assert len(misses(table, {2e-2: wrong}, [("v", "sup", "all"), ("lambda", "sup", "all")])) == 2
