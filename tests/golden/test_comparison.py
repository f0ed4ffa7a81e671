"""Tests of the comparison of records: it refuses and accepts the right differences."""

import copy
import math

import pytest
from golden import comparison, records, rules
from golden.command import CORPUS
from golden.comparison import BITS, BOUNDS, compared, within
from golden.records import Record, Table

GOLDEN_FILES = sorted(CORPUS.glob("*" + records.ENDING))


def report(golden: Record, found: Record, demand: comparison.Demand = BITS) -> comparison.RecordReport:
    return compared(golden, found, demand)


def spoilt(record: Record, table: str, column: str, row: int, value: records.Value) -> Record:
    other = copy.deepcopy(record)
    other.tables[table].columns[column][row] = value
    return other


def refused(report: comparison.RecordReport) -> list[str]:
    return [f"{c.table}.{c.column}" for c in report.columns if not c.agrees]


def test_a_record_agrees_with_itself(record: Record) -> None:
    for demand in (BITS, BOUNDS, within(1e-13)):
        assert report(record, copy.deepcopy(record), demand).agrees


def test_one_ulp_is_refused_if_bits_must_agree(record: Record) -> None:
    other = spoilt(record, "errors", "model_error", 1, math.nextafter(0.01, 1.0))
    found = report(record, other)
    assert refused(found) == ["errors.model_error"] and found.worst.worst.ulps == 1
    assert report(record, other, BOUNDS).agrees and report(record, other, within(1e-13)).agrees


def test_an_error_may_differ_by_at_most_three_error_bars(record: Record) -> None:
    """columns.toml: 3 (solver_error + reference_error) + 1e-10 |golden|: 6.04e-8 in row 2."""
    assert rules.all_tables()["errors"].columns["model_error"].bound == rules.Bound(
        relative=1e-10, bars=("solver_error", "reference_error"), times=3), "what this test is about"
    most = 3 * (2e-8 + 1e-10) + 1e-10 * 0.01
    for sign in (-1, 1):
        assert report(record, spoilt(record, "errors", "model_error", 1, 0.01 + sign * 0.99 * most),
                      BOUNDS).agrees
        assert not report(record, spoilt(record, "errors", "model_error", 1, 0.01 + sign * 1.01 * most),
                          BOUNDS).agrees


def test_an_error_bar_may_differ_by_a_factor_of_ten(record: Record) -> None:
    for factor, agrees in ((9.9, True), (10.1, False), (1 / 9.9, True), (1 / 10.1, False)):
        other = spoilt(record, "errors", "solver_error", 0, 1e-8 * factor)
        assert report(record, other, BOUNDS).agrees == agrees, factor


def test_values_without_evidence_have_no_bound_but_equal_bits(record: Record) -> None:
    """Row 2 has the status solver_limited; row 1 is evidence."""
    assert report(record, spoilt(record, "errors", "order", 2, 7.0), BOUNDS).agrees
    assert not report(record, spoilt(record, "errors", "order", 2, 7.0)).agrees
    assert not report(record, spoilt(record, "errors", "order", 1, 7.0), BOUNDS).agrees


@pytest.mark.parametrize("demand", [BITS, BOUNDS, within(1e-13)], ids=str)
@pytest.mark.parametrize(("table", "column", "value"), [
    ("errors", "verdict", "refuted"), ("errors", "status", "solver_limited"),
    ("outcome", "exit_status", 1), ("outcome", "held", False), ("errors", "model_error", None),
    ("errors", "order", 1.0), ("errors", "work.steps", 1000), ("errors", "model_error", math.inf),
    ("motions", "modes", "stick"), ("motions", "q1", 0.5)])
def test_every_mode_refuses_some_differences(record: Record, demand: comparison.Demand, table: str,
                                             column: str, value: records.Value) -> None:
    found = report(record, spoilt(record, table, column, 0, value), demand)
    assert refused(found) == [f"{table}.{column}"] and not found.agrees


def test_limit_statuses_are_interchangeable_only_within_bounds(record: Record) -> None:
    for status, agrees in (("reference_limited", True), ("ok", False), ("failed: max_steps", False)):
        other = spoilt(record, "errors", "status", 2, status)
        assert report(record, other, BOUNDS).agrees == agrees
        assert not report(record, other).agrees and not report(record, other, within(1e-3)).agrees


