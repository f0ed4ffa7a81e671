"""The own motions with jumps have their closed forms, and the comparison finds motions of other switches.

All 300 studies: python tests/oracle/random_switches.py --count 300
"""

from __future__ import annotations

import dataclasses
from pathlib import Path

import numpy as np
import pytest
from oracle_tables import PROGRAM
from random_switches import OWN, WRONG, Output, Verdict, compare, judge, tables, time_bar
from switch_cases import G, KINDS, Case, on, random_switches, roof
from switch_motions import Degenerate, Jump, Opening, Quantity, Setting, Sliding, Solve

SEED = 1
STUDIES = (*range(len(KINDS)), 38, 48)  # one of each kind, and thin ridges


def perfect(case: Case, exact: Case) -> Output:
    """The output of a program that has the motion of `exact`, with the bars 1e-11."""
    times = np.linspace(0.0, case.setting.end, 12)[1:-1]
    events, first = exact.events(), list[tuple[float, float, float]]()
    if case.kind in ("ridge", "corner"):
        first = [(epsilon, events[0].t, 1e-12) for epsilon in case.epsilons]
    return Output([(one.t, one.kind) for one in events], [(float(t), exact.motion.at(float(t))) for t in times],
                  1e-11, 1e-11, first)


def crate(friction: float = 0.05, level: float = 2.0, start: float = 3.0) -> Setting:
    """A crate slides from ice onto concrete (0.6) at x = level."""
    load = Quantity("0", (Jump(0, friction, 0.6, factor=repr(20.0 * G)),))
    return Setting(("x",), np.array([20.0]), "0", ("0",), (Quantity(),), [on(1, 1, level)],
                   Sliding(np.eye(1), np.zeros(1), 1.0, load), np.zeros(1), np.array([start]), 2.0)


def test_a_crate_that_slides_onto_concrete_has_its_closed_form() -> None:
    """v1^2 = v0^2 - 2 a1 s at the edge, then t = (v0 - v1)/a1 + v1/a2 and x = s + v1^2/(2 a2).

    The tolerance is OWN = 1e-10. Control: an edge 1e-6 m away moves the stop by 1e-6 (a1 - a2)/(v1 a2) = 3e-7 s.
    """
    a1, a2, s = 0.05 * G, 0.6 * G, 2.0
    v1 = (9.0 - 2.0 * a1 * s) ** 0.5
    motion = Solve(crate())
    edge, stop = motion.events
    assert (edge.kind, stop.kind) == ("switch", "stick")
    assert edge.t == pytest.approx((3.0 - v1) / a1, abs=OWN)
    assert stop.t == pytest.approx((3.0 - v1) / a1 + v1 / a2, abs=OWN)
    assert motion.at(1.7)[0] == pytest.approx(s + v1**2 / (2.0 * a2), abs=OWN)
    assert abs(Solve(crate(level=s + 1e-6)).events[1].t - stop.t) > 100.0 * OWN


def test_a_puck_in_the_plane_slides_straight_onto_the_dry_side() -> None:
    """Without a force the direction stays: the path is that of the crate, and the line is reached at |r| = s/cos."""
    load = Quantity("0", (Jump(0, 0.05, 0.6, factor=repr(G)),))
    direction = np.array([0.8, 0.6])
    setting = Setting(("x", "y"), np.ones(2), "0", ("0", "0"), (Quantity(), Quantity()), [on(2, 1, 2.8, 2)],
                      Sliding(np.eye(2), np.zeros(2), 1.0, load), np.zeros(2), 3.0 * direction, 2.0)
    along, motion = Solve(crate()), Solve(setting)   # 2.8 = 2 (0.8 + 0.6)
    for ours, theirs in zip(motion.events, along.events, strict=True):
        assert (ours.kind, ours.t) == (theirs.kind, pytest.approx(theirs.t, abs=OWN))
    assert motion.at(1.9)[:2] == pytest.approx(along.at(1.9)[0] * direction, abs=OWN)


def test_a_disc_that_slips_rolls_at_its_closed_time() -> None:
    """w' = -mu g (1 + m r^2/J) until w = 0; then no friction acts, and v stays."""
    m, r, inertia, mu = 2.0, 0.25, 0.08, 0.3
    setting = Setting(("x", "turn"), np.array([m, inertia]), "0", ("0", "0"), (Quantity(), Quantity()), [],
                      Sliding(np.array([[1.0, -r]]), np.zeros(1), mu, Quantity(repr(m * G))), np.zeros(2),
                      np.array([1.5, 0.0]), 1.0)
    motion = Solve(setting)
    t = 1.5 / (mu * G * (1.0 + m * r**2 / inertia))
    assert [(one.kind, one.t) for one in motion.events] == [("stick", pytest.approx(t, abs=OWN))]
    assert motion.at(0.9)[2] == pytest.approx(1.5 - mu * G * t, abs=OWN)


