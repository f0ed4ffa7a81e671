"""docs/constants.md equals the output of scripts/golden constants; its cells follow from the rows of a golden file."""

from pathlib import Path

import pytest
from golden import command, constants, settings
from golden.program import Experiment
from golden.records import CorpusError, Record, Table

STUDY = """\
base = "below.toml"
without = ["contact.damping_ratio"]
[study]
name = "made"
[contact]
damping_exponent = {beta}
"""
BELOW = """\
[study]
name = "below"
question = "kept"
[contact]
damping_ratio = 1.0
damping_exponent = 1.0
[[expect]]
quantity = "q"
"""
KEY = {"law": "viscoelastic", "rigid_solver": "ida", "norm": "sup", "window": "all"}


def table(*rows: dict) -> Table:
    names = list(dict.fromkeys(name for row in rows for name in row))
    return Table({name: [row.get(name) for row in rows] for name in names})


def error(epsilon: float, status: str, solver: str = "radau_iia", **more) -> dict:
    size = 4.0 * epsilon**2
    return KEY | {"compliant_solver": solver, "quantity": "q", "epsilon": epsilon, "model_error": size,
                  "status": status} | more


def series(solver: str = "radau_iia", **more) -> dict:
    return KEY | {"compliant_solver": solver, "quantity": "q", "order": 1.9876, "standard_error": 0.002,
                  "expected_order": 2.0, "predicted_order": None, "held": True} | more


def made(place: Path, all_series: list[dict], errors: list[dict], beta: float = 1.0, no_prediction: str = "",
         monkeypatch=None) -> list[constants.Line]:
    (place / "below.toml").write_text(BELOW)
    (place / "made.toml").write_text(STUDY.format(beta=beta))
    monkeypatch.setattr(constants, "ROOT", place)
    record = Record("made", "smooth", "made.toml", [], {}, {
        "series": table(*all_series), "errors": table(*errors), "bounds": Table({}),
        "outcome": Table({"exit_status": [0], "no_prediction": [no_prediction]})})
    return list(constants.lines_of(Experiment("made", "smooth", "made.toml"), record))


def test_the_page_is_up_to_date() -> None:
    assert constants.PAGE.read_text(encoding="utf-8") == constants.page_text(command.CORPUS), (
        "scripts/golden constants writes docs/constants.md anew")


def test_every_study_is_on_the_page_and_no_benchmark() -> None:
    page = constants.PAGE.read_text(encoding="utf-8")
    for folder in ("convergence", "prediction", "published", "damping", "start", "realisation", "friction", "impacts",
                   "surfaces"):
        for path in (settings_root() / folder).glob("*.toml"):
            assert f"[{path.stem}](../experiments/{folder}/{path.name})" in page
    assert "experiments/benchmarks" not in page


def settings_root() -> Path:
    return constants.ROOT / "experiments"


def test_an_outdated_page_is_detected_and_replaced(tmp_path, monkeypatch, capsys) -> None:
    monkeypatch.setattr(constants, "PAGE", tmp_path / "constants.md")
    monkeypatch.setattr(constants, "page_text", lambda corpus: "as it should be\n")
    monkeypatch.setattr(command, "ROOT", tmp_path)
    constants.PAGE.write_text("old\n")
    assert command.main(["constants", "--check"]) == 1
    assert constants.PAGE.read_text() == "old\n" and "scripts/golden constants" in capsys.readouterr().err
    assert command.main(["constants"]) == 0 and constants.PAGE.read_text() == "as it should be\n"
    assert command.main(["constants", "--check"]) == 0


def test_a_missing_golden_file_is_an_error(tmp_path) -> None:
    with pytest.raises(CorpusError, match="is missing: scripts/golden make"):
        constants.page_text(tmp_path)


def test_a_base_is_merged_key_by_key_and_loses_the_keys_of_without(tmp_path) -> None:
    (tmp_path / "below.toml").write_text(BELOW)
    (tmp_path / "made.toml").write_text(STUDY.format(beta=2.0))
    assert settings.settings(tmp_path / "made.toml") == {
        "study": {"name": "made", "question": "kept"}, "contact": {"damping_exponent": 2.0},
        "expect": [{"quantity": "q"}]}