def test_an_extra_step_is_refused_except_on_another_platform(record: Record) -> None:
    other = spoilt(record, "errors", "work.steps", 0, 101)
    assert not report(record, other).agrees and not report(record, other, within(1e-3)).agrees
    assert report(record, other, BOUNDS).agrees
    assert not report(record, spoilt(record, "errors", "work.steps", 0, 138), BOUNDS).agrees, "25 % and 12"


def test_the_relative_mode_bounds_the_relative_difference(record: Record) -> None:
    for factor, agrees in ((1 + 0.9e-13, True), (1 + 1.1e-13, False), (1 - 1.1e-13, False)):
        other = spoilt(record, "errors", "model_error", 0, factor)
        assert report(record, other, within(1e-13)).agrees == agrees


@pytest.mark.parametrize("table", ["errors", "outcome"])
def test_missing_and_extra_rows_are_refused(record: Record, table: str) -> None:
    rows = list(range(len(record.tables[table])))
    fewer = copy.deepcopy(record)
    fewer.tables[table] = fewer.tables[table].rows(rows[1:])
    less, more = report(record, fewer, BOUNDS), report(fewer, record, BOUNDS)
    assert not less.agrees and sum(len(t.missing) for t in less.tables) == 1
    assert not more.agrees and sum(len(t.extra) for t in more.tables) == 1


def test_a_repeated_row_is_an_extra_row(record: Record) -> None:
    other = copy.deepcopy(record)
    other.tables["errors"] = other.tables["errors"].rows([0, 1, 2, 2])
    assert not report(record, other, BOUNDS).agrees


def test_a_row_in_an_empty_golden_table_is_refused(record: Record) -> None:
    """A new failure of a solve; the empty golden table has no columns."""
    other = copy.deepcopy(record)
    other.tables["failures"] = Table({"law": ["viscoelastic"], "compliant_solver": ["cvode"],
                                      "epsilon": [0.1], "tighter": [False], "outcome": ["max_steps"]})
    assert not report(record, other, BOUNDS).agrees and not report(other, record, BOUNDS).agrees


def test_missing_columns_and_tables_are_refused_and_new_ones_reported(record: Record) -> None:
    other = copy.deepcopy(record)
    del other.tables["errors"].columns["order"], other.tables["failures"]
    gone, new = report(record, other), report(other, record)
    assert not gone.agrees and gone.lost == ["failures"] and gone.tables[1].lost == ["order"]
    assert new.agrees and new.new == ["failures"] and new.tables[1].new == ["order"]


def test_a_table_without_its_key_is_refused(record: Record) -> None:
    other = copy.deepcopy(record)
    del other.tables["errors"].columns["epsilon"]
    assert not report(record, other).agrees


def test_rows_and_columns_may_move_and_texts_may_change(record: Record) -> None:
    other = copy.deepcopy(record)
    errors = other.tables["errors"].rows([2, 0, 1])
    other.tables["errors"] = Table(dict(reversed(errors.columns.items())))
    other = spoilt(other, "outcome", "no_prediction", 0, "the start slides")
    found = report(record, other)
    assert found.agrees and [c.column for c in found.columns if c.differing] == ["no_prediction"]


def test_keys_match_despite_a_different_last_digit(record: Record) -> None:
    other = spoilt(record, "errors", "epsilon", 1, math.nextafter(0.01, 1.0))
    assert refused(report(record, other)) == ["errors.epsilon"] and report(record, other, BOUNDS).agrees


def test_zeros_of_both_signs_are_equal(record: Record) -> None:
    assert report(record, spoilt(record, "motions", "q1", 0, -0.0)).agrees


def thinned(record: Record, keep: int) -> Record:
    other = copy.deepcopy(record)
    motions = other.tables["motions"]
    other.tables["motions"] = motions.rows(list(range(0, len(motions), keep)))
    return other


def test_curves_are_compared_only_at_stored_samples(record: Record) -> None:
    golden = thinned(record, 5)
    assert report(golden, record).agrees
    assert report(golden, spoilt(record, "motions", "q1", 3, 9.0)).agrees, "not kept"
    assert refused(report(golden, spoilt(record, "motions", "q1", 5, 9.0))) == ["motions.q1"]


def test_a_moved_sample_is_matched_within_the_tolerance(record: Record) -> None:
    """Within 1e-9 of the curve's length the sample is matched with another t; farther away it is missing."""
    golden = thinned(record, 5)
    near = report(golden, spoilt(record, "motions", "t", 5, 0.5 + 5e-10))
    assert refused(near) == ["motions.t"] and not near.tables[2].missing
    far = report(golden, spoilt(record, "motions", "t", 5, 0.5 + 2e-9))
    assert not far.agrees and len(far.tables[2].missing) == 1
    assert not report(thinned(record, 5), thinned(record, 2)).agrees, "sampled otherwise"


