"""Figures of a benchmark show the data of its CSV: tests compare the data of the artists, not pixels."""

import math
from pathlib import Path

import made_bench
import numpy as np
import pytest

from rigidlimit import analysis
from rigidlimit.analysis import AnalysisError, open_result
from rigidlimit.analysis import __main__ as command
from rigidlimit.analysis import bench_rows, cost, order_reduction, series_style, theme, work_precision
from rigidlimit.analysis.tidy_csv import BadCsv
from made_store import Maker


def lines_named(axis, name: str) -> list:
    return [line for line in axis.lines if line.get_label() == name]


@pytest.fixture
def diagram(tmp_path: Path):
    rows = bench_rows.read_bench(made_bench.write(tmp_path, made_bench.work_precision()))
    return work_precision.work_precision(rows, "knife_edge", "q")


def test_curves_show_error_and_cost(diagram) -> None:
    """made_bench: error 10 rtol, seconds = 1e-5 rtol^(-1/9) for "quick" in adapted variables."""
    for epsilon_column in (0, 1):
        curve, = lines_named(diagram.axes[epsilon_column], "quick")
        rtol = np.array([1e-3, 1e-6, 1e-9, 1e-12])
        assert curve.get_xdata() == pytest.approx(10.0 * rtol)
        assert curve.get_ydata() == pytest.approx(1e-5 * rtol ** (-1.0 / 9.0))
    below, = lines_named(diagram.axes[2], "quick")
    assert below.get_ydata()[0] == round(50 * 1e-3 ** (-1.0 / 9.0)), "right-hand sides below"


def test_methods_differ_by_colour_and_marker_and_variables_by_dashes(diagram) -> None:
    axis = diagram.axes[0]
    curves = {name: lines_named(axis, name)[0] for name in (
        "quick", "quick, natural", "slow", "cvode_bdf", "rosenbrock4")}
    assert curves["quick"].get_linestyle() != curves["quick, natural"].get_linestyle()
    assert curves["quick"].get_color() == curves["quick, natural"].get_color()
    methods = ("quick", "slow", "cvode_bdf", "rosenbrock4")
    assert len({curves[name].get_color() for name in methods}) == 4, "two of them are of one library"
    markers = {(x.get_marker(), x.get_color()) for x in lines_named(axis, "_evidence")}
    assert {marker for marker, _ in markers} == {"o", "s", "D", "^"}, "one for each method"
    assert len(markers) == 4, "both sets of variables share it"


def test_the_legend_names_every_number_in_the_figure(diagram) -> None:
    """In black and white only the number identifies a method: the legend has each number once."""
    entries = [x.get_text() for x in diagram.legends[0].get_texts()]
    legend = dict(x.split(maxsplit=1) for x in entries if x[0].isdigit())
    ends = {x.get_text() for axis in diagram.axes for x in axis.texts}
    assert ends == set(legend) == {"1", "2", "3", "4"}
    assert sorted(legend.values()) == ["cvode_bdf (sundials)", "quick (own)", "rosenbrock4 (odeint)",
                                       "slow (own)"]
    assert {"adapted variables", "natural variables"} <= set(entries)


def test_panels_fill_the_width_and_no_text_is_cut(diagram) -> None:
    """Panels fill at least two thirds of a figure; labels beside the panels would take half of it."""
    diagram.draw_without_rendering()
    widths = [axis.get_window_extent().width for axis in diagram.axes[:2]]
    assert sum(widths) > 0.66 * diagram.bbox.width
    for word in (*diagram.texts, *diagram.legends[0].get_texts()):
        box = word.get_window_extent()
        assert box.x0 >= 0.0 and box.x1 <= diagram.bbox.x1 and box.y0 >= 0.0, word.get_text()
    lowest = min(axis.get_tightbbox().y0 for axis in diagram.axes)
    assert diagram.legends[0].get_window_extent().y1 <= lowest, "the legend is below the panels"


