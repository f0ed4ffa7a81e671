"""Tests of the independent curb solver, and of Siconos if it is installed (python3-siconos with the
Python of the distribution: /usr/bin/python3 -m pytest tests/guests/test_impacts.py)."""

import csv
import importlib.util
import math
from pathlib import Path

import numpy as np
import pytest

from guests.impacts import event_rows, event_table
from guests.impacts.planar_bodies import ball_body, ball_end, builtin, paper_curb
from guests.impacts.planar_reference import ball_reference

BALL = builtin()["ball_thrown"]


def has(module: str) -> bool:
    return importlib.util.find_spec(module) is not None


def test_a_ball_stops_bouncing_after_the_sum_of_its_flights() -> None:
    """sqrt(2 g0/g)(1 + e)/(1 − e); omitted flights below 1e-9 s sum to at most 2e-9 s."""
    events, end = ball_reference(BALL)
    impacts = [e.t for e in events if e.kind == "impact"]
    assert impacts[-1] == pytest.approx(ball_end(BALL), abs=1e-8) and impacts[-1] < ball_end(BALL)
    assert end[1] == pytest.approx(0.1, abs=1e-12)
    assert end[3] + 0.1 * end[5] == pytest.approx(0.0, abs=1e-14), "it rolls"


def test_the_ball_loses_energy_only_at_impacts() -> None:
    """E(0) − E(T) is the sum of the impact losses; g0 = 0.5. Friction acts only in impacts, because
    the ball rolls before the last one. Errors: round-off of 40 sums of 5 J, and 1e-17 J from the
    omitted last flights below 1e-9 s."""
    events, end = ball_reference(BALL)
    energy = lambda q, v: 0.5 * BALL.inertia @ v**2 + 9.81 * q[1]
    lost = energy(BALL.q, BALL.v) - energy(end[:3], end[3:])
    assert sum(e.energy_lost for e in events) == pytest.approx(lost, abs=1e-13)


def test_rows_are_read_as_written(tmp_path: Path) -> None:
    events, _ = ball_reference(BALL)
    event_rows.write_events(tmp_path / "events.csv", "ball", events, 1)
    with (tmp_path / "events.csv").open(encoding="utf-8") as file:
        assert next(csv.reader(file)) == event_rows.columns(3, 1)
    for a, b in zip(events, event_rows.read_events(tmp_path / "events.csv"), strict=True):
        assert (a.t, a.kind, a.contact, a.modes) == (b.t, b.kind, b.contact, b.modes)
        assert np.array_equal(a.impulse, b.impulse) and np.array_equal(a.after, b.after)


def test_events_of_different_steps_are_distinguished(tmp_path: Path) -> None:
    events, _ = ball_reference(BALL)
    event_rows.write_events(tmp_path / "events.csv", "ball", events[:2], 1)
    header, *lines = (tmp_path / "events.csv").read_text(encoding="utf-8").splitlines()
    mixed = [header.replace("study,", "study,step,", 1),
             *(line.replace("ball,", f"ball,{h},", 1) for h, line in zip((1e-3, 1e-4), lines))]
    (tmp_path / "step_events.csv").write_text("\n".join(mixed) + "\n", encoding="utf-8")
    [found] = event_rows.read_events(tmp_path / "step_events.csv", step=1e-4)
    assert found.t == events[1].t


def stepped(p: list[float], l: list[float], v_n: list[float]) -> list[tuple[float, str]]:
    column = lambda x: np.array(x, dtype=float)[:, None]
    zeros = np.zeros((len(p), 3))
    found = event_rows.events_of_steps(np.arange(len(p), dtype=float), zeros, zeros, column(v_n),
                                       column(l), column(p), ("floor",), 0.5, np.ones(3), 0.1)
    return [(e.t, e.kind) for e in found]


def test_events_are_found_in_time_steps() -> None:
    """An impact with a rebound is one event; contact without an impact is a touch; μ = 0.5."""
    assert stepped([0, 2, 0, 0], [0, 1, 0, 0], [0, -3, 0, 0]) == [(1.0, "impact")]
    assert stepped([0, 1, 1, 1, 0], [0, 0.5, 0.5, 0.2, 0], [0, -0.01, 0, 0, 0]) == [
        (1.0, "touch"), (3.0, "stick"), (4.0, "detachment")]
    assert stepped([0, 1, 1, 1], [0, 0, 0, 0.5], [0, -3, 0, 0]) == [(1.0, "impact"), (3.0, "slip")]
    assert stepped([0, 0, 0], [0, 0, 0], [-3, -3, -3]) == [], "no impulse, no event"


