"""Figures of a map show the data of its CSV; an invalid CSV gives an error with its place."""

import math
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from analysis import __main__ as command
from analysis import damping_map
from analysis.tidy_csv import BadCsv


def test_rows_contain_numbers_and_texts(orders_map: Path) -> None:
    rows = damping_map.read_map(orders_map)
    assert len(rows) == 5 * 2 * 12 + 1
    assert rows[0]["damping_ratio"] == 0.5 and rows[0]["quantity"] == "q"
    assert math.isnan(rows[0]["stiffness"])
    assert damping_map.levels(rows, "epsilon") == [1e-3, 1e-2]
    assert len(damping_map.select(rows, quantity="v", norm="sup", epsilon=1e-2)) == 10


@pytest.mark.parametrize(
    ("quantity", "orders"),
    [("q", [2, 2, 2, 2, 2]), ("v", [1, 1, 1, 1.5, 2]), ("lambda", [0, 0, 0, 0, 0])],
)
def test_the_theory_line_gives_the_predicted_orders(quantity: str, orders: list[float]) -> None:
    """docs/theory.md, section 5, at beta = 0, 1/2, 1, 3/2, 2."""
    betas = [0.0, 0.5, 1.0, 1.5, 2.0]
    assert [damping_map.theory_order(quantity, b) for b in betas] == orders
    assert math.isnan(damping_map.theory_order(quantity, 2.5))


def test_theory_line_and_fits_are_drawn(orders_map: Path) -> None:
    figure = damping_map.order_against_beta(damping_map.read_map(orders_map),
                                           damping_map.units_of(orders_map))
    axis = figure.axes[1]
    assert axis.get_title() == r"$v$"
    line = next(x for x in axis.lines if x.get_label().startswith("theory"))
    assert np.interp([0.5, 1.5], line.get_xdata(), line.get_ydata()) == pytest.approx([1.0, 1.5])
    fits = [y for x in axis.containers for y in x.lines[0].get_ydata()]
    assert len(fits) == 5 and set(fits) == {1.5}, "one point per solved cell"


@pytest.mark.parametrize("ratios", [(0.5, 2.0), (0.125, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0), (1e-3, 1.0, 1e3)])
def test_labels_of_zeta_do_not_overlap(orders_map: Path, ratios: tuple[float, ...]) -> None:
    text = (orders_map / "map.csv").read_text(encoding="utf-8").splitlines()
    lines = [line for line in text if line.startswith("tiny,knife_edge,orders,0.5,")]
    (orders_map / "map.csv").write_text("\n".join([text[0], *(
        line.replace("orders,0.5,", f"orders,{ratio},") for ratio in ratios for line in lines)]) + "\n",
        encoding="utf-8")
    figure = damping_map.plot_damping_map(orders_map, picture="error_against_zeta")
    figure.draw_without_rendering()
    title = figure._suptitle.get_window_extent()
    for axis in figure.axes:
        boxes = [x.get_window_extent() for x in axis.get_xticklabels(which="both")
                 if x.get_text() and x.get_visible()]
        assert all(left.x1 <= right.x0 for left, right in pairwise(sorted(boxes, key=lambda box: box.x0)))
        assert title.y0 >= axis.get_tightbbox().y1 - 1.0, "the title is above the panels"
    lowest = figure.axes[-1]
    inside = [x for x in lowest.get_xticklabels() if x.get_text()
              and lowest.get_xlim()[0] <= float(x.get_text()) <= lowest.get_xlim()[1]]
    assert len(inside) >= 2, "a scale has at least two labels"


def test_plane_values_have_the_right_cells(plane_map: Path) -> None:
    rows = damping_map.select(
        damping_map.read_map(plane_map), quantity="q", norm="sup", window="all")
    c, d, error, evidence = damping_map.plane_values(rows)
    assert list(c) == [1e2, 1e3, 1e4] and list(d) == [10.0, 100.0]
    assert error[1] == pytest.approx([-4.0, -5.0, -6.0])
    assert math.isnan(error[0, 2]) and not evidence[0, 2] and evidence.sum() == 5


def test_edges_enclose_the_centres() -> None:
    borders = damping_map.edges(np.array([1.0, 10.0, 100.0]))
    assert borders == pytest.approx(10.0 ** np.array([-0.5, 0.5, 1.5, 2.5]))
    assert len(damping_map.edges(np.array([3.0]))) == 2


def test_all_files_are_written(orders_map: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main(["damping_map", str(orders_map)]) == 0
    for name in ("order_against_beta", "error_against_zeta"):
        assert (orders_map / f"{name}.png").read_bytes().startswith(b"\x89PNG")
        assert "<svg" in (orders_map / f"{name}.svg").read_text(encoding="utf-8")
    assert "order_against_beta.png" in capsys.readouterr().out


def test_the_plane_is_written(plane_map: Path) -> None:
    assert [path.name for path in damping_map.draw(plane_map)] == [
        "error_plane.png", "error_plane.svg", "error_plane.pdf"]
    assert (plane_map / "error_plane.png").stat().st_size > 10_000


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("order_se", "se", "map.csv:1: no column 'order_se'"),
        ("0.5,0.0,nan", "half,0.0,nan", "map.csv:2: damping_ratio = 'half' is not a number"),
        (",100,0\n", ",100\n", "map.csv:2: 24 fields where the header has 25"),
        (",orders,", ",spheres,", "kind must be 'orders' or 'plane', not ['orders', 'spheres']"),
    ],
)
def test_an_invalid_csv_is_refused_with_its_place(
    orders_map: Path, capsys: pytest.CaptureFixture[str], old: str, new: str, said: str
) -> None:
    path = orders_map / "map.csv"
    path.write_text(path.read_text(encoding="utf-8").replace(old, new, 1), encoding="utf-8")
    with pytest.raises(BadCsv):
        damping_map.read_map(orders_map)
    assert command.main(["damping_map", str(orders_map)]) == 2
    assert said in capsys.readouterr().err


def test_a_missing_or_empty_file_is_refused(tmp_path: Path) -> None:
    assert command.main(["damping_map", str(tmp_path)]) == 2
    (tmp_path / "map.csv").write_text("study\n", encoding="utf-8")
    assert command.main(["damping_map", str(tmp_path)]) == 2