def test_points_without_evidence_are_hollow(diagram) -> None:
    """The file marks errors at or below 1e-10 as no evidence: 1 of 4 tolerances."""
    hollow = [x for x in lines_named(diagram.axes[0], "_no evidence") if len(x.get_xdata())]
    assert hollow and all(x.get_markerfacecolor() == diagram.axes[0].get_facecolor() or x.get_markerfacecolor() == "white" for x in hollow)
    assert {len(x.get_xdata()) for x in hollow} == {1}
    full = [x for x in lines_named(diagram.axes[0], "_evidence") if len(x.get_xdata())]
    assert all(x.get_markerfacecolor() == x.get_color() for x in full)


def test_failed_runs_are_shown_at_the_edge(diagram) -> None:
    """Natural variables at eps = 1e-6 fail at two of four tolerances; none fails at 1e-2."""
    assert not lines_named(diagram.axes[0], "_failed")
    failed = lines_named(diagram.axes[1], "_failed")
    assert len(failed) == len(made_bench.METHODS)
    assert all(len(x.get_ydata()) == 2 and set(x.get_xdata()) == {0.0} for x in failed)
    natural, = lines_named(diagram.axes[1], "quick, natural")
    assert len(natural.get_xdata()) == 2, "the curve has no point for a failed solve"


def test_a_failure_of_unknown_cost_is_named_and_not_drawn(tmp_path: Path) -> None:
    lines = [x | ({"seconds": math.nan} if x["status"] == "failed" else {})
             for x in made_bench.work_precision(epsilons=(1e-6,))]
    rows = bench_rows.read_bench(made_bench.write(tmp_path, lines))
    figure = work_precision.work_precision(rows, "knife_edge", "q")
    assert not lines_named(figure.axes[0], "_failed"), "no separate marker"
    words = " ".join(x.get_text() for x in figure.texts).replace("\n", " ").split("unknown time: ")[1]
    assert set(words.rstrip(".").split("; ")) == {f"{method}, natural" for method in made_bench.METHODS}


@pytest.mark.parametrize("times", [False, True])
def test_a_benchmark_without_times_has_no_panel_for_them(tmp_path: Path, times: bool) -> None:
    """timing.repeats = 0. Control: with times there is one panel more, and failures of unknown time are named."""
    def made(lines: list[dict]) -> Path:
        tmp_path.joinpath(str(lines[0]["kind"])).mkdir()
        for x in lines:
            x["seconds"] = x["seconds"] if times and x["status"] != "failed" else math.nan
        return made_bench.write(tmp_path / str(lines[0]["kind"]), lines)

    precision, cost = made(made_bench.work_precision(epsilons=(1e-6,))), made(made_bench.cost_epsilon())
    figure, costs = analysis.plot_work_precision(precision), analysis.plot_cost(cost)
    assert [x.get_ylabel() for x in figure.axes] == [work_precision.COSTS["seconds"]] * times + ["right-hand sides"]
    assert [x.get_title() for x in costs.axes] == [work_precision.COSTS["seconds"]] * times + ["steps", "right-hand sides"]
    assert all(line.get_xdata().size for x in (*figure.axes, *costs.axes) for line in x.lines[:1])
    assert any("unknown time" in x.get_text().replace("\n", " ") for x in figure.texts) is times
    narrow = analysis.plot_work_precision(precision, width="one-column")
    assert [x.get_ylabel() for x in narrow.axes] == [work_precision.COSTS["seconds" if times else "rhs_evaluations"]]
    if not times:
        with pytest.raises(AnalysisError, match="seconds.*timing.repeats"):
            analysis.plot_work_precision(precision, costs=["seconds"])


def test_epsilon_zero_is_ideal_rolling(tmp_path: Path) -> None:
    lines = made_bench.work_precision(epsilons=(1e-2,)) + [
        x | {"epsilon": 0.0} for x in made_bench.work_precision(epsilons=(1e-2,))]
    rows = bench_rows.read_bench(made_bench.write(tmp_path, lines))
    figure = work_precision.work_precision(rows, "knife_edge", "q")
    assert [axis.get_title() for axis in figure.axes[:2]] == [r"$\varepsilon = 10^{-2}$", "ideal rolling"]


