"""How near each engine comes to the ideal motion within a budget of processor time, whatever its settings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import isfinite
from time import process_time

from .model import Ladder

BUDGETS = (0.1, 1.0)  # s


@dataclass(frozen=True)
class Cost:
    """The least error, m, within a budget, s, the setting that has it and the time, s, that it took."""

    ladder: Ladder
    budget: float
    error: float
    setting: float
    seconds: float


def least(ladder: Ladder) -> Iterator[Cost]:
    """Climb until a run exceeds the greatest budget. The first run is repeated, so that it loads nothing."""
    done: list[tuple[float, float, float]] = []
    for number, setting in enumerate((ladder.settings[0], *ladder.settings)):
        started = process_time()
        try:
            error = ladder.run(setting)
        except ImportError:
            raise
        except Exception:  # an engine that fails at a setting has no error there
            continue
        seconds = process_time() - started
        if number > 0 and isfinite(error):
            done.append((error, setting, seconds))
        if seconds > BUDGETS[-1]:
            break
    for budget in BUDGETS:
        within = [run for run in done if run[2] <= budget]
        if within:
            error, setting, seconds = min(within)
            yield Cost(ladder, budget, error, setting, seconds)


def markdown(costs: Sequence[Cost]) -> str:
    """One line for each ladder."""
    lines = ["| problem | engine | law | parameter | " + " | ".join(
        f"error within {budget:g} s, m (parameter)" for budget in BUDGETS) + " |", "| " + "--- | " * (4 + len(BUDGETS))]
    for ladder in dict.fromkeys(cost.ladder for cost in costs):
        own = {cost.budget: f"{cost.error:.1e} ({cost.setting:g})" for cost in costs if cost.ladder is ladder}
        lines.append("| " + " | ".join([ladder.problem, ladder.engine, ladder.law, ladder.parameter,
                                        *(own.get(budget, "none") for budget in BUDGETS)]) + " |")
    return "\n".join(line.rstrip() for line in lines)
