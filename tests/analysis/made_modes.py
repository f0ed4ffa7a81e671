"""The table of modes of a friction sweep."""

from __future__ import annotations

from pathlib import Path

from rigidlimit.analysis.friction_store import FrictionResult
from rigidlimit.analysis.opening import friction_result
from made_store import Maker

KEYS = ("start", "system.friction_left", "system.friction_right", "system.half_angle", "system.slope")
COLUMNS = tuple(key.replace(".", "_") for key in KEYS)


def groove(directory: Path) -> FrictionResult:
    """2 starts × 3 frictions × 2 half angles × 2 slopes: springs stick from friction = slope on, the rigid
    motion of the smallest friction has other modes, and that of 0.05 several solutions."""
    points = [(start, mu, mu, half_angle, slope) for start in ("rest", "slip") for mu in (0.02, 0.05, 0.2)
              for half_angle in (0.4, 0.8) for slope in (0.1, 0.3)]
    lines: list[list[object]] = []
    for point in points:
        mu, slope = point[1], point[4]
        ends = "stick,stick" if mu >= slope else "slip,slip"
        rigid = "stick,slip" if mu == 0.02 else ends
        lines.append(["groove", *point, "rigid", "projected", 1, "", 0, f"slip,slip > {rigid}", rigid, mu == 0.05])
        lines += [["groove", *point, "compliant", "projected", 1, "cvode_bdf", epsilon, modes, modes, False]
                  for epsilon, modes in ((1e-3, "free,free"), (1e-4, ends))]
    maker = Maker(directory)
    maker.table("modes", f"study,{','.join(COLUMNS)},motion,law,tangential_power,compliant_solver,epsilon,modes,"
                "modes_at_end,several_solutions", lines)
    resolved = "[history]\n[sweep]\n" + "".join(f"{key} = []\n" for key in KEYS)
    return friction_result(maker.finish("groove", {
        "points": [{"swept": dict(zip(COLUMNS, point)), "verdict": "held"} for point in points],
        "system": {"coordinates": [], "velocities": []}}, resolved))
