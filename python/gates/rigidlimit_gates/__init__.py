"""Convergence orders, floors, verdicts, bounds and ratios of your own series, in Python alone.

    >>> import rigidlimit_gates as rl
    >>> series = rl.Series([0.4, 0.2, 0.1, 0.05], [0.16, 0.04, 0.01, 0.0025])
    >>> series == rl.converges_with_order(2)
    True

The names are those of the package rigidlimit, and the numbers have the same bits.
"""

from .judge import (Bound, BoundJudgement, BoundState, Claim, FitOptions, FloorSource, HiddenRows, InputError,
                    Judgement, Limit, OrderFit, RatioJudgement, RatioSeries, Series, Verdict, converges_with_order,
                    evidence_factor, fit_order, judge, judge_bound, judge_equality, judge_limit, judge_no_convergence,
                    judge_ratio, neighbour_orders, order_limit, ratio_tends_to, solver_error_stays_below, stays_below,
                    without_terms)  # now rl.judge is the function; `from rigidlimit_gates.judge import …` works too

__version__ = "0.2.0"  # as in pyproject.toml

__all__ = ["Bound", "BoundJudgement", "BoundState", "Claim", "FitOptions", "FloorSource", "HiddenRows", "InputError",
           "Judgement", "Limit", "OrderFit", "RatioJudgement", "RatioSeries", "Series", "Verdict",
           "converges_with_order", "evidence_factor", "fit_order", "judge", "judge_bound", "judge_equality",
           "judge_limit", "judge_no_convergence", "judge_ratio", "neighbour_orders", "order_limit", "ratio_tends_to",
           "solver_error_stays_below", "stays_below", "without_terms"]