def test_impacts_are_matched_by_number_and_other_events_by_time() -> None:
    def row(t: float, kind: str) -> event_rows.EventRow:
        return event_rows.EventRow(t, kind, "floor", *np.zeros((4, 3)), "free")

    first = [row(0.1, "impact"), row(0.11, "impact"), row(0.2, "stick")]
    other = [row(0.112, "impact"), row(0.204, "stick"), row(0.7, "stick")]
    a, b = (event_table.Account(name, rows, np.zeros(6))
            for name, rows in (("a", first), ("b", other)))
    rows = event_table.table([a, b])
    assert rows[0][1:] == [0.1, pytest.approx(0.012)] and rows[2][2] == pytest.approx(0.004)
    assert math.isnan(rows[1][2]), "b has one impact"
    assert "–" in event_table.text_of("made up", [a, b], rows)


def test_an_event_of_two_contacts_matches_either_contact() -> None:
    def row(t: float, contact: str) -> event_rows.EventRow:
        return event_rows.EventRow(t, "impact", contact, *np.zeros((4, 3)), "free")

    first = [row(0.1, "curb"), row(0.2, "wall curb")]
    assert event_table.matched(first[1], first, [row(0.1, "curb"), row(0.201, "curb")], 0.02) == 0.201
    assert math.isnan(event_table.matched(first[1], first, [row(0.2, "floor")], 0.02))


@pytest.mark.skipif(not has("scipy"), reason="no SciPy")
class TestByHand:
    def test_the_first_impact_follows_from_free_fall(self) -> None:
        """0.2 − 3 t − g t²/2 = 0.1; then Routh's impulse μ (m u) along the floor, still sliding. The
        root finder is accurate to 4 ulp of t = 0.03."""
        from guests.impacts.planar_reference import curb_reference
        body = paper_curb(0.0, -3.0)
        events, _ = curb_reference(body)
        t = (-3.0 + math.sqrt(9.0 + 2.0 * 9.81 * 0.1)) / 9.81
        assert (events[0].kind, events[0].contact) == ("impact", "floor")
        assert events[0].t == pytest.approx(t, abs=1e-14)
        u = 3.0 + 9.81 * t
        assert events[0].after == pytest.approx([-5 + 0.4 * u, 0.0, 0.4 * u * 10 * 0.1 / 0.05],
                                                abs=1e-11)

    @pytest.mark.parametrize(("e", "v_y"), [(0.0, -3.0), (0.3, -3.0), (0.0, 3.0), (0.3, 3.0)])
    def test_motions_neither_penetrate_nor_gain_energy(self, e: float, v_y: float) -> None:
        """Gaps and energy agree to the tolerance 1e-13 of the integrator, relative to 10 J."""
        from guests.impacts.curb_by_hand import Curb, motion
        body = paper_curb(e, v_y)
        history = motion(Curb(e), body.q, body.v)
        gaps = np.array([Curb(e).gaps(q) for q in history.states[:3].T])
        assert gaps.min() > -1e-12
        energy = 0.5 * body.inertia @ history.states[3:]**2 + 98.1 * history.states[1]
        assert np.diff(energy).max() < 1e-9
        assert history.events[-1].t <= 1.0 and history.times[-1] == 1.0

    def test_the_state_after_the_bounces_is_independent_of_their_cutoff(
            self, monkeypatch: pytest.MonkeyPatch) -> None:
        """The bounces on the edge end at 0.714 187 319 7. Closing at 1e-5 or at 1e-6 m/s gives equal
        states up to the square of the remaining bounce time, (1e-6 s)²."""
        from guests.impacts import curb_by_hand
        ends = []
        for bouncing in (1e-5, 1e-6):
            monkeypatch.setattr(curb_by_hand, "BOUNCING", bouncing)
            body = paper_curb(0.3, -3.0)
            history = curb_by_hand.motion(curb_by_hand.Curb(0.3), body.q, body.v)
            [slip] = [x.t for x in history.events if x.kind == "slip"]
            [first, _] = [x.t for x in history.events if x.kind == "accumulation"]
            assert first == pytest.approx(0.7141873197, abs=1e-9)
            ends.append(slip)
        assert ends[0] == pytest.approx(ends[1], abs=1e-11)


