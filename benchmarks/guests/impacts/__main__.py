"""Compares Siconos with the program and references: wheel between wall and curb, bouncing ball.

    scripts/guests impacts [results/NAME...] [options]

With results of `rigidlimit run`: the motions of these studies. Otherwise: the paper's four starts
(restitution 0 and 0.3, v_y = -3 and +3 m/s), a fall into the corner of wall and step, two balls.
Siconos steps with every --steps; a ball without sliding is also simulated event-driven. Writes events.csv and
motions.csv with the columns of the program to results/siconos/NAME/h_STEP/. Compares event times and end states
with the program, the curb solver and the ball's formulas: results/siconos/NAME/comparison.csv and .md.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path

import numpy as np

from guests.impacts.event_rows import (EventRow, events_of_steps, read_events, read_motion, write_events,
                              write_motion)
from guests.impacts.event_table import Account, table, text_of, write_table
from guests.impacts.planar_bodies import Body, body_of, builtin
from guests.impacts.planar_reference import reference_of
from guests.impacts.siconos_events import can_follow, follow
from guests.impacts.siconos_stepping import Steps, step_through

RESOLVED = 10.0  # g h: slower impacts have flights below 20 steps and are not distinguished


def events_of(body: Body, steps: Steps) -> list[EventRow]:
    v_n = np.zeros_like(steps.normal)
    for k, i in zip(*np.nonzero(steps.normal)):
        v_n[k, i] = body.rows(i, steps.q[k])[0] @ steps.v[k - 1]
    return events_of_steps(steps.t, steps.q, steps.v, v_n, steps.friction, steps.normal,
                           body.contacts, body.friction, body.inertia,
                           RESOLVED * body.gravity * steps.h)


def account_of(body: Body, h: float, directory: Path, samples: int) -> Account:
    steps = step_through(body, h)
    events = events_of(body, steps)
    directory = directory / body.name / f"h_{h:g}"
    write_events(directory / "events.csv", body.name, events, len(body.contacts))
    every = max(1, len(steps.t) // samples)
    kept = np.unique(np.append(np.arange(0, len(steps.t), every), len(steps.t) - 1))
    write_motion(directory / "motions.csv", "siconos", steps.h, steps.t[kept], steps.q[kept],
                 steps.v[kept], steps.friction[kept], steps.normal[kept])
    return Account(f"Siconos h = {h:g}", events, np.concatenate([steps.q[-1], steps.v[-1]]))


def ours(result: Path) -> list[Account]:
    """The event-driven motion of a study, and its Moreau-Jean steps if it has any."""
    motion = read_motion(result / "motions.csv", "rigid")
    accounts = [Account("event-driven", read_events(result / "events.csv"),
                        np.concatenate([motion["q"][-1], motion["v"][-1]]))]
    stepped = result / "step_events.csv"
    for check in json.loads((result / "result.json").read_text(encoding="utf-8"))["rigid"]["moreau_jean"]:
        if stepped.is_file() and check["outcome"] == "success":
            accounts.append(Account(f"Moreau-Jean h = {check['step']:g}",
                                    read_events(stepped, step=check["step"]),
                                    np.array([*check["q_end"], *check["v_end"]])))
    return accounts


def accounts_of(body: Body, result: Path | None, options: argparse.Namespace) -> list[Account]:
    accounts = ours(result) if result else []
    known = reference_of(body)
    if known:
        accounts.insert(1, Account("by hand" if len(body.contacts) > 1 else "formula", *known))
    if can_follow(body):
        accounts.append(Account("Siconos event-driven", *follow(body)))
        write_events(options.output / body.name / "event_driven" / "events.csv", body.name,
                     accounts[-1].events, len(body.contacts))
    for h in options.steps:
        started = time.perf_counter()
        accounts.append(account_of(body, h, options.output, options.samples))
        print(f"{body.name}: h = {h:g} in {time.perf_counter() - started:.1f} s", file=sys.stderr)
    return accounts


def parse(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="scripts/guests impacts", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("results", nargs="*", type=Path, metavar="results/NAME")
    parser.add_argument("--problems", nargs="+", choices=list(builtin()), metavar="NAME",
                        help=f"of {', '.join(builtin())} (default: all, where no results are given)")
    parser.add_argument("--steps", nargs="+", type=float, default=[1e-3, 1e-4, 1e-5], metavar="H",
                        help="s (default: 1e-3 1e-4 1e-5)")
    parser.add_argument("--samples", type=int, default=2000, help="of motions.csv (default 2000)")
    parser.add_argument("-o", "--output", type=Path, default=Path("results/siconos"), metavar="DIR")
    return parser.parse_args(arguments)


def main(arguments: list[str] | None = None) -> int:
    options = parse(arguments)
    try:
        pairs = [(body_of(result), result) for result in options.results]
    except (ValueError, KeyError, OSError) as wrong:
        print(f"siconos: {wrong}", file=sys.stderr)
        return 2
    names = options.problems or ([] if pairs else list(builtin()))
    for body, result in [*pairs, *((builtin()[name], None) for name in names)]:
        accounts = accounts_of(body, result, options)
        rows = table(accounts)
        write_table(options.output / body.name / "comparison.csv", accounts, rows)
        text = text_of(body.name, accounts, rows)
        (options.output / body.name / "comparison.md").write_text(text, encoding="utf-8")
        print(text, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
