"""Terms of an expansion as in the file of `rigidlimit expand --csv`, from formulas."""

from __future__ import annotations

import numpy as np
import pandas as pd


def terms(study: str = "made", zeta: float = 0.5) -> pd.DataFrame:
    """x_k = (k + 1) cos t and X_k = 10^k exp(-tau) of one component; of v also a zero component; q_1 = 0."""
    rows = []
    for quantity, names in (("q", ["phi"]), ("v", ["still", "phi'"]), ("lambda", ["sliding"])):
        for name in names:
            for order in (0, 1):
                for part, times in (("outer", np.linspace(0.0, 2.0, 21)), ("layer", np.linspace(0.0, 20.0, 41))):
                    values = (order + 1) * np.cos(times) if part == "outer" else 10.0**order * np.exp(-times)
                    if name == "still" or (quantity, order) == ("q", 1):
                        values = 1e-17 * np.ones_like(times)
                    rows += [{"study": study, "damping_ratio": zeta, "quantity": quantity, "component": name,
                              "order": order, "part": part, "largest_epsilon": 0.1 if order == 0 else np.inf,
                              "time": t, "value": x} for t, x in zip(times, values)]
    return pd.DataFrame(rows)
