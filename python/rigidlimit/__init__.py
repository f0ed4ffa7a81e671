"""Systems of rolling bodies from Python functions, as the formulas of a study file."""

from .errors import InputError
from .functions import (acos, asin, atan, atan2, cos, cosh, exp, interpolate, log, maximum, minimum, pi, sign, sin,
                        sinh, sqrt, tan, tanh, where)
from .scalar import Condition, Scalar
from .system import System

__all__ = ["Condition", "InputError", "Scalar", "System", "acos", "asin", "atan", "atan2", "cos", "cosh", "exp",
           "interpolate", "log", "maximum", "minimum", "pi", "sign", "sin", "sinh", "sqrt", "tan", "tanh", "where"]
