"""Convergence of stiff viscoelastic rolling contact to nonholonomic rolling.

    >>> import rigidlimit as rl
    >>> study = rl.Study.load("knife_edge")
    >>> result = study.with_(contact={"damping_ratio": 2.0}).run(jobs=2)
    >>> result.held, result.table

Systems need no compiled part; judgements and studies do.
"""

import os
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING

from .errors import InputError
from .functions import (acos, asin, atan, atan2, cos, cosh, exp, interpolate, log, maximum, minimum, pi, sign, sin,
                        sinh, sqrt, tan, tanh, where)
from .scalar import Condition, Scalar
from .spacing import geometric
from .system import System

_UNITS = os.path.join(os.path.dirname(__file__), "udunits", "udunits2.xml")
if os.path.exists(_UNITS):  # a wheel contains the table of units; elsewhere UDUNITS finds its own
    os.environ.setdefault("UDUNITS2_XML_PATH", _UNITS)

if TYPE_CHECKING or find_spec("._core", __name__):  # a checkout without the compiled part has systems alone
    from .judge import (Bound, BoundJudgement, BoundState, Claim, FitOptions, FloorSource, HiddenRows, Judgement, Limit,
                        OrderFit, RatioJudgement, RatioSeries, Series, Verdict, converges_with_order, evidence_factor,
                        fit_order, judge, judge_bound, judge_equality, judge_limit, judge_no_convergence, judge_ratio,
                        neighbour_orders, order_limit, ratio_tends_to, solver_error_stays_below, stays_below,
                        without_terms)  # now rl.judge is the function; `from rigidlimit.judge import …` works too

if TYPE_CHECKING:
    from .analysis.result import Result
    from .own_method import method, methods
    from .predicted import Predicted
    from .problem import Problem, solve_ivps
    from .residual_problem import ResidualProblem
    from .solution import Reference, Solution
    from .study import Study, studies

__version__ = "0.2.0"  # as in pyproject.toml

__all__ = [
    "Bound", "BoundJudgement", "BoundState", "Claim", "Condition", "FitOptions", "FloorSource", "HiddenRows",
    "InputError", "Judgement", "Limit", "OrderFit", "Predicted", "Problem", "RatioJudgement", "RatioSeries",
    "Reference", "ResidualProblem", "Result", "Scalar", "Series", "Solution", "Study", "System", "Verdict", "acos",
    "asin", "atan", "atan2", "converges_with_order", "cos", "cosh", "evidence_factor", "exp", "fit_order", "geometric",
    "interpolate", "judge", "judge_bound", "judge_equality", "judge_limit", "judge_no_convergence", "judge_ratio",
    "log", "maximum", "method", "methods", "minimum", "neighbour_orders", "order_limit", "pi", "ratio_tends_to", "sign", "sin", "sinh",
    "solve_ivps", "solver_error_stays_below", "sqrt", "stays_below", "studies", "tan", "tanh", "where", "without_terms"]

_COMPILED = {"Predicted": "predicted", "Problem": "problem", "Reference": "solution",
             "ResidualProblem": "residual_problem", "Result": "analysis.result", "Solution": "solution", "Study": "study",
             "method": "own_method", "methods": "own_method", "solve_ivps": "problem", "studies": "study"}


def __getattr__(name: str) -> object:
    """The names that need the compiled part, on first use."""
    if name in _COMPILED:
        return getattr(import_module(f".{_COMPILED[name]}", __name__), name)
    raise AttributeError(f"module 'rigidlimit' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
