"""Tests of the laws of soft joints in other engines: benchmarks/guests/joints."""

from __future__ import annotations

import sys
from dataclasses import replace
from math import isnan, pi
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "benchmarks"))

from guests.joints.cell import Load  # noqa: E402
from guests.joints.settings import (JointSettings, creep, first_order_shift, first_order_step,  # noqa: E402
                                    mujoco_joint_settings)
from guests.joints.table import ENGINES, cells_of  # noqa: E402


def rows(settings: JointSettings) -> tuple[float, float]:
    """k and c from MuJoCo's R = (1 - d)/d A, b = 2/(d t_c) and K = 1/(d t_c r)^2."""
    d, t = settings.impedance, settings.timeconst
    softness = (1.0 - d) / d * settings.mass_inverse
    return d / (d * t * settings.dampratio)**2 / softness, 2.0 / (d * t) / softness


@pytest.mark.parametrize("gap", [1e-2, 1e-4, 1e-6, 1e-9])
@pytest.mark.parametrize("dampratio", [0.5, 1.0, 2.0])
def test_the_settings_have_the_stiffness_and_the_damping_of_the_wanted_gap(gap: float, dampratio: float) -> None:
    settings = mujoco_joint_settings(gap, 29.43, 0.7, dampratio=dampratio)
    k, c = rows(settings)
    assert 29.43 / k == pytest.approx(gap, rel=1e-9)
    assert (settings.stiffness, settings.damping) == pytest.approx((k, c), rel=1e-9)
    assert c / k == pytest.approx(2.0 * settings.timeconst * dampratio**2, rel=1e-9)
    assert 0.5 <= settings.impedance <= 0.9999 + 1e-12


def test_a_law_without_the_softness_of_the_impedance_misses() -> None:
    """The negative control: k = d^2/(A (d t_c r)^2) is a hundredth of k at d = 0.99."""
    settings = replace(mujoco_joint_settings(1e-5, 9.81, 1.0), impedance=0.99)
    without = settings.stiffness * (1.0 - settings.impedance)
    assert rows(settings)[0] == pytest.approx(settings.stiffness, rel=1e-9)
    assert rows(settings)[0] / without == pytest.approx(100.0, rel=1e-9)


@pytest.mark.parametrize("name", ["gap", "load", "mass_inverse", "timeconst", "dampratio"])
@pytest.mark.parametrize("value", [0.0, -1.0, float("nan")])
def test_an_argument_that_is_not_positive_is_refused(name: str, value: float) -> None:
    arguments = {"gap": 1e-4, "load": 1.0, "mass_inverse": 1.0, "timeconst": 5e-3, "dampratio": 1.0, name: value}
    with pytest.raises(ValueError, match=name):
        mujoco_joint_settings(**arguments)


def test_the_multiplier_of_a_point_mass_at_the_bottom_is_three_weights() -> None:
    assert Load("swinging", inertia=0.0).multiplier == pytest.approx(3.0 * 9.81, rel=1e-14)
    assert Load("hanging").multiplier == pytest.approx(9.81, rel=1e-14)
    assert Load("swinging", inertia=1.0).multiplier == pytest.approx(2.0 * 9.81, rel=1e-14)


def test_the_step_of_a_shift_has_that_shift() -> None:
    assert first_order_shift(first_order_step(1e-6, 19.62, 0.01), 19.62, 0.01) == pytest.approx(1e-6, rel=1e-14)


def test_a_missing_engine_is_one_cell_with_the_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    for engine, package in zip(ENGINES, ("mujoco", "exudyn", "pydrake", "newton")):
        monkeypatch.delitem(sys.modules, f"guests.joints.{engine}_joints", raising=False)
        monkeypatch.setitem(sys.modules, package, None)  # makes its import fail
        (cell,) = cells_of(engine)
        assert isnan(cell.found) and not cell.near and package in cell.reason


def recent_mujoco() -> None:
    """Releases before 3.7 lack the term of J' v (docs/joints.md)."""
    mujoco = pytest.importorskip("mujoco")
    if tuple(map(int, mujoco.__version__.split(".")[:2])) < (3, 7):
        pytest.skip(f"MuJoCo {mujoco.__version__} is before 3.7")


@pytest.mark.parametrize("kind", ["connect", "weld"])
def test_a_joint_of_mujoco_opens_by_the_wanted_gap(kind: str) -> None:
    """1 %: the next term of the expansion, of order t_c^2 beside a swing of 0.6 s, is 0.2 % (measured)."""
    recent_mujoco()
    from guests.joints.mujoco_joints import built, gap, settings_of, stiffness

    for case in ("hanging", "swinging"):
        load = Load(case)
        settings = settings_of(kind, load, 1e-4)
        assert stiffness(built(kind, load, settings, "RK4", 1e-4)[1]) == pytest.approx(settings.stiffness, rel=1e-6)
        assert gap(kind, load, settings, "RK4", settings.step()) == pytest.approx(1e-4, rel=0.01)
    softer = replace(settings, impedance=1.0 - 2.0 * (1.0 - settings.impedance))
    found = gap(kind, load, softer, "RK4", softer.step())
    assert found == pytest.approx(2e-4, rel=0.01), "the gap is proportional to 1 - d, which a law without it denies"


def test_euler_steps_reduce_the_gap_of_a_swing_by_the_shift_of_their_order() -> None:
    recent_mujoco()
    from guests.joints.mujoco_joints import gap, settings_of

    load = Load("swinging")
    settings = settings_of("connect", load, 1e-4)
    relaxation = settings.damping / settings.stiffness
    exact = gap("connect", load, settings, "RK4", settings.step())
    for step in (1e-4, 2e-4):
        shift = exact - gap("connect", load, settings, "Euler", step)
        assert shift == pytest.approx(first_order_shift(step, load.acceleration, relaxation), rel=0.05)


def test_a_grip_of_mujoco_lets_its_load_creep_at_the_speed_of_the_law() -> None:
    pytest.importorskip("mujoco")
    from guests.joints.mujoco_creep import predicted, speed

    for setting in (("elliptic", 1.0, 5e-3, 0.9), ("elliptic", 100.0, 2e-2, 0.99), ("pyramidal", 10.0, 5e-3, 0.999)):
        assert speed(*setting) == pytest.approx(predicted(*setting), rel=1e-3)
    of_wrong_cone = predicted("elliptic", 10.0, 5e-3, 0.999)
    assert speed("pyramidal", 10.0, 5e-3, 0.999) / of_wrong_cone == pytest.approx(1.36, rel=1e-3), "1 + mu^2"


def test_creep_is_proportional_to_the_load_and_inverse_to_impratio() -> None:
    one = creep(0.9, 5e-3, 30.0, 0.1, 1.0)
    assert creep(0.9, 5e-3, 30.0, 0.2, 10.0) == pytest.approx(0.2 * one, rel=1e-14)
    assert creep(0.9, 5e-3, 30.0, 0.1, 1.0, 0.6) == pytest.approx(1.36 * one, rel=1e-14)


def test_the_ball_constraint_of_drake_opens_with_the_square_of_its_step() -> None:
    pytest.importorskip("pydrake")
    from guests.joints.drake_joints import BETA, delassus, gap

    load = Load("hanging")
    law = BETA**2 * delassus("ball", load) * load.multiplier / (2.0 * pi**2)
    for step in (1e-3, 1e-2):
        assert gap("ball", load, step) == pytest.approx(law * step**2, rel=0.01)
    assert gap("ball", load, 1e-2) > 50.0 * gap("ball", load, 1e-3), "a joint with a stiffness of its own would not"
