"""Tests of benchmark ratios: a change of speed is significant, noise is not."""

import csv
import json
import random
from pathlib import Path

import pytest

from script_module import script

compare_benchmarks = script("compare_benchmarks")


def made(path: Path, times: dict[str, list[float]], unit: str = "us") -> str:
    """A file in the format of Google Benchmark: iterations, then aggregates."""
    entries = []
    for name, repetitions in times.items():
        entries += [{"name": f"{name}/repeats:{len(repetitions)}", "run_name": name,
                     "run_type": "iteration", "repetition_index": k, "real_time": 7.0 * t,
                     "cpu_time": t, "time_unit": unit} for k, t in enumerate(repetitions)]
        entries.append({"name": f"{name}_mean", "run_name": name, "run_type": "aggregate",
                        "aggregate_name": "mean", "cpu_time": 1e9, "real_time": 1e9,
                        "time_unit": unit})
    path.write_text(json.dumps({"context": {}, "benchmarks": entries}), encoding="utf-8")
    return str(path)


def noise(seed: int, factor: float = 1.0, count: int = 15) -> list[float]:
    """Times about 100 factor, spread by 5 %."""
    draw = random.Random(seed)
    return [100.0 * factor * draw.uniform(0.95, 1.05) for _ in range(count)]


def by_csv(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, list[dict]]:
    status = compare_benchmarks.main([*arguments, "--csv"])
    return status, list(csv.DictReader(capsys.readouterr().out.splitlines()))


def test_the_ratio_uses_medians_without_aggregates(tmp_path: Path, capsys) -> None:
    a = made(tmp_path / "a.json", {"x": [1.0, 2.0, 30.0]})
    b = made(tmp_path / "b.json", {"x": [4.0, 1.0, 5.0]})
    status, (row,) = by_csv(capsys, a, b)
    assert status == 0 and float(row["ratio"]) == 2.0
    assert float(row["base_seconds"]) == pytest.approx(2e-6)
    assert (float(row["low"]), float(row["high"])) == pytest.approx((1.0 / 30.0, 5.0)), "three: range"


def test_units_are_taken_into_account(tmp_path: Path, capsys) -> None:
    a = made(tmp_path / "a.json", {"x": [1000.0] * 5}, unit="ns")
    b = made(tmp_path / "b.json", {"x": [2.0] * 5}, unit="us")
    _, (row,) = by_csv(capsys, a, b)
    assert float(row["ratio"]) == pytest.approx(2.0)


def test_a_slower_benchmark_is_significant_and_noise_is_not(tmp_path: Path, capsys) -> None:
    """20 % with a spread of 5 % is significant. Negative control: two samples of one distribution are not. A
    95 % interval may be wrong for a few of forty such pairs; six are 15 %."""
    a = made(tmp_path / "a.json", {f"same{k}": noise(k) for k in range(40)} | {"slow": noise(90)})
    b = made(tmp_path / "b.json", {f"same{k}": noise(k + 100) for k in range(40)}
             | {"slow": noise(91, 1.2)})
    _, rows = by_csv(capsys, a, b)
    verdicts = {row["benchmark"]: row["significant"] == "1" for row in rows}
    assert verdicts.pop("slow")
    assert sum(verdicts.values()) <= 6


def test_one_repetition_is_never_significant(tmp_path: Path, capsys) -> None:
    a, b = made(tmp_path / "a.json", {"x": [1.0]}), made(tmp_path / "b.json", {"x": [9.0]})
    _, (row,) = by_csv(capsys, a, b)
    assert row["significant"] == "0" and float(row["ratio"]) == 9.0


def test_the_gate_fails_for_slower_benchmarks(tmp_path: Path, capsys) -> None:
    a = made(tmp_path / "a.json", {"x": noise(1)})
    b = made(tmp_path / "b.json", {"x": noise(2, 1.3)})
    assert compare_benchmarks.main([a, b, "--at-most", "1.1"]) == 1
    assert "x: 1.3" in capsys.readouterr().err
    assert compare_benchmarks.main([a, b, "--at-most", "1.5"]) == 0
    assert compare_benchmarks.main([b, a, "--at-most", "1.1"]) == 0, "a faster benchmark is not a failure"
    assert compare_benchmarks.main([a, b]) == 0, "without --at-most the comparison succeeds"


def test_missing_names_are_reported_and_fail_the_gate(tmp_path: Path, capsys) -> None:
    a = made(tmp_path / "a.json", {"x": noise(1), "gone": noise(2)})
    b = made(tmp_path / "b.json", {"x": noise(1), "fresh": noise(2)})
    assert compare_benchmarks.main([a, b]) == 0
    said = capsys.readouterr().err
    assert "missing: gone" in said and "fresh" in said
    assert compare_benchmarks.main([a, b, "--at-most", "2"]) == 1
    assert compare_benchmarks.main([a, b, "--at-most", "2", "--filter", "^x$"]) == 0


def test_a_skipped_benchmark_is_missing_with_its_reason(tmp_path: Path, capsys) -> None:
    a, b = made(tmp_path / "a.json", {"x": noise(1), "y": noise(1)}), tmp_path / "b.json"
    made(b, {"x": noise(1)})
    content = json.loads(b.read_text(encoding="utf-8"))
    content["benchmarks"].append({"name": "y", "run_name": "y", "run_type": "iteration",
                                  "error_occurred": True, "error_message": "reason",
                                  "cpu_time": 0.0, "time_unit": "us"})
    b.write_text(json.dumps(content), encoding="utf-8")
    assert compare_benchmarks.main([a, str(b)]) == 0
    assert "missing: y: reason" in capsys.readouterr().err


def test_the_table_is_aligned(tmp_path: Path, capsys) -> None:
    times = {"short": noise(1), "a/much/longer/name": noise(2, 1e4)}
    a, b = made(tmp_path / "a.json", times), made(tmp_path / "b.json", times)
    assert compare_benchmarks.main([a, b]) == 0
    header, *lines = capsys.readouterr().out.splitlines()
    end = header.index("ratio") + len("ratio")
    assert [line[end - 5:end] for line in lines] == ["1.000", "1.000"]
    assert compare_benchmarks.main([a, b, b]) == 0
    assert capsys.readouterr().out.count("b.json") == 4, "with several files each line names its file"


def test_the_clock_can_be_selected(tmp_path: Path, capsys) -> None:
    a = made(tmp_path / "a.json", {"x": [1.0]})
    _, (row,) = by_csv(capsys, a, a, "--clock", "real_time")
    assert float(row["base_seconds"]) == pytest.approx(7e-6)


@pytest.mark.parametrize("text", ["no json", "[]", "{}", '{"benchmarks": [{"name": "x"}]}',
                                  '{"benchmarks": [{"name": "x", "cpu_time": 0.0}]}',
                                  '{"benchmarks": []}'])
def test_an_invalid_file_is_refused(tmp_path: Path, capsys, text: str) -> None:
    good, bad = made(tmp_path / "a.json", {"x": [1.0]}), tmp_path / "bad.json"
    bad.write_text(text, encoding="utf-8")
    assert compare_benchmarks.main([good, str(bad)]) == 2
    assert capsys.readouterr().err.startswith("compare_benchmarks: ")
    assert compare_benchmarks.main([good, str(tmp_path / "none.json")]) == 2


def test_the_help_explains_usage(capsys) -> None:
    with pytest.raises(SystemExit) as left:
        compare_benchmarks.main(["--help"])
    said = capsys.readouterr().out
    assert left.value.code == 0 and "--benchmark_repetitions" in said and "Exit status" in said
