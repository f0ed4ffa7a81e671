"""Random studies: the program proves nothing that an own solve contradicts, and the comparison finds spoilt numbers."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import numpy as np
import pytest
from oracle_pair import multiplier
from oracle_tables import PROGRAM
from random_cases import KINDS, Case, Claim, random_case
from random_studies import (Answer, Record, Verdict, ask, claim_violation, epsilons_below, judge, judge_proof,
                            row_violations, states_of, tables, theorem_violations)

SEED = 11
STUDIES = (3, 4, 7, 13, 22, 23, 26, 27, 28, 29, 32, 33)  # cheap ones of twelve kinds
SHARP = 3  # of kind "prepared": K3 eps is below 0.5 % of K at eps = 3e-4


@pytest.fixture(scope="module")
def verdicts(tmp_path_factory: pytest.TempPathFactory) -> list[Verdict]:
    folder = Path(tmp_path_factory.mktemp("studies"))
    return [judge(PROGRAM, SEED, index, folder) for index in STUDIES]


@pytest.fixture(scope="module")
def proved(tmp_path_factory: pytest.TempPathFactory) -> tuple[Case, Record]:
    """A case and its theorem about q behind the layer."""
    case, study = random_case(SEED, SHARP, "prepared"), Path(tmp_path_factory.mktemp("proved")) / "study.toml"
    study.write_text(case.text())
    (theorem,) = [one for one in ask(PROGRAM, study, "prove", 60.0).records("constants")
                  if (one["quantity"], one["window"]) == ("q", "after")]
    case.least = 3e-4
    theorem["largest_epsilon"] = min(theorem["largest_epsilon"], 10.0 * case.least)  # it holds for a smaller eps0 too
    least = epsilons_below(case, theorem["largest_epsilon"])[-1]
    assert theorem["remainder"] * least < 5e-3 * theorem["constant_lower"]
    return case, theorem


def test_no_statement_contradicts_an_own_solve(verdicts: list[Verdict]) -> None:
    """Sliding starts, moving and redundant rows, belts that disagree, … (docs/certified.md)."""
    found = [f"{verdict.kind}: {line}" for verdict in verdicts for line in verdict.violations]
    assert not found, "\n" + "\n".join(found) + "\n" + tables(verdicts)


def test_the_studies_reach_theorems_and_refusals(verdicts: list[Verdict]) -> None:
    """Without theorems or certified rows the test above would say nothing."""
    assert sum(verdict.theorems for verdict in verdicts) >= 5
    assert sum(verdict.rows for verdict in verdicts) >= 12
    assert sum(verdict.outcome == "refused" for verdict in verdicts) >= 3


@pytest.mark.parametrize("factor", [0.99, 1.01])
def test_a_constant_that_is_off_by_one_percent_is_found(proved: tuple[Case, Record], factor: float) -> None:
    """Control. K3 eps and the own accuracy, 2e-11/eps^2, are together below 0.6 % of K."""
    case, theorem = proved
    assert not theorem_violations(case, theorem)
    spoilt = theorem | {key: factor * theorem[key] for key in ("constant_lower", "constant_upper")}
    assert theorem_violations(case, spoilt)


def test_false_claims_and_rows_are_found(proved: tuple[Case, Record]) -> None:
    """Control. Orders, bounds and a row are spoilt; each state of a claim has a true and a false example."""
    case, theorem = proved
    quantity, constant, epsilon = theorem["quantity"], theorem["constant_upper"], 0.01

    def bound(factor: float, power: float = 2.0) -> Claim:
        return Claim("bound", quantity, {"constant": factor * constant, "power": power, "epsilon": [0.0, 2e-3]},
                     window="after")

    def order(value: float) -> Claim:
        return Claim("expect", quantity, {"order": value}, window="after")

    for true, false in ((bound(1.2), bound(0.9)), (bound(2.0, 1.9), bound(1.2, 2.1)), (order(2.0), order(1.0))):
        assert not claim_violation(case, true, "proved") and claim_violation(case, true, "refuted")
        assert not claim_violation(case, false, "refuted") and claim_violation(case, false, "proved")
    error = case.error(epsilon, quantity, "sup", "after")
    row = {"quantity": quantity, "norm": "sup", "window": "after", "epsilon": epsilon}
    assert not row_violations(case, [row | {"proved_lower": error, "proved_upper": error}])
    assert row_violations(case, [row | {"proved_lower": 1.01 * error, "proved_upper": 1.02 * error}])
    assert row_violations(dataclasses.replace(case, rigid=None), [row | {"proved_lower": 0.0, "proved_upper": error}])


def test_dropped_claims_and_theorems_without_a_motion_are_found() -> None:
    """Control. The exit status 0 needs all claims of the file, and disagreeing belts have no theorem."""
    case = random_case(SEED, KINDS.index("belts"), "belts")
    case.claims = [Claim("expect", "q", {"order": 2.0}), Claim("bound", "q", {"solver_error": 1.0})]
    states, strangers = states_of(case.claims, [{"claim": "q sup all: order 2", "state": "proved"},
                                                {"claim": "v sup all: order 1", "state": "open"}])
    assert states == ["proved", "dropped"] and strangers == ["v sup all: order 1"]
    theorem = {"quantity": "q", "norm": "sup", "window": "all", "status": "proved", "largest_epsilon": 0.01}
    verdict = Verdict("belts")
    judge_proof(case, Answer(0, {"constants": [theorem], "claims": []}, ""), verdict)
    assert len(verdict.violations) == 2 and "no rigid motion" in verdict.violations[0]
    assert "0 of 2 claims" in verdict.violations[1]


@pytest.mark.parametrize("kind", ["plain", "moving", "redundant", "sliding"])
def test_starts_roll_and_rows_stay_zero(kind: str) -> None:
    """G v + b is zero at the start, and the rigid motion keeps it to 1e-10 by d(G v)/dt = 0; a sliding start slides."""
    case = random_case(SEED, 1, kind)
    assert case.rigid is not None
    rigid, compliant = case.pair(0.01)
    for t in np.linspace(0.0, case.end, 5):
        q, v, _ = rigid.piece(t)(t)
        assert case.rigid.rows(q) @ v == pytest.approx(0.0, abs=1e-10)
        assert q[-1] == pytest.approx(t, abs=1e-14), "the clock"
    sliding = case.contact.rows(case.contact.start) @ compliant.piece(0.0)(0.0)[1]
    assert (np.max(np.abs(sliding)) > 1e-3) == (kind == "sliding")
    acceleration = multiplier(case.rigid, 0.0, case.rigid.start, case.rigid.velocity, ())[0]
    assert acceleration[-1] == pytest.approx(0.0, abs=1e-20)
