"""rigidlimit: stiff rolling contact against nonholonomic rolling, and the judgement of convergence orders."""

from .judge import (Bound, BoundJudgement, BoundState, Claim, FitOptions, FloorSource, HiddenRows, InputError,
                    Judgement, Limit, OrderFit, RatioJudgement, RatioSeries, Series, Verdict, converges_with_order,
                    evidence_factor, fit_order, judge_bound, judge_equality, judge_limit, judge_no_convergence,
                    judge_ratio, neighbour_orders, order_limit, ratio_tends_to, solver_error_stays_below, stays_below,
                    without_terms)
from .judge.rules import judge  # after the subpackage: rl.judge is the function, `from rigidlimit.judge import …` works

__all__ = [
    "Bound", "BoundJudgement", "BoundState", "Claim", "FitOptions", "FloorSource", "HiddenRows", "InputError",
    "Judgement", "Limit", "OrderFit", "RatioJudgement", "RatioSeries", "Series", "Verdict", "converges_with_order",
    "evidence_factor", "fit_order", "judge", "judge_bound", "judge_equality", "judge_limit", "judge_no_convergence",
    "judge_ratio", "neighbour_orders", "order_limit", "ratio_tends_to", "solver_error_stays_below", "stays_below",
    "without_terms"]
