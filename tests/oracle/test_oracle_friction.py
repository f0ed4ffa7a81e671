"""A disc and a wheel that slip, then roll: errors, and times of the end of slipping, are those of the oracle."""

from __future__ import annotations

from pathlib import Path

import pytest
from oracle_bodies import disc, wheel
from oracle_pair import Body, Distance, Motion, distance, friction_compliant, friction_rigid
from oracle_tables import HERE, ROOT, limit, listed, misses, row_of, run

Tables = dict[str, list[dict[str, str]]]
EPSILON = (1e-2, 5e-3, 2.5e-3, 1.25e-3)
ALL = [(quantity, norm, window) for quantity in ("q", "v", "lambda") for norm in ("sup", "l2")
       for window in ("all", "away")]
END = {"disc": 0.9, "wheel": 0.6}
TIME = 1e-12  # s: accuracy of an event of the oracle, 1e-12 m/s over a deceleration of some m/s^2


def windows(name: str, rigid: Motion) -> dict[str, list[tuple[float, float]]]:
    """`away` leaves out `time.margin` on both sides of the event: end/100, or 0.2 s in the study of the wheel."""
    end, (event,) = END[name], rigid.events
    margin = {"disc": end / 100, "wheel": 0.2}[name]
    return {"all": [(0.0, end)], "away": [(0.0, event - margin), (event + margin, end)]}


def errors(name: str, body: Body, epsilon: float) -> tuple[float, Distance]:
    """The end of slipping at epsilon, and the errors."""
    rigid, motion = friction_rigid(body, END[name]), friction_compliant(body, epsilon, END[name])
    return motion.events[0], distance(rigid, motion, epsilon, windows(name, rigid))


@pytest.fixture(scope="module")
def truth() -> dict[float, tuple[float, Distance]]:
    return {epsilon: errors("disc", disc(), epsilon) for epsilon in EPSILON}


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Tables:
    return run(HERE / "disc_slip.toml", Path(tmp_path_factory.mktemp("disc")))


@pytest.mark.parametrize("norm", ["sup", "l2"])
def test_errors_of_a_disc_that_slips_then_rolls(tables: Tables, truth: dict[float, tuple[float, Distance]], norm: str
                                                ) -> None:
    """|error of the program - error of the oracle| <= solver, reference and sampling error + accuracy of the oracle."""
    measures = [measure for measure in ALL if measure[1] == norm]
    found = misses(tables["errors"], {epsilon: distance for epsilon, (_, distance) in truth.items()}, measures)
    assert not found, listed(found)


def test_another_contact_misses_the_errors(tables: Tables) -> None:
    """Control. 0.1 % more damping lowers the peak of v by 0.05 %, 0.1 % more stiffness takes 0.1 % of q2 away."""
    damped, stiffer = errors("disc", disc(0.7 * 1.001), 1e-2)[1], errors("disc", disc(0.7, 1.001), 1e-2)[1]
    assert misses(tables["errors"], {1e-2: damped}, [("v", "sup", "all")])
    assert misses(tables["errors"], {1e-2: stiffer}, [("q", "sup", "all")])


def test_the_end_of_slipping(tables: Tables, truth: dict[float, tuple[float, Distance]]) -> None:
    """Slipping ends at t* in the rigid motion and at t* + eps^2 t2 + O(eps^3) in the compliant one.

    t2 is extrapolated from three eps, with the distance of two extrapolations as its bar. Control: 0.1 % more damping,
    at eps = 0.01, moves the end of slipping by 0.1 % of the first-order delay eps D C^-1 of the spring.
    """
    (event,) = friction_rigid(disc(), END["disc"]).events
    for epsilon, (time, _) in truth.items():
        (row,) = [row for row in tables["event_times"] if abs(float(row["epsilon"]) / epsilon - 1.0) < 1e-12]
        assert float(row["t_rigid"]) == pytest.approx(event, abs=TIME)
        assert float(row["t"]) == pytest.approx(time, abs=float(row["solver_error"]) + TIME), epsilon
    (row,) = [row for row in tables["event_times"] if abs(float(row["epsilon"]) / 1e-2 - 1.0) < 1e-12]
    damped = errors("disc", disc(0.7 * 1.001), 1e-2)[0]
    assert abs(float(row["t"]) - damped) > float(row["solver_error"]) + TIME
    value, error = limit({epsilon: time - event for epsilon, (time, _) in truth.items()}, 2.0)
    predicted = float(row["predicted"]) / 1e-2**2
    assert predicted == pytest.approx(value, abs=error + 1e-6)
    assert 1.01 * predicted != pytest.approx(value, abs=error + 1e-6)


def test_predicted_terms_lead_the_errors(tables: Tables, truth: dict[float, tuple[float, Distance]]) -> None:
    """error = K(eps) eps^k (1 + O(eps)) with the predicted K: orders 2, 1, 0 through the end of slipping.

    The remainder is at most eps of the term here: below 1.25e-3 at the smallest eps, so that a constant changed by
    1 % is outside.
    """
    epsilon = min(truth)
    distance = truth[epsilon][1]
    for quantity, order in (("q", 2.0), ("v", 1.0), ("lambda", 0.0)):
        row = row_of(tables["errors"], epsilon, quantity, "sup", "all")
        ratio = distance[quantity, "sup", "all"] / (float(row["predicted_coefficient"]) * epsilon**order)
        assert abs(ratio - 1.0) <= epsilon, quantity
        assert abs(1.01 * ratio - 1.0) > epsilon, quantity


def test_errors_of_the_shipped_wheel(tmp_path: Path) -> None:
    """The wheel of the catalogue, from its shipped file, without its claims."""
    table = run(ROOT / "experiments/friction/wheel_slip_to_roll.toml", tmp_path, "epsilon.values=[1e-2, 2.5e-3]",
                "expect=[]")["errors"]
    truth = {epsilon: errors("wheel", wheel(), epsilon)[1] for epsilon in (1e-2, 2.5e-3)}
    found = misses(table, truth, [measure for measure in ALL if measure[2] == "all"])
    assert not found, listed(found)
