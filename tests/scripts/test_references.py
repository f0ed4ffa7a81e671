"""docs/references.json has a certified end value of each problem, and export-problem reads it."""

import json
import math
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest
from script_module import script

ROOT = Path(__file__).resolve().parents[2]
FILE = ROOT / "docs/references.json"
PROGRAM = os.environ.get("RIGIDLIMIT_PROGRAM", "")
RECORDS: list[dict[str, Any]] = json.loads(FILE.read_text(encoding="utf-8"))
needs_program = pytest.mark.skipif(not PROGRAM, reason="RIGIDLIMIT_PROGRAM is not set")


def exported(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([PROGRAM, "export-problem", *arguments], cwd=ROOT, capture_output=True, text=True, check=False)


def test_records_are_complete_and_accurate() -> None:
    assert len({script("references").identity(one) for one in RECORDS}) == len(RECORDS)
    for one in RECORDS:
        sizes = {len(one[key]) for key in ("names", "units", "y0", "reference", "reference_error")}
        assert len(sizes) == 1, one["problem"]
        assert one["t1"] > one["t0"] and one["how"]
        for value, error in zip(one["reference"], one["reference_error"], strict=True):
            assert math.isfinite(value) and 0.0 <= error < 1e-3 * max(1.0, abs(value)), one["problem"]
    in_quad = [one for one in RECORDS if "113 bits" in one["how"]]
    assert len(in_quad) >= 0.9 * len(RECORDS)


@needs_program
def test_the_file_has_every_problem_of_the_script() -> None:
    references = script("references")
    references.PROGRAM = PROGRAM
    classical = {choice[0] for choice in references.choices() if not choice[0].endswith(".toml")}
    assert classical <= {one["problem"] for one in RECORDS}
    assert len(RECORDS) >= len(references.choices()) - 4     # studies with switches have no one right-hand side


@needs_program
@pytest.mark.parametrize("choice", [["kaps"], ["hires"], ["experiments/convergence/rolling_disk.toml", "--side", "rigid"]])
def test_a_record_is_the_solve_of_today(choice: list[str]) -> None:
    made = json.loads(exported(*choice, "--language", "json").stdout)
    found = [one for one in RECORDS if script("references").identity(one) == script("references").identity(made)]
    assert len(found) == 1
    for old, new, error in zip(found[0]["reference"], made["reference"], made["reference_error"], strict=True):
        assert abs(old - new) <= 2.0 * error


@needs_program
def test_export_takes_a_reference_from_the_file(tmp_path: Path) -> None:
    ring = next(one for one in RECORDS if one["problem"] == "ring_modulator")
    done = exported("ring_modulator", "--reference", str(FILE), "--language", "python")
    assert done.returncode == 0 and repr(ring["reference"][0]) in done.stdout
    # Negative controls: other parameters have no record; a word that is no file is refused.
    assert exported("kaps", "--set", "eps=1e-3", "--reference", str(FILE)).returncode == 2
    assert exported("kaps", "--reference", "quads").returncode == 2
    spoilt = tmp_path / "spoilt.json"
    spoilt.write_text(json.dumps([ring | {"reference": ring["reference"][1:]}]), encoding="utf-8")
    assert exported("ring_modulator", "--reference", str(spoilt)).returncode == 2
