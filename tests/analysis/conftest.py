"""Tiny maps in the program's format, and the path of the package."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

COLUMNS = (
    "study,system,kind,damping_ratio,damping_exponent,stiffness,damping,critical_damping,epsilon,"
    "rigid_solver,compliant_solver,quantity,norm,window,error,solver_error,reference_error,"
    "sampling_error,order,order_se,coefficient,verdict,status,steps,rejected_steps"
)
MEASURES = [(x, *m) for x in ("q", "v", "lambda")
            for m in (("sup", "all"), ("sup", "after"), ("l2", "all"), ("l2", "after"))]


def line(kind: str, place: str, measure: tuple, error: float, order: str, status: str) -> str:
    verdict = "settled" if kind == "orders" else "-"
    return (f"tiny,knife_edge,{kind},{place},ida,cvode_bdf,{','.join(measure)},{error!r},1e-9,1e-10,"
            f"1e-8,{order},{verdict},{status},100,0")


@pytest.fixture
def orders_map(tmp_path: Path) -> Path:
    """2 zeta x 3 beta x 2 eps; the cell (2, 2) could not be solved."""
    lines = [COLUMNS]
    for zeta in (0.5, 2.0):
        for beta in (0.0, 1.0, 2.0):
            if zeta == beta == 2.0:
                lines.append("tiny,knife_edge,orders,2,2,nan,nan,nan,nan,ida,cvode_bdf,-,-,-,nan,nan,"
                             "nan,nan,nan,nan,nan,-,failed: could not run,0,0")
                continue
            for eps in (1e-2, 1e-3):
                for measure in MEASURES:
                    status = "ok" if eps > 5e-3 else "solver_limited"
                    lines.append(line("orders", f"{zeta},{beta},nan,nan,nan,{eps}", measure,
                                      eps / zeta, "1.5,0.01,2", status))
    (tmp_path / "map.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return tmp_path


@pytest.fixture
def plane_map(tmp_path: Path) -> Path:
    """3 c x 2 d, error 1/(c d); one solve failed."""
    lines = [COLUMNS]
    for d in (10.0, 100.0):
        for c in (1e2, 1e3, 1e4):
            for measure in MEASURES:
                failed = (c, d) == (1e4, 10.0)
                lines.append(line("plane", f"{d / 20.0},nan,{c},{d},{2.0 * c**0.5!r},nan", measure,
                                  float("nan") if failed else 1.0 / (c * d), "nan,nan,nan",
                                  "failed: max_steps" if failed else "ok"))
    (tmp_path / "map.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return tmp_path
