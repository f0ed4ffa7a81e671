"""The figure of the terms of an expansion: its lines, sizes and bounds follow from the CSV of `expand --csv`."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from rigidlimit import analysis
from rigidlimit.analysis import expansion
from rigidlimit.analysis.__main__ import main
from made_terms import terms


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "terms.csv"
    terms().to_csv(path, index=False)
    return path


def test_each_order_is_a_line_over_its_largest_value(file) -> None:
    panels = analysis.plot_expansion(file).axes
    assert len(panels) == 6
    force = panels[1]  # layer of lambda
    assert [line.get_label() for line in force.lines] == ["k = 0: 1", "k = 1: 10"]
    for line in force.lines:
        np.testing.assert_allclose(line.get_ydata(), np.exp(-np.asarray(line.get_xdata())))
    assert force.get_xlabel().startswith(r"$\tau") and panels[0].get_xlabel() == "$t$ [s]"


def test_terms_that_vanish_are_left_out_and_the_component_with_a_layer_is_shown(file) -> None:
    panels = analysis.plot_expansion(file).axes
    assert [line.get_label() for line in panels[4].lines] == ["k = 0: 1"], "q_1 is round-off"
    assert r"\varphi" in panels[3].get_title()
    still = analysis.plot_expansion(file, component={"v": "still"}).axes[3]
    assert still.get_title().endswith("still") or "still" in still.get_title()


def test_the_note_has_the_bounds_of_the_orders_and_of_the_damping_ratio(file) -> None:
    note = expansion.bounds(analysis.expansion_data(file))
    assert note == ("The next term is the smaller one for ε below 0.1 at k = 0. "
                    "ζ = 0.5: the expansion needs ε ≪ ζ² = 0.25 and ε ζ ≪ 1.")
    assert "ζ" not in expansion.bounds(terms(zeta=np.nan))


def test_the_command_writes_a_figure_of_each_study(tmp_path, capsys) -> None:
    path = tmp_path / "both.csv"
    pd.concat([terms("a"), terms("b")]).to_csv(path, index=False)
    assert main(["expansion", str(path)]) == 0
    assert {p.name for p in tmp_path.glob("*.png")} == {"both_a.png", "both_b.png"}


def test_other_files_are_refused(tmp_path, capsys) -> None:
    (tmp_path / "other.csv").write_text("study,t\nmade,0\n")
    with pytest.raises(analysis.AnalysisError, match="no column 'damping_ratio'"):
        analysis.expansion_data(tmp_path / "other.csv")
    pd.concat([terms("a"), terms("b")]).to_csv(tmp_path / "both.csv", index=False)
    with pytest.raises(analysis.AnalysisError, match="choose one of a, b"):
        analysis.expansion_data(tmp_path / "both.csv")
    with pytest.raises(analysis.AnalysisError, match="has no study c"):
        analysis.expansion_data(tmp_path / "both.csv", study="c")
    assert main(["expansion", str(tmp_path / "missing.csv")]) == 2
