"""The rattleback of Kuypers, the tippe top and the skate of docs/published.md, computed again."""

import tomllib
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from test_published import PAGE, cells, program, shown

import rigidlimit as rl


@pytest.fixture(scope="module")
def kuypers() -> ModuleType:
    return program("kuypers_rattleback")


@pytest.fixture(scope="module")
def tippe_top() -> ModuleType:
    return program("tippe_top")


@pytest.fixture(scope="module")
def skate() -> ModuleType:
    return program("skate")


def section_table(first_line: str) -> list[list[str]]:
    """The one table of the page whose first row begins like this."""
    before = PAGE.index(first_line)
    head = PAGE.rindex("| quantity |", 0, before)
    return cells(PAGE[head:PAGE.index("\n\n", before)])


def differing(page: list[list[str]], computed: list[list[str]], within: float) -> list[str]:
    """The rows whose name, published number or our number is another one; `difference` is noise."""
    return [seen[0] for seen, ours in zip(page[2:], computed[2:], strict=True)
            if seen[:2] != ours[:2] or abs(float(seen[2]) - float(ours[2])) > within]


@pytest.mark.parametrize(("name", "within"), [("kuypers_rattleback", 2e-11), ("tippe_top", 1e-12), ("skate", 2e-12)])
def test_the_page_shows_what_the_program_computes(name: str, within: float) -> None:
    computed = cells(program(name).table())
    page = section_table(f"| {computed[2][0]} |")
    assert differing(page, computed, within) == []
    page[2][2] = f"{float(page[2][2]) * (1 + 1e-9):.14f}"
    assert differing(page, computed, within) == [page[2][0]]


def test_the_stone_of_kuypers_reverses_at_the_published_time(kuypers: ModuleType) -> None:
    problem = kuypers.rigid()
    reference, explicit = kuypers.zeros(problem), kuypers.zeros(problem, "runge_kutta_fehlberg78")
    assert len(reference) == 3 and explicit == pytest.approx(reference, abs=1e-11)
    assert round(reference[0], 2) == kuypers.REVERSAL
    assert round(reference[1], 2) != kuypers.REVERSAL, "two-sided: another zero has another time"
    late = problem.solve("radau_iia", [kuypers.END], rtol=1e-11, atol=1e-13).v[4, -1]
    assert late > 1.9, "the spin was -2 rad/s and has reversed"


def test_the_start_of_kuypers_study_is_that_of_the_program(kuypers: ModuleType) -> None:
    ours = rl.Study.load(kuypers.STUDY).rigid()
    np.testing.assert_allclose(ours.y0, kuypers.rigid().y0, rtol=0, atol=1e-16)
    moments = 0.05796875, 0.0903294297749979
    system = tomllib.loads(kuypers.STUDY.read_text(encoding="utf-8"))["system"]
    turn, i1, i2 = system["skew"], system["inertia_1"], system["inertia_2"]
    tensor = [i1 * np.cos(turn) ** 2 + i2 * np.sin(turn) ** 2, i1 * np.sin(turn) ** 2 + i2 * np.cos(turn) ** 2]
    assert tensor == pytest.approx(moments, abs=1e-16)
    assert (i2 - i1) * np.sin(turn) * np.cos(turn) == pytest.approx(0.025, abs=1e-16)


def test_the_time_of_reversal_depends_on_the_rocking(kuypers: ModuleType) -> None:
    slopes = kuypers.sensitivity()
    assert slopes == pytest.approx([-17.4, 334.5, 7.87], rel=5e-3)
    assert "−17, 335 and 8 s per rad/s" in PAGE


def test_the_mirrored_stone_of_kuypers_does_not_reverse(kuypers: ModuleType) -> None:
    assert kuypers.zeros(kuypers.rigid(mirrored=True), "radau_iia", kuypers.END) == []


def test_a_top_inverts_from_the_published_threshold_on(tippe_top: ModuleType) -> None:
    for pair in tippe_top.TOPS.values():
        alpha, gamma = pair
        published = tippe_top.threshold(*pair)
        assert 1 - alpha**2 < gamma < 1
        assert tippe_top.crossing(*pair) == pytest.approx(published, rel=1e-12)
        assert tippe_top.growth(*pair, published * (1 - 1e-6)) > 0.0 > tippe_top.growth(*pair, published * (1 + 1e-6))
        assert tippe_top.crossing(*pair, damping=1.0) == pytest.approx(published, rel=1e-12)
        # The upright spin loses its stability elsewhere, below.
        upright = np.sqrt(alpha) * (1 - alpha) ** 2 / np.sqrt(gamma - 1 + alpha)
        assert tippe_top.crossing(*pair, inverted=False) == pytest.approx(upright, rel=1e-12)
        assert upright < 0.9 * published
        # Negative control: another top.
        assert abs(tippe_top.crossing(alpha, gamma - 1e-3) / published - 1) > 1e-5


