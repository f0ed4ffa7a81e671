"""A store of a study with an ensemble of known errors."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import made_store

MEMBERS = 41
SHARES = {"least": 0.2, "quantile_05": 0.3, "median": 0.6, "quantile_95": 1.5, "largest": 2.5}  # of epsilon^order
BAR = 1e-9  # the largest error bar
ORDERS = {("q", "all"): 2.0, ("q", "after"): 2.0, ("v", "all"): 1.0, ("v", "after"): 2.0, ("lambda", "all"): 0.0,
          ("lambda", "after"): 2.0}


def made(directory: Path, bar: float = BAR) -> Path:
    """made_store.tiny, whose own errors are 0.5 epsilon^order, with the tables of an ensemble."""
    made_store.tiny(directory)
    errors = [{"epsilon": epsilon, "quantity": quantity, "window": window, "members": MEMBERS,
               **{name: share * epsilon**order for name, share in SHARES.items()}, "largest_bar": bar, "worst_member": 7}
              for (quantity, window), order in ORDERS.items() for epsilon in made_store.EPSILONS]
    orders = [{"quantity": quantity, "window": window, "least": order - 0.03, "quantile_05": order - 0.02,
               "median": order + 0.001, "quantile_95": order + 0.02, "largest": order + 0.03, "expected": "",
               "members": MEMBERS, "held": MEMBERS, "worst_member": 7, "reason": "made"}
              for (quantity, window), order in ORDERS.items()]
    db = sqlite3.connect(directory / "results.db")
    for name, rows in (("ensemble", errors), ("ensemble_orders", orders)):
        made_store.add_table(db, name, ",".join(rows[0]), (row.values() for row in rows))
    db.commit()
    db.close()
    return directory