def test_small_errors_are_on_the_right(diagram) -> None:
    left, right = diagram.axes[0].get_xlim()
    assert left > 1e-2 and right < 1e-11


def test_a_method_that_always_fails_is_named(tmp_path: Path) -> None:
    lines = made_bench.work_precision()
    for x in lines:
        if x["method"] == "slow" and x["epsilon"] == 1e-2:
            x.update(status="failed", error=math.nan, reason="max_steps")
    rows = bench_rows.read_bench(made_bench.write(tmp_path, lines))
    figure = work_precision.work_precision(rows, "knife_edge", "q")
    assert "never arrived: slow" in figure.axes[0].get_title()
    assert "never" not in figure.axes[1].get_title()


def test_slow_methods_are_thin_and_named_in_the_footer(tmp_path: Path) -> None:
    methods = {f"m{k}": ("own", 5) for k in range(14)} | {"cvode_bdf": ("sundials", 5)}
    speed = {name: 1e-5 * 2.0**k for k, name in enumerate(methods)}
    rows = bench_rows.read_bench(made_bench.write(tmp_path, made_bench.work_precision(
        methods, speed, (1e-2,), ("q",), ("adapted",))))
    strong = work_precision.strong_ones(bench_rows.series_of(rows))
    assert len(strong) == series_style.NAMED
    assert {("m0", "adapted"), ("cvode_bdf", "adapted")} <= strong, "best of each library"
    assert ("m13", "adapted") not in strong, "slower than thirteen others at all errors"
    figure = work_precision.work_precision(rows, "knife_edge", "q")
    thin = {name for name in methods if (name, "adapted") not in strong}
    said = " ".join(x.get_text() for x in figure.texts).replace("\n", " ")
    assert set(said.split("the best: ")[1].rstrip(".").split("; ")) == thin
    numbered = {x.get_text().split()[1] for x in figure.legends[0].get_texts() if x.get_text()[0].isdigit()}
    assert numbered == set(methods) - thin
    assert lines_named(figure.axes[0], "m13")[0].get_linewidth() < 1.0, "thin, but drawn"


def test_bands_use_only_evidence(tmp_path: Path) -> None:
    rows = bench_rows.read_bench(made_bench.write(tmp_path, made_bench.work_precision()))
    quick = bench_rows.where(rows, method="quick", formulation="adapted", epsilon=1e-2, group="q")
    costs = work_precision.cost_of_bands(quick, "seconds")
    at = dict(zip(np.round(-np.log10(work_precision.BANDS)), costs))
    assert at[2.0] == pytest.approx(1e-5 * 1e-3 ** (-1 / 9)), "error 1e-2 (1 + round-off) at rtol 1e-3"
    assert at[3.0] == at[5.0] == pytest.approx(1e-5 * 1e-6 ** (-1 / 9)), "no interpolation"
    assert math.isinf(at[11.0]), "the solve at rtol 1e-12 is not evidence"


def test_spread_keeps_order_and_distance() -> None:
    moved = series_style.spread([0.5, 0.5, 0.9, 0.52], 0.1, 0.0, 1.0)
    assert sorted(moved) == [moved[k] for k in (0, 1, 3, 2)]
    assert np.min(np.diff(sorted(moved))) >= 0.1 - 1e-12
    assert moved[2] == pytest.approx(0.9), "only moved if necessary"
    assert series_style.spread([0.2, 0.7], 0.1, 0.0, 1.0) == pytest.approx([0.2, 0.7])
    assert max(series_style.spread([1.0, 1.0, 1.0], 0.2, 0.0, 1.0)) <= 1.0 + 1e-12


@pytest.fixture
def planes(tmp_path: Path):
    return bench_rows.read_bench(made_bench.write(tmp_path, made_bench.order_reduction()))


