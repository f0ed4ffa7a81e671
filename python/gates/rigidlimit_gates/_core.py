"""The functions that judge.py calls. In the package rigidlimit they are compiled (python/src/judge.cpp)."""

from .bounds import Bound, judge_bound
from .numbers_text import with_bar
from .orders import (OrderTrend, SeriesPoint, evidence_factor, fit_order, neighbour_orders, order_limit, order_trend,
                     require_series, without_terms)
from .ratio import RatioPoint, judge_ratio, ratios_of, require_ratios
from .tables import table_of_distances, table_of_errors, table_of_limits, table_of_orders, table_of_ratios
from .verdict import judge
from .without_order import judge_equality, judge_limit, judge_no_convergence

__all__ = ["Bound", "OrderTrend", "RatioPoint", "SeriesPoint", "evidence_factor", "fit_order", "judge", "judge_bound",
           "judge_equality", "judge_limit", "judge_no_convergence", "judge_ratio", "neighbour_orders", "order_limit",
           "order_trend", "ratios_of", "require_ratios", "require_series", "table_of_distances", "table_of_errors",
           "table_of_limits", "table_of_orders", "table_of_ratios", "with_bar", "without_terms"]