def test_the_tilt_grows_to_180_degrees_above_the_threshold_alone(tippe_top: ModuleType) -> None:
    assert f"\n{tippe_top.inversion_table()}\n" in PAGE
    times = np.linspace(0.0, 120.0, 601)[1:]
    for pair in tippe_top.TOPS.values():
        for factor, inverts in ((0.98, False), (1.02, True)):
            tilt, change = tippe_top.inclination(*pair, factor, times)
            assert change < 1e-10, "Jellett's integral"
            assert (tilt[-1] > np.radians(179.99)) == inverts
            assert tilt[-1] > np.radians(150.0), "it rises in both cases"


def test_the_stem_touches_the_table_with_coulomb_contensou_friction(tippe_top: ModuleType) -> None:
    reference = tippe_top.touchdown()
    assert tippe_top.touchdown("radau_iia") == pytest.approx(reference, abs=1e-11)
    assert tippe_top.touchdown("runge_kutta_fehlberg78") == pytest.approx(reference, abs=1e-11)
    assert f"{reference:.10f} s" in PAGE
    assert abs(tippe_top.touchdown(drill=2 * tippe_top.DRILL) - reference) > 0.01, "another contact, another time"
    end = tippe_top.gliding().solve("radau_iia", [reference], rtol=1e-12, atol=1e-14).y[:, -1]
    assert np.degrees(np.arccos(end[5])) == pytest.approx(140.3, abs=0.05)
    assert end[2] + 0.003 * end[5] == pytest.approx(0.015, abs=1e-13), "the sphere touches the table"


def test_the_normal_force_of_the_formula_keeps_the_contact(tippe_top: ModuleType) -> None:
    problem = tippe_top.gliding()
    y = problem.solve("radau_iia", [0.3, 0.7, 1.2], rtol=1e-12, atol=1e-14).y
    system = tomllib.loads(tippe_top.SYSTEM.read_text(encoding="utf-8"))
    for state in y.T:
        x = dict(zip(problem.names, state, strict=True))
        values = {name: entry["default"] for name, entry in system["parameters"].items()} | {"gliding": 0.3} | {
            name.replace("'", "_rate"): value for name, value in x.items()}
        for name in ("about_k", "turn", "below", "slide_x", "slide_y", "speed", "normal"):
            formula = system["let"][name].replace("^", "**").replace("'", "_rate").replace("\n", " ")
            values[name] = eval(formula.strip(), {"sqrt": np.sqrt}, values)
        rate = dict(zip(problem.names, problem.rhs(0.0, state), strict=True))
        assert values["normal"] == pytest.approx(values["mass"] * (9.81 + rate["z'"]), rel=1e-9)


def test_no_friction_keeps_the_tilt(tippe_top: ModuleType) -> None:
    y = tippe_top.gliding(0.0).solve("radau_iia", np.linspace(0.0, 8.0, 801)[1:], rtol=1e-11, atol=1e-13).y
    tilt = np.degrees(np.arccos(y[5]))
    assert 5.63 < tilt.min() < tilt.max() < 5.73


def test_coulomb_friction_alone_makes_the_top_roll(tippe_top: ModuleType) -> None:
    begin, tilt, sliding, change = tippe_top.coulomb()
    independent = tippe_top.begins_to_roll()
    assert independent == pytest.approx(0.0361449218914, abs=1e-13) and "0.0361449218914 s" in PAGE
    assert begin == pytest.approx(independent, abs=1.5e-11), "the direction is constant below 1e-8 m/s"
    assert np.degrees(tilt) < 2.5 and sliding < 1e-12 and change < 1e-10


def test_the_direction_of_sliding_reaches_its_limit_slowly(tippe_top: ModuleType) -> None:
    measured, theory = tippe_top.exponents(tippe_top.begins_to_roll())
    assert measured == pytest.approx(theory, rel=0.03)
    assert theory == pytest.approx(0.1325, abs=3e-4) and "|w|^0.13" in PAGE


def test_the_compliant_top_begins_to_roll_at_the_same_time(tippe_top: ModuleType, tmp_path: Path) -> None:
    result = rl.Study.load(tippe_top.STUDY).run(results=str(tmp_path))
    assert result.held
    times = result.tables["event_times"].sort_values("epsilon")["t"].to_numpy()
    assert times[0] == pytest.approx(0.03614492193, abs=5e-12)
    assert times[-1] - times[0] > 5e-8, "a soft contact rolls later"


def test_the_skate_has_the_closed_form_of_daepak(skate: ModuleType) -> None:
    times = np.linspace(0.0, skate.END, 201)[1:]
    exact = skate.closed_form(times)
    for method in ("radau_iia", "runge_kutta_fehlberg78"):
        np.testing.assert_allclose(skate.ours(times, method), exact, rtol=0, atol=1e-10)
    np.testing.assert_allclose(exact[:, -1], skate.PRINTED, rtol=0, atol=6e-8)
    # Negative controls: the opposite turn, and a faster one.
    assert np.abs(skate.ours(times, turning=-1.0) - exact)[1].max() > 1.0
    assert np.abs(skate.ours(times, turning=1.01) - exact).max() > 0.01


def test_nothing_is_compared_and_not_compared() -> None:
    rest = PAGE[PAGE.index("## Not compared"):]
    assert "tskate" not in rest and "Kuypers" not in rest
    assert [row[0] for row in shown("| top | tilt")][2:] == list(program("tippe_top").TOPS)