def test_the_order_plane_has_the_right_values(planes) -> None:
    rows = bench_rows.where(planes, method="quick", group="q")
    h, epsilon, cells = order_reduction.order_plane(rows)
    assert list(h) == list(epsilon) == [1e-4, 1e-3, 1e-2, 1e-1]
    orders = order_reduction.observed(cells)
    assert orders[3, 0] == 9.0 and orders[0, 1] == 1.0, "classical for h < eps, 1 for h > eps"
    assert math.isnan(orders[0, 0]) and not bench_rows.arrived(cells[0][0]), "failed, and included"
    assert np.isnan(orders[:, 3]).all(), "the largest h has no neighbour"


def test_heat_map_is_annotated_and_marked(planes) -> None:
    figure = order_reduction.order_reduction(planes, "knife_edge", "quick")
    assert [a.get_title() for a in figure.axes[:3]] == [
        rf"{x}, adapted" for x in ("$q$", "$v$", r"$\lambda$")]
    axis = figure.axes[0]
    written = [x.get_text() for x in axis.texts]
    assert written.count("9.0") == 6 and written.count("1.0") == 3 and written.count("0.1") == 2
    assert len(lines_named(axis, "_failed")) == 1
    assert sum(p.get_label() == "_plateau" for p in axis.patches) == 3, "on h = eps, without the failed one"
    diagonal, = lines_named(axis, r"$h = \varepsilon$")
    assert np.array_equal(diagonal.get_xdata(), diagonal.get_ydata())


def test_colours_distinguish_loss_and_gain() -> None:
    """White is at the classical order; lightness decreases evenly and equally on both sides."""
    norm = order_reduction.colours_about(5.0)
    assert float(norm(5.0)) == 0.5 and float(norm(-1.0)) == 0.0
    light = [np.dot(theme.diverging()(x)[:3], (0.2126, 0.7152, 0.0722))
             for x in np.linspace(0.0, 1.0, 21)]
    assert np.all(np.diff(light[:10]) > 0.0) and np.all(np.diff(light[11:]) < 0.0)


def test_the_overview_has_a_panel_per_method(planes) -> None:
    figure = order_reduction.overview(planes, "knife_edge", "q")
    titles = {a.get_title() for a in figure.axes if a.get_title()}
    assert titles == {"quick [9]", "slow [5]", "cvode_bdf [5]", "rosenbrock4 [4]"}
    panels = [a for a in figure.axes if a.get_title()]
    assert all(a.get_xlabel() == "$h$ [s]" for a in panels)
    assert panels[0].get_ylabel() == r"$\varepsilon$"
    bar = figure.axes[-1]
    figure.draw_without_rendering()
    assert bar.yaxis.label.get_window_extent().height <= 1.1 * bar.get_window_extent().height


def test_cost_is_drawn_against_epsilon(tmp_path: Path) -> None:
    rows = bench_rows.read_bench(made_bench.write(tmp_path, made_bench.cost_epsilon()))
    figure = cost.cost_figure(rows, "cost_epsilon", "knife_edge")
    axis = figure.axes[0]
    natural, = lines_named(axis, "quick, natural")
    assert natural.get_ydata() == pytest.approx(1e-5 * np.array([1e-3, 1e-2, 1e-1]) ** -0.5)
    assert axis.get_xlim()[0] > axis.get_xlim()[1], "stiffer to the right"
    failed = [x for x in lines_named(axis, "_failed") if len(x.get_xdata())]
    assert len(failed) == 4 and all(list(x.get_xdata()) == [1e-4] for x in failed)
    steps, = lines_named(figure.axes[1], "quick")
    assert set(steps.get_ydata()) == {100.0}


def test_groups_of_a_solve_give_one_cost_with_the_worst_status() -> None:
    rows = [made_bench.line(kind="cost_epsilon", method="m", library="own", epsilon=1e-2, group=g,
                            status=s) for g, s in (("q", "ok"), ("v", "reference_limited"))]
    shared, = bench_rows.one_row_a_solve(rows)
    assert shared["group"] == "q" and shared["status"] == "reference_limited"


