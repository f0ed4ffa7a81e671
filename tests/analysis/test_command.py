"""python -m analysis writes files with the right names and formats, or a message without data."""

import inspect
from pathlib import Path

import pandas as pd
import pytest

from rigidlimit import analysis
import made_bench
import made_store
from rigidlimit.analysis import AnalysisError, damping_map, plot_damping_map
from rigidlimit.analysis import __main__ as command
from rigidlimit.analysis import bench

STARTS = {".png": b"\x89PNG", ".svg": b"<?xml", ".pdf": b"%PDF"}


@pytest.fixture
def tiny(tmp_path: Path) -> Path:
    return made_store.tiny(tmp_path / "tiny")


def test_a_figure_has_three_formats_and_its_data(
    tiny: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert command.main(["drift", str(tiny), "--style", "both"]) == 0
    names = ["drift.png", "drift.svg", "drift.pdf", "drift.csv", "drift_dark.png", "drift_dark.svg",
             "drift_dark.pdf"]
    assert capsys.readouterr().out.splitlines() == [str(tiny / name) for name in names]
    for name in names:
        path = tiny / name
        assert path.read_bytes().startswith(STARTS.get(path.suffix, b"subject,law"))
    assert len(pd.read_csv(tiny / "drift.csv")) > 500
    assert b"#14171c" in (tiny / "drift_dark.svg").read_bytes()
    assert b"#14171c" not in (tiny / "drift.svg").read_bytes()


def test_paper_figures_have_no_title_and_footer(tiny: Path) -> None:
    """Text in an SVG is outlines, so the test inspects the figure; without texts the page is lower."""
    whole = analysis.plot_convergence(tiny)
    plain = analysis.plot_convergence(tiny, title=False, footer=False)
    assert whole.get_suptitle() and not plain.get_suptitle()
    assert len(plain.texts) == len(whole.texts) - 2, "title and note"
    assert plain.legends and plain.get_size_inches()[1] < whole.get_size_inches()[1] - 0.3
    assert analysis.plot_convergence(tiny, title=False).texts, "the note stays"
    assert command.main(["convergence", str(tiny)]) == 0
    before = (tiny / "convergence.svg").read_bytes()
    assert command.main(["convergence", str(tiny), "--no-title", "--no-footer"]) == 0
    assert (tiny / "convergence.svg").read_bytes() != before
    assert command.main(["convergence", str(tiny)]) == 0
    assert (tiny / "convergence.svg").read_bytes() == before, "the next one has both"


@pytest.mark.parametrize("name", [name for name in analysis.__all__ if name.startswith("plot_")])
def test_every_figure_can_omit_title_and_footer(name: str) -> None:
    keywords = inspect.signature(getattr(analysis, name)).parameters
    assert keywords["title"].default is True and keywords["footer"].default is True


def test_equal_stores_give_identical_files(tiny: Path) -> None:
    def files() -> list[bytes]:
        assert command.main(["work", str(tiny)]) == 0
        return [(tiny / f"work{suffix}").read_bytes() for suffix in (*STARTS, ".csv")]

    assert files() == files()


def test_all_omits_figures_without_data(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    maker = made_store.Maker(tmp_path)
    rows = made_store.error_rows("radau_iia", "viscoelastic")
    maker.errors(rows)
    maker.finish("tables_only", made_store.result_of(rows), "")
    assert command.main(["all", str(tmp_path)]) == 0
    out, err = capsys.readouterr()
    assert [Path(x).name for x in out.splitlines()] == [
        f"convergence.{x}" for x in ("png", "svg", "pdf", "csv")]
    assert "layer omitted: " in err and "work omitted: " in err
    assert command.main(["layer", str(tmp_path)]) == 2


def test_missing_results_are_a_failure(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main(["all", str(tmp_path)]) == 2
    assert "`rigidlimit run EXPERIMENT.toml`" in capsys.readouterr().err


def test_maps_and_benchmarks_have_functions(orders_map: Path, tmp_path: Path) -> None:
    made_bench.write(tmp_path, made_bench.order_reduction({"quick": ("own", 9)}, groups=("q",)))
    table = bench.order_reduction_data(tmp_path)
    assert set(table["method"]) == {"quick"} and table["h"].dtype == float
    figure = bench.plot_order_reduction(tmp_path, method="quick", style="dark")
    assert "quick" in figure.get_suptitle() and figure.get_facecolor()[0] < 0.2
    with pytest.raises(AnalysisError, match="method.* quick.*'slow'"):
        bench.plot_order_reduction(tmp_path, method="slow")
    with pytest.raises(AnalysisError, match="without rows of kind work_precision"):
        bench.plot_work_precision(tmp_path)
    assert len(damping_map.damping_map_data(orders_map)) == 12 * 4 * 9
    assert len(plot_damping_map(orders_map).axes) == 9
    with pytest.raises(AnalysisError, match="measures.*'l1'"):
        plot_damping_map(orders_map, measures=[("l1", "all")])


def test_the_command_takes_width_and_style(tiny: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main(["drift", str(tiny), "--width", "one-column", "--style", "mono"]) == 0
    assert 'width="223.2pt"' in (tiny / "drift_mono.svg").read_text(encoding="utf-8"), "3.1 in"
    with pytest.raises(SystemExit):
        command.main(["drift", str(tiny), "--width", "broad"])
    assert "two-column, one-column" in capsys.readouterr().err
