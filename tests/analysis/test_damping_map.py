"""Figures of a damping map show the numbers of its sweep, which the program computes."""

import math
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from rigidlimit import analysis
import made_store
from rigidlimit.analysis import AnalysisError, damping_map
from rigidlimit.analysis import __main__ as command
from made_map import damping_map as run


def test_rows_are_the_errors_and_fits_of_the_sweep(orders_map: Path) -> None:
    rows = damping_map.read_map(orders_map)
    assert len(rows) == 12 * 4 * 9, "cells, eps, three quantities in three measures"
    assert damping_map.levels(rows, "damping_ratio") == [0.25, 0.5, 1.0, 2.0]
    assert damping_map.levels(rows, "epsilon") == pytest.approx(np.geomspace(1e-3, 1e-2, 4))
    study = analysis.open_result(orders_map)
    errors = study.at({"contact.damping_ratio": 0.5, "contact.damping_exponent": 2.0}).table
    one = damping_map.where(rows, damping_ratio=0.5, damping_exponent=2.0, quantity="v", norm="sup",
                             window="all")
    wanted = errors[(errors["quantity"] == "v") & (errors["norm"] == "sup")
                    & (errors["window"] == "all")]
    assert [row["error"] for row in one] == list(wanted["model_error"])
    # docs/theory.md, section 5: order 2 of v at beta = 2, with its standard error.
    assert {round(row["order"], 2) for row in one} == {2.0} and 0.0 <= one[0]["order_se"] < 1e-2


def test_labels_of_zeta_do_not_overlap(tmp_path: Path, orders_map: Path) -> None:
    wide = run("knife_edge_damping", tmp_path, "sweep.contact.damping_ratio=[1e-3, 1.0, 1e3]",
               "sweep.contact.damping_exponent=[1.0]", "epsilon.count=3", "time.samples=101")
    for directory in (orders_map, wide):
        figure = damping_map.plot_damping_map(directory)
        figure.draw_without_rendering()
        title = figure._suptitle.get_window_extent()
        for axis in figure.axes:
            boxes = [x.get_window_extent() for x in axis.get_xticklabels(which="both")
                     if x.get_text() and x.get_visible()]
            assert all(left.x1 <= right.x0
                       for left, right in pairwise(sorted(boxes, key=lambda box: box.x0)))
            assert title.y0 >= axis.get_tightbbox().y1 - 1.0, "the title is above the panels"
        lowest = figure.axes[-1]
        inside = [x for x, label in zip(lowest.get_xticks(), lowest.get_xticklabels()) if label.get_text()
                  and lowest.get_xlim()[0] <= x <= lowest.get_xlim()[1]]
        assert len(inside) >= 2, "a scale has at least two labels"


def test_plane_values_have_the_right_cells(plane_map: Path) -> None:
    """c = C/eps^2 with C = 1 N/m, and critical damping 2 sqrt(c/A): the knife edge has A = 1/m = 1/kg."""
    rows = damping_map.where(
        damping_map.read_map(plane_map), quantity="q", norm="sup", window="all")
    c, d, error, evidence = damping_map.plane_values(rows)
    assert c == pytest.approx([1e2, 1e3, 1e4]) and list(d) == [10.0, 100.0]
    one = next(row for row in rows if row["damping"] == 100.0 and row["stiffness"] == pytest.approx(1e3))
    assert error[1, 1] == pytest.approx(math.log10(one["error"])) and evidence.all()
    assert one["critical_damping"] == pytest.approx(2.0 * math.sqrt(1e3))


def test_a_failed_solve_leaves_a_gap(tmp_path: Path) -> None:
    directory = run("knife_edge_plane", tmp_path, "epsilon.from=1e-1", "epsilon.to=1e-2", "epsilon.count=2",
                    "sweep.contact.damping=[1.0, 100.0]", "solvers.max_steps=900", "expect=[]")
    rows = damping_map.where(damping_map.read_map(directory), quantity="q", norm="sup", window="all")
    failed = [row for row in rows if row["status"].startswith("failed")]
    assert 0 < len(failed) < len(rows)
    _, _, error, evidence = damping_map.plane_values(rows)
    assert np.isnan(error).sum() == len(failed) and (~evidence).sum() >= len(failed)
    assert damping_map.draw(directory)


def test_edges_enclose_the_centres() -> None:
    borders = damping_map.edges(np.array([1.0, 10.0, 100.0]))
    assert borders == pytest.approx(10.0 ** np.array([-0.5, 0.5, 1.5, 2.5]))
    assert len(damping_map.edges(np.array([3.0]))) == 2


def test_all_files_are_written(orders_map: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main(["damping_map", str(orders_map)]) == 0
    assert (orders_map / "error_against_zeta.png").read_bytes().startswith(b"\x89PNG")
    assert "<svg" in (orders_map / "error_against_zeta.svg").read_text(encoding="utf-8")
    assert "error_against_zeta.png" in capsys.readouterr().out


def test_the_plane_is_written(plane_map: Path) -> None:
    assert [path.name for path in damping_map.draw(plane_map)] == [
        "error_plane.png", "error_plane.svg", "error_plane.pdf"]
    assert (plane_map / "error_plane.png").stat().st_size > 10_000


def test_another_result_is_refused_with_what_it_is(tmp_path: Path) -> None:
    made_store.tiny(tmp_path / "tiny")
    with pytest.raises(AnalysisError, match="single study.*contact.damping_ratio"):
        damping_map.damping_map_data(tmp_path / "tiny")
    assert command.main(["damping_map", str(tmp_path)]) == 2, "no result"


def test_a_map_without_any_error_is_refused(tmp_path: Path) -> None:
    directory = run("knife_edge_plane", tmp_path, "epsilon.count=2",
                    "sweep.contact.damping=[1.0]", "solvers.max_steps=2", "expect=[]")
    with pytest.raises(AnalysisError, match="failed"):
        damping_map.draw(directory)
