"""experiments/README.md equals the output of scripts/golden index and shows failed claims."""

import os
import re
from pathlib import Path

import pytest
from golden import command, index, records
from golden.records import CorpusError, Record, Table

PROGRAM = command.default_program()


def record(tables: dict[str, Table], exit_status: int) -> Record:
    outcome = {"outcome": Table({"exit_status": [exit_status]})}
    return Record("made", "smooth", "experiments/made.toml", [], {}, tables | outcome)


def test_the_index_is_up_to_date() -> None:
    if not PROGRAM.exists() and "RIGIDLIMIT_PROGRAM" not in os.environ:
        pytest.skip("the program is not built (scripts/test builds it)")
    assert index.INDEX.read_text(encoding="utf-8") == index.index_text(PROGRAM, command.CORPUS), (
        "scripts/golden index writes experiments/README.md anew")


def test_an_outdated_index_is_detected_and_replaced(tmp_path, monkeypatch, capsys) -> None:
    monkeypatch.setattr(index, "INDEX", tmp_path / "README.md")
    monkeypatch.setattr(index, "index_text", lambda program, corpus: "as it should be\n")
    monkeypatch.setattr(command, "ROOT", tmp_path)
    index.INDEX.write_text("old\n")
    assert command.main(["index", "--check"]) == 1
    assert index.INDEX.read_text() == "old\n" and "scripts/golden index" in capsys.readouterr().err
    assert command.main(["index"]) == 0 and index.INDEX.read_text() == "as it should be\n"
    assert command.main(["index", "--check"]) == 0


def test_failed_claims_are_not_counted_as_held() -> None:
    series = Table({"held": [True, None, False, True]})  # the second has no expectation
    bounds = Table({"held": [True]})
    assert index.outcome_of(record({"series": series, "bounds": bounds}, 1)) == "3 of 4"
    assert index.outcome_of(record({"bounds": bounds}, 0)) == "1 of 1"
    assert index.outcome_of(record({}, 0)) == "no claims"
    assert index.outcome_of(record({}, 2)) == "failed"


def test_an_order_and_a_ratio_of_one_series_are_two_claims() -> None:
    series = Table({"held": [True, True, None], "ratio.held": [True, None, None]})
    assert index.outcome_of(record({"series": series}, 0)) == "3 of 3"
    failed = Table({"held": [True, True, None], "ratio.held": [False, None, None]})
    assert index.outcome_of(record({"series": failed}, 1)) == "2 of 3"


@pytest.mark.parametrize("file", ["prediction/knife_edge_prediction", "friction/wheel_slip_to_roll",
                                  "convergence/knife_edge"])
def test_the_index_counts_claims_as_the_program_does(file: str, tmp_path: Path) -> None:
    if not PROGRAM.exists() and "RIGIDLIMIT_PROGRAM" not in os.environ:
        pytest.skip("the program is not built (scripts/test builds it)")
    out = index.said(PROGRAM, "check", index.EXPERIMENTS / f"{file}.toml", "--results", tmp_path)
    counts = [int(x) for pair in re.findall(r"(\d+) of (\d+) (?:expectations|bounds|claims)", out.splitlines()[0])
              for x in pair]
    held, claims = sum(counts[::2]), sum(counts[1::2])
    golden = index.claims_of(records.read(command.CORPUS / f"{Path(file).name}{records.ENDING}"))
    assert (held, claims) == (sum(golden), len(golden)) and claims > 1, out


def test_friction_orders_are_claims_if_expected() -> None:
    series = Table({"held": [True, None, False, True]})
    claims = Table({"held": [True, True]})
    assert index.outcome_of(record({"claims": claims, "friction_series": series}, 1)) == "4 of 5"


def test_unknown_claims_are_an_error() -> None:
    bounds = Table({"held": [True]})
    with pytest.raises(CorpusError, match="lacks a kind of claim"):
        index.outcome_of(record({"bounds": bounds}, 1))
    with pytest.raises(CorpusError, match="lacks a kind of claim"):
        index.outcome_of(record({"bounds": Table({"held": [False]})}, 0))