def test_missing_and_extra_curves_are_refused(record: Record) -> None:
    other = copy.deepcopy(record)
    for column, values in other.tables["motions"].columns.items():
        values += ["compliant"] * 11 if column == "motion" else values
    assert not report(record, other).agrees and not report(other, record).agrees


def test_thinning_keeps_the_first_and_last_sample_of_each_curve() -> None:
    table = Table({"motion": ["a"] * 100 + ["b"] * 3, "tangential_power": [None] * 103,
                   "solver": [""] * 103, "epsilon": [None] * 103,
                   "t": [float(k) for k in range(100)] + [0.0, 1.0, 2.0]})
    times = comparison.sampled(table, rules.all_tables()["motions"]).columns["t"]
    assert times[0] == 0.0 and 99.0 in times and times[-3:] == [0.0, 1.0, 2.0]
    assert len(times) == rules.all_tables()["motions"].sampled + 3


@pytest.mark.parametrize("path", GOLDEN_FILES, ids=lambda p: p.name.removesuffix(records.ENDING))
def test_every_golden_file_is_complete(path) -> None:
    """The file is the canonical text of its record, every column has a rule, and every row a unique key."""
    golden = records.read(path)
    assert golden.experiment == path.name.removesuffix(records.ENDING)
    known = rules.all_tables()
    for name, table in golden.tables.items():
        assert not known[name].unruled(table), name
    assert report(golden, golden).agrees and golden.tables["outcome"].columns["exit_status"][0] in (0, 1)


def one_of_each_kind() -> list:
    """The smallest golden file of each kind."""
    files: dict[str, object] = {}
    for path in sorted(GOLDEN_FILES, key=lambda p: p.stat().st_size):
        files.setdefault(records.read(path).kind, path)
    return list(files.values())


@pytest.mark.parametrize("path", one_of_each_kind(), ids=lambda p: p.name.removesuffix(records.ENDING))
def test_a_changed_value_in_any_column_is_detected(path) -> None:
    """The last value of each column becomes the next double, one more or another word; then null."""
    golden = records.read(path)
    found = records.read(path)
    known = rules.all_tables()
    for name, table in found.tables.items():
        for column, values in table.columns.items():
            kept = values[-1] if values else None
            if kept is None or known[name].rule(column).kind == rules.WORDS:
                continue
            other = (not kept if isinstance(kept, bool) else kept + 1 if isinstance(kept, int)
                     else math.nextafter(kept, math.inf) if isinstance(kept, float) else kept + "?")
            for value in (other, None):
                values[-1] = value
                assert not report(golden, found).agrees, f"{name}.{column}: {kept} as {value}"
            values[-1] = kept
    assert report(golden, found).agrees


@pytest.mark.parametrize(("text", "complaint"), [
    ("[a]\nkey = ['x']\n", "key x is not one of its columns"),
    ("[a]\nkey = []\nsame = ['x']\ncounts = ['x']\n", "a.x: named twice"),
    ("[a]\nkey = []\n[a.numbers]\nx = {bars = ['y']}\n", "a.x: no column y"),
    ("[a]\nkey = []\n[a.numbers]\nx = {relativ = 1}\n", "relativ"), ("[a]\n", "'key'"),
    ("[a", "end of document")])
def test_wrong_rules_are_refused(tmp_path, text: str, complaint: str) -> None:
    file = tmp_path / "columns.toml"
    file.write_text("[elsewhere]\n" + text, encoding="utf-8")
    with pytest.raises(records.CorpusError, match=complaint):
        rules.all_tables(file)


def test_equal_records_give_identical_files(record: Record, tmp_path) -> None:
    first, second = tmp_path / "a.json.gz", tmp_path / "b.json.gz"
    records.write(record, first)
    records.write(copy.deepcopy(record), second)
    assert first.read_bytes() == second.read_bytes()
    assert report(record, records.read(first)).agrees and records.read(first) == record


@pytest.mark.parametrize("content", [b"", b"no gzip", b"\x1f\x8b"])
def test_an_unreadable_golden_file_is_named(tmp_path, content: bytes) -> None:
    path = tmp_path / "a.json.gz"
    path.write_bytes(content)
    with pytest.raises(records.CorpusError, match="a.json.gz: cannot be read"):
        records.read(path)
