"""Public numbers that are off, and by how much: the table of docs/audit.md.

    build/venv/bin/python experiments/published/audit.py

Each row takes the published number and ours from the program that compares them; end values of the test sets are set
beside docs/references.json. `off by` is relative.
"""

import json
import re
from dataclasses import dataclass
from pathlib import Path

import bicycle
import classical
import coin
import granular
import numpy as np

REFERENCES = Path(__file__).resolve().parents[2] / "docs/references.json"


@dataclass(frozen=True)
class Deviation:
    source: str
    quantity: str
    published: str
    ours: str
    off_by: float
    shown_by: str


def of_coin() -> list[Deviation]:
    ours = coin.rigid_x()[0]
    force = ours + 0.1 * coin.sum_of_forces()
    pinned, with_force = coin.PINNED["2020-06-19"], coin.PINNED_WITH_FORCE
    return [Deviation("EXUDYN, rollingCoinTest.py", "x of the coin, m", f"{pinned:.9f}", f"{ours:.9f}",
                      abs(pinned / ours - 1.0), "coin.py"),
            Deviation("EXUDYN, rollingCoinTest.py", "x + 0.1 (sum of forces)", f"{with_force:.6f}", f"{force:.6f}",
                      abs(with_force / force - 1.0), "coin.py")]


def of_bicycle() -> list[Deviation]:
    found = []
    for speed, place, name in ((7, 0, "castering eigenvalue at 7 m/s"), (9, 1, "weave eigenvalue at 9 m/s, real part")):
        ours = bicycle.in_order(np.linalg.eigvals(bicycle.linearised(float(speed))))[place].real
        printed = bicycle.published(speed)[place].real
        found.append(Deviation("Meijaard et al. (2007), table 2, as transcribed", name, f"{printed:.14f}",
                               f"{ours:.14f}", abs(printed / ours - 1.0), "bicycle.py"))
    return found


def of_soft_spheres() -> list[Deviation]:
    worst: dict[str, Deviation] = {}
    for row in granular.rows():
        if row.model is not None:
            off = abs(row.published / row.model - 1.0)
            if row.test not in worst or off > worst[row.test].off_by:
                worst[row.test] = Deviation(row.test, row.quantity + (f", k = {row.k:.0e} N/m" if "DEM02" in row.test
                                                                       else ""),
                                            f"{row.published:.{row.digits}f}", f"{row.model:.6f}", off, "granular.py")
    return list(worst.values())


def end_values() -> list[Deviation]:
    """Of each published end of a test set with a value that is off by more than 1e-4: the worst value above rounding."""
    records = {one["problem"]: one for one in json.loads(REFERENCES.read_text(encoding="utf-8"))}
    found = []
    for problem, source, printed, _ in classical.published():
        record = records[problem]
        rows = [(abs(float(text) / ours - 1.0), name, text, ours) for name, text, ours, error in zip(
            record["names"], printed, record["reference"], record["reference_error"], strict=False)
            if text and abs(ours) > 1e3 * error]
        off, name, text, ours = max(rows)
        if off > 1e-4:
            found.append(Deviation(classical.title(source), f"{problem}, {name}", text, f"{ours:.9g}", off, "classical.py"))
    return found


def table() -> str:
    rows = [*of_coin(), *of_bicycle(), *end_values(), *of_soft_spheres()]
    return "\n".join(["| source | quantity | published | ours | off by | shown by |",
                      "| --- | --- | ---: | ---: | ---: | --- |",
                      *(f"| {row.source} | {row.quantity} | {row.published} | {row.ours} | {row.off_by:.1e} "
                        f"| `{row.shown_by}` |" for row in rows)])


if __name__ == "__main__":
    print(table())