def test_an_order_only_line_measures_the_constant_where_the_error_is_evidence(tmp_path, monkeypatch) -> None:
    errors = [error(1e-1, "ok"), error(1e-2, "ok", model_error=5e-4), error(1e-3, "solver_limited")]
    (line,) = made(tmp_path, [series(order_only="no theory")], errors, 2.0, monkeypatch=monkeypatch)
    assert line.regime == "viscoelastic law, β = 2, rolling start, against the rigid motion"
    assert line.category == constants.ORDER
    assert line.cells == ["q", "1.988 ± 2e-03 (2)", "0.01", "–", "5", "–", "order only: no theory"]


def test_a_gated_line_shows_the_row_of_the_gate(tmp_path, monkeypatch) -> None:
    gate = {"ratio.expected": 1.0, "ratio.within": 1e-3, "ratio.found": 0.99987, "predicted_order": 2.0}
    known = {"predicted_coefficient": 4.0, "ratio_error": 2e-4}
    errors = [error(1e-2, "ok", ratio=0.99987, **known), error(1e-3, "ok", ratio=0.95, **known),
              error(1e-3, "ok", "cvode_bdf", ratio=0.5, **known)]
    lines = made(tmp_path, [series(**gate), series("cvode_bdf", **gate)], errors, monkeypatch=monkeypatch)
    assert len(lines) == 1, "of two solvers the first"
    assert lines[0].category == constants.GATED
    assert lines[0].cells[2:] == ["0.01", "4", "4", "0.9999 ± 2e-04", "ratio 1 ± 0.001"]


def test_a_prediction_without_gate_and_other_claims_are_told_apart(tmp_path, monkeypatch) -> None:
    known = {"predicted_coefficient": 4.0, "ratio": 1.0, "ratio_error": 2e-4}
    claims = [series(predicted_order=2.0), series(quantity="v", expected_order=None, expected_convergence="none"),
              series(quantity="lambda", expected_order=None, expected_convergence="exact", within=1e-8)]
    lines = made(tmp_path, claims, [error(1e-2, "ok", **known)], no_prediction="the start slides",
                 monkeypatch=monkeypatch)
    assert [line.category for line in lines] == [constants.PREDICTED, constants.NONE, constants.NONE]
    assert [line.cells[-1] for line in lines] == ["order only", "no convergence", "exact: error ≤ 1e-08"]
    assert all("sliding start" in line.regime for line in lines)


def test_a_study_counts_once_in_the_summary() -> None:
    def line(study: str, category: str) -> constants.Line:
        return constants.Line(study, "x.toml", "viscous law", category, [])

    group = [line("a", constants.ORDER), line("a", constants.GATED), line("b", constants.NONE)]
    assert "| Viscous law | 1 (1) | 0 (0) | 0 (1) | 1 (1) |" in constants.summary({"viscous law": group})


def test_the_page_opens_with_its_summary() -> None:
    page = constants.PAGE.read_text(encoding="utf-8")
    assert page.index("| regime |") < page.index("## The columns") < page.index("| study |")
    assert len(page.split("| regime |")[0].splitlines()) < 10


def test_a_study_is_linked_once_in_a_table_and_equal_quantities_share_a_row() -> None:
    def line(study: str, *cells: str) -> constants.Line:
        return constants.Line(study, f"{study}.toml", "viscous law", constants.GATED, list(cells))

    group = [line("a", "q", "2", "17"), line("a", "q, after the layer", "2", "17"), line("a", "v", "1", "17"),
             line("b", "q", "2", "17")]
    assert constants.rows_of_table(group) == [
        ["[a](../a.toml)", "q; q, after the layer", "2", "17"], ["a", "v", "1", "17"],
        ["[b](../b.toml)", "q", "2", "17"]], "a row differs in one cell: it stays"


def test_composite_expansions_of_all_orders_share_a_regime() -> None:
    row = {"law": "viscoelastic", "point": "composite_order = 3"}
    tables = {"study": {"against": "composite"}, "composite": {"order": 2}}
    assert constants.rolling_regime(tables, row, False).endswith("against composite expansions")
    assert constants.composite_order(tables, row) == 3.0
    assert constants.composite_order(tables, {"law": "viscoelastic"}) == 2.0
    assert constants.composite_order({"study": {"against": "rigid"}}, row) is None