def test_a_wind_lifts_a_ball_that_rests_and_another_bounces() -> None:
    """e = 0 from 0.2 m: lands at sqrt(2 h/g), lifts at 0.5 s with 2 m/s^2. e = 0.5: flies for 2 e v/g."""
    wind = Quantity("0", (Jump(0, 0.0, G + 2.0),))
    ball = Setting(("x", "y"), np.ones(2), "0", ("0", repr(G)), (Quantity(), wind), [on(2, 0, 0.5)],
                   Opening("0", lambda _: (0.0, 0.0, 0.0), 0.0), np.array([0.0, 0.2]), np.array([1.0, 0.0]), 1.0)
    land = (0.4 / G) ** 0.5
    rests = Solve(ball)
    assert [(one.kind, one.t) for one in rests.events] == [
        ("impact", pytest.approx(land, abs=OWN)), ("switch", 0.5), ("detachment", 0.5)]
    assert rests.at(0.9)[1] == pytest.approx(0.16, abs=OWN)
    bounces = Solve(dataclasses.replace(ball, contact=Opening("0", lambda _: (0.0, 0.0, 0.0), 0.5), end=0.45))
    assert [one.t for one in bounces.events] == pytest.approx([land, land + G * land / G], abs=OWN)


def test_motions_along_a_switch_and_forces_near_their_bound_are_refused() -> None:
    """A brake above 1 m/s and a drive below it hold the speed there: no single motion tests a program."""
    drive = Quantity("0", (Jump(0, 40.0, -40.0),))
    setting = dataclasses.replace(crate(), applied=(drive,), switches=[on(1, 2, 1.0)],
                                  contact=Sliding(np.eye(1), np.zeros(1), 1.0, Quantity("1")))
    with pytest.raises(Degenerate, match="slides along"):
        Solve(setting)
    with pytest.raises(Degenerate, match="bound"):
        Solve(dataclasses.replace(setting, applied=(Quantity("1"),), switches=[], v=np.zeros(1)))


def test_a_roof_and_its_text_agree() -> None:
    """Control: the other flank has the other slope."""
    height, slope, _ = roof(0.5, 1.0, 4.0)(1.05)
    assert (height, slope) == (pytest.approx(0.3), -4.0)
    assert roof(0.5, 1.0, 4.0)(0.95)[1] == 4.0 and roof(0.5, 1.0, 4.0)(1.2) == (0.0, 0.0, 0.0)


@pytest.mark.parametrize("index", range(len(KINDS)))
def test_the_comparison_finds_the_motion_of_levels_moved_by_a_millionth(index: int) -> None:
    """The own motion is right; that of moved levels, or one with q off by 1e-9 or without a first impact, is wrong."""
    case = random_switches(SEED, index)
    assert not compare(case, perfect(case, case))
    kinds = {one.kind for one in compare(case, perfect(case, case.moved(1e-6)))}
    assert kinds & set(WRONG), kinds
    output = perfect(case, case)
    output.samples[3][1][0] += 1e-9
    assert {one.kind for one in compare(case, output)} == {"state"}
    if output.first_impacts:
        output = perfect(case, case)
        output.first_impacts = [(epsilon, float("nan"), float("nan")) for epsilon in case.epsilons]
        assert {one.kind for one in compare(case, output)} == {"missed"}


def test_events_and_times_that_are_off_are_found() -> None:
    """Control: an event that is absent, one that is late by twice its bar, bars that say nothing, a claim not held."""
    case = random_switches(SEED, KINDS.index("belt"))
    output = perfect(case, case)
    late = dataclasses.replace(output, events=[(t + 2.0 * time_bar(one, output), kind)
                                               for (t, kind), one in zip(output.events, case.events())])
    assert {one.kind for one in compare(case, late)} == {"time"}
    assert {one.kind for one in compare(case, dataclasses.replace(output, events=output.events[1:]))} == {"events"}
    for broken, kind in ((dataclasses.replace(output, q_error=1e-3), "coarse"),
                         (dataclasses.replace(output, q_error=float("nan")), "coarse"),
                         (dataclasses.replace(output, unheld=["energy"]), "unheld"),
                         (dataclasses.replace(output, failed=["eps"]), "failed")):
        assert kind in {one.kind for one in compare(case, broken)}


@pytest.fixture(scope="module")
def verdicts(tmp_path_factory: pytest.TempPathFactory) -> list[Verdict]:
    folder = Path(tmp_path_factory.mktemp("switches"))
    return [judge(PROGRAM, random_switches(SEED, index), folder, 60.0) for index in STUDIES]


def test_no_study_is_off_by_more_than_its_bars(verdicts: list[Verdict]) -> None:
    found = [f"{one.kind}: {finding.kind}: {finding.text}" for one in verdicts for finding in one.findings]
    assert not found, "\n" + "\n".join(found) + "\n" + tables(verdicts)


@pytest.mark.parametrize("kind", ["belt", "ridge"])
def test_the_program_with_other_levels_is_found(tmp_path: Path, kind: str) -> None:
    """Control through the program: it runs the text, and the own levels or start are 1e-6 higher."""
    case = random_switches(SEED, KINDS.index(kind))
    moved = dataclasses.replace(case, motion=case.moved(1e-6).motion)
    assert case.text() == moved.text()
    assert not judge(PROGRAM, case, tmp_path, 60.0).has(WRONG)
    assert judge(PROGRAM, moved, tmp_path, 60.0).has(WRONG)
