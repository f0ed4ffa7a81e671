"""Convergence orders, floors, verdicts, bounds and ratios of plain series, without the compiled part.

The modules mirror src/rigidlimit/convergence/: the same rules, formulas, names and texts. A test compares both on
1000 series. Needs only the standard library; accepts NumPy arrays.
"""

from .bound import Bound, BoundJudgement, BoundState, judge_bound
from .claims import Claim, converges_with_order, ratio_tends_to, solver_error_stays_below, stays_below
from ..errors import InputError
from .exponential import Limit
from .further_terms import without_terms
from .orders import FitOptions, OrderFit, fit_order, neighbour_orders, order_limit
from .points import FloorSource, evidence_factor
from .ratio import RatioJudgement, judge_ratio
from .rules import judge
from .series import RatioSeries, Series
from .verdict import HiddenRows, Judgement, Verdict
from .without_order import judge_equality, judge_limit, judge_no_convergence

__all__ = [
    "Bound", "BoundJudgement", "BoundState", "Claim", "FitOptions", "FloorSource", "HiddenRows", "InputError",
    "Judgement", "Limit", "OrderFit", "RatioJudgement", "RatioSeries", "Series", "Verdict", "converges_with_order",
    "evidence_factor", "fit_order", "judge_bound", "judge", "judge_equality", "judge_limit", "judge_no_convergence",
    "judge_ratio", "neighbour_orders", "order_limit", "ratio_tends_to", "solver_error_stays_below", "stays_below",
    "without_terms"]