def test_cost_against_count_has_the_fitted_slope(tmp_path: Path) -> None:
    """For seconds = 1e-4 N^1.25 the fit returns the exponent to round-off."""
    rows = bench_rows.read_bench(made_bench.write(tmp_path, made_bench.cost_count(1.25)))
    figure = cost.cost_figure(rows, "cost_count", "sleigh_chain")
    for axis, exponent in zip(figure.axes, (1.25, 0.0)):
        said, = (x.get_text() for x in axis.texts if x.get_text().startswith("1: N^"))
        assert float(said.removeprefix("1: N^").partition(" ±")[0]) == pytest.approx(exponent, abs=1e-12)


def test_the_slope_has_its_standard_error() -> None:
    """Residuals (1, -2, 1) d of a fit over 3 decades: s = sqrt(6 d^2), Sxx = 2 ln(10)^2."""
    d = 0.1
    p, error = cost.slope(np.array([1.0, 10.0, 100.0]), np.exp(np.array([d, -2.0 * d, d])))
    assert p == pytest.approx(0.0, abs=1e-15)
    assert error == pytest.approx(math.sqrt(6.0) * d / (math.sqrt(2.0) * math.log(10.0)))
    assert math.isnan(cost.slope(np.array([1.0]), np.array([2.0]))[0])


def test_all_files_are_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    methods = {"quick": ("own", 9)}
    made_bench.write(tmp_path, made_bench.order_reduction(methods, groups=("q",))
                     + made_bench.cost_count())
    assert command.main(["bench", str(tmp_path)]) == 0
    for name in ("order_reduction_knife_edge_q", "order_reduction_knife_edge_quick",
                 "cost_count_sleigh_chain"):
        assert (tmp_path / f"{name}.png").read_bytes().startswith(b"\x89PNG")
        assert "<svg" in (tmp_path / f"{name}.svg").read_text(encoding="utf-8")
    assert "cost_count_sleigh_chain.svg" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("observed_order", "found_order", "errors.csv:1: no column 'observed_order'"),
        ("cost_count", "cost_luck", "kind must be one of work_precision, order_reduction, "),
        (",all,", ",w,", "group must be one of q, v, lambda, all, not 'w'"),
        (",ok,", ",fine,", "status must be one of ok, reference_limited, plateau, failed, not 'fine'"),
        (",144,", ",many,", "errors.csv:2: steps = 'many' is not a number"),
        (",0.1\n", "\n", "errors.csv:2: 32 fields where the header has 33"),
    ],
)
def test_an_invalid_csv_is_refused_with_its_place(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], old: str, new: str, said: str
) -> None:
    path = made_bench.write(tmp_path, made_bench.cost_count()) / "errors.csv"
    path.write_text(path.read_text(encoding="utf-8").replace(old, new), encoding="utf-8")
    with pytest.raises(BadCsv):
        bench_rows.read_bench(tmp_path)
    assert command.main(["bench", str(tmp_path)]) == 2
    assert said in capsys.readouterr().err


def test_a_benchmark_is_read_from_its_store(tmp_path: Path) -> None:
    lines = made_bench.work_precision()
    maker = Maker(tmp_path / "store")
    maker.table("errors", ",".join(made_bench.COLUMNS), ([x[c] for c in made_bench.COLUMNS] for x in lines))
    result = open_result(maker.finish("made", {"benchmark": "made"}, "[benchmark]\n"))
    assert result.kind == "benchmark" and result.held is None and result.claims.empty
    assert len(result.table) == len(lines)
    of_store, of_csv = bench_rows.read_bench(result), bench_rows.read_bench(made_bench.write(tmp_path, lines))
    assert all(bench_rows.same(a[name], b[name]) for a, b in zip(of_store, of_csv, strict=True)
               for name in (*bench_rows.NUMBERS, *bench_rows.TEXTS))
    with pytest.raises(AnalysisError, match="a benchmark has no motions"):
        result.motion("rigid")