@pytest.mark.skipif(not has("siconos"), reason="Siconos is not installed")
class TestSiconos:
    def test_the_ball_converges_with_order_one(self) -> None:
        """From h to h/4 the error of the end state falls by about 4 on average. A single ratio depends
        on the impact times within a step: from 2 to 20, and the smaller error below 20 h."""
        from guests.impacts.siconos_stepping import step_through
        body = ball_body("ball", BALL.q, BALL.v, 0.9)
        _, end = ball_reference(body)
        errors = []
        for h in (4e-3, 1e-3):
            steps = step_through(body, h)
            errors.append(np.abs(np.concatenate([steps.q[-1], [0.1 * steps.v[-1][2]]])
                                 - [*end[:3], 0.1 * end[5]]).max())
        assert errors[1] < 20e-3 and 2.0 < errors[0] / errors[1] < 20.0

    def test_event_driven_siconos_reproduces_the_formula_of_the_ball(self) -> None:
        """LSODAR's tolerance gives errors of 1e-11 s, which accumulate over impacts. The last bounces
        are omitted: they end at sqrt(2 g0/g)(1 + e)/(1 − e) to 1e-6 s."""
        from guests.impacts.siconos_events import can_follow, follow
        body = builtin()["ball"]
        assert can_follow(body) and not can_follow(BALL) and not can_follow(paper_curb(0.0, -3.0))
        found, end = follow(body)
        wanted, _ = ball_reference(body)
        assert [e.t for e in found[:8]] == pytest.approx([e.t for e in wanted[:8]], abs=1e-10)
        assert found[-1].t == pytest.approx(ball_end(body), abs=1e-6)
        assert end == pytest.approx([0.0, 0.1, 0.0, 0.0, 0.0, 0.0], abs=1e-10)

    @pytest.mark.skipif(not has("scipy"), reason="no SciPy")
    @pytest.mark.parametrize(("e", "agree"), [(0.0, True), (0.3, False)])
    def test_newton_and_poisson_differ_at_simultaneous_impacts(
            self, e: float, agree: bool) -> None:
        """A fall with spin into the corner of wall and step. The plastic phase is equal: the final φ
        agrees to 20 h (rad, at 20 rad/s). With e = 0.3 Newton's upward speed is e u. Poisson's is less,
        because friction from the wall's restitution impulse slows the wheel. They differ for every h."""
        from guests.impacts.planar_reference import curb_reference
        from guests.impacts.siconos_stepping import step_through
        body = builtin()[f"corner_e{e:g}"]
        events, end = curb_reference(body)
        u = -events[0].before[1]
        assert events[0].after[1] == pytest.approx(0.0, abs=1e-12) if agree else (
            events[0].after[1] < 0.9 * e * u)
        steps = step_through(body, 1e-4)
        assert (abs(steps.q[-1][2] - end[2]) < 20e-4) == agree
        if not agree:
            rises = np.flatnonzero(np.diff(steps.v[:, 1]) > 0.5)[0] + 1
            assert steps.v[rises][1] == pytest.approx(e * u, abs=2 * 9.81e-4)

    def test_files_and_table_are_written(self, tmp_path: Path,
                                         capsys: pytest.CaptureFixture[str]) -> None:
        from guests.impacts import __main__ as comparison
        assert comparison.main(["--problems", "curb_e0_up", "--steps", "1e-3", "-o",
                                   str(tmp_path)]) == 0
        assert "impact wall" in capsys.readouterr().out or not has("scipy")
        events = event_rows.read_events(tmp_path / "curb_e0_up" / "h_0.001" / "events.csv")
        assert [(e.kind, e.contact) for e in events][:1] == [("impact", "wall")]
        assert events[0].t == pytest.approx(0.14, abs=2e-3), "to the step"
        motion = event_rows.read_motion(tmp_path / "curb_e0_up" / "h_0.001" / "motions.csv", "siconos")
        assert motion["t"][-1] == pytest.approx(1.0) and motion["q"].shape[1] == 3

    def test_a_system_without_a_model_is_refused(self, tmp_path: Path,
                                                 capsys: pytest.CaptureFixture[str]) -> None:
        from guests.impacts import __main__ as comparison
        assert comparison.main([str(tmp_path)]) == 2
        assert capsys.readouterr().err.startswith("siconos: ")
