"""Do the settings of `rigidlimit stiffness --engine` keep what they promise? Engines run with them.

The error of a run is the largest distance of one coordinate of the centre from the rigid motion, at 200 times.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import isnan, nan
from time import perf_counter
from typing import Any

from .problems import (BOUNCE, DISK, OBLIQUE, OF_BALL, SPHERE, WHEEL, Array, Body, Bounce, Disk, Settings, ball, bounce,
                       disk, oblique, wheel)

WANTED = (1e-3, 1e-4, 1e-5)  # m
NEAR = 0.2  # a run with the settings is to be within this share of the wanted error
PARTS = 200


@dataclass(frozen=True)
class Question:
    """A problem for engines, and the study that answers it.

    Attributes
    ----------
    coordinate : str
        Of the study, whose error is wanted; `axis` of the centre.
    exact : function of the times
        The coordinate of the rigid motion, m.
    normal_force : float, optional
        N; only of a study that does not know it.
    """

    problem: str
    study: Any
    changed: dict[str, Any]
    coordinate: str
    axis: int
    body: Body
    exact: Callable[[Sequence[float]], Array]
    normal_force: float | None = None


@dataclass(frozen=True)
class Answer:
    """`found`: the error of the run, m; NaN: none, for the `reason`. `refused`: no settings were given."""

    engine: str
    problem: str
    coordinate: str
    wanted: float
    found: float = nan
    seconds: float = nan
    settings: str = ""
    reason: str = ""
    refused: bool = False

    @property
    def ratio(self) -> float:
        return self.found / self.wanted

    @property
    def near(self) -> bool:
        return abs(self.ratio - 1.0) <= NEAR


def questions() -> Iterator[Question]:
    import numpy as np
    import rigidlimit as rl

    def of_disk(times: Sequence[float]) -> Array:
        return np.asarray(rl.Study.load(DISK).rigid().reference(list(times)).q[0])

    yield Question("disk", DISK, {}, "x", 0, disk(), of_disk, greatest_friction(disk()))
    for problem, study, overrides, body in (("wheel", WHEEL, {}, wheel()), ("ball", SPHERE, OF_BALL, ball())):
        yield Question(problem, study, overrides, "x", 0, body,
                       lambda times, body=body: np.array([body.state(t)[0] for t in times]))  # type: ignore[misc]

    def of_bounce(body: Bounce, axis: int) -> Callable[[Sequence[float]], Array]:
        return lambda times: np.array([body.centre(t)[axis] for t in times])

    yield Question("impact", OBLIQUE, {"time": {"end": oblique().end}}, "x", 0, oblique(),
                   of_bounce(oblique(), 0))
    yield Question("bounce", BOUNCE, {"time": {"end": bounce().end}}, "z", 2, bounce(),
                   of_bounce(bounce(), 2))


def greatest_friction(body: Disk) -> float:
    """The normal force, N, where the friction of the rolling disc is greatest: m (g + z'')."""
    import numpy as np
    import rigidlimit as rl

    times = np.linspace(0.0, body.end, 401)
    motion = rl.Study.load(DISK).rigid().reference(times.tolist())
    height = body.radius * np.cos(motion.q[3])
    normal = body.mass * (body.gravity + np.gradient(np.gradient(height, times), times))
    return float(normal[3:-3][np.argmax(np.hypot(*motion.multiplier)[3:-3])])


def asked(question: Question, engine: str, wanted: float) -> tuple[Settings, str]:
    """The settings, or why there are none."""
    import rigidlimit as rl

    study = rl.Study.load(question.study).with_(**question.changed)
    try:
        answer = study.stiffness_for({question.coordinate: wanted}, engine=engine,
                                     normal_force=question.normal_force, progress=None)
    except rl.InputError as refusal:
        return {}, str(refusal)
    return answer.settings, answer.reason


def run(question: Question, engine: str, wanted: float) -> Answer:
    settings, reason = asked(question, engine, wanted)
    if not settings:
        return Answer(engine, question.problem, question.coordinate, wanted, reason=reason, refused=True)
    return followed(question, engine, settings, wanted)


def followed(question: Question, engine: str, settings: Settings, wanted: float) -> Answer:
    """The run of the engine with these settings."""
    head = (engine, question.problem, question.coordinate, wanted)
    told = ", ".join(f"{name} = {value:.4g}" if isinstance(value, float) else f"{name} = {value}"
                     for name, value in settings.items() if name in SHOWN)
    started = perf_counter()
    try:
        track = list(importlib.import_module(f".{engine}_model", __package__).follow(question.body, settings, PARTS))
    except ImportError:
        raise
    except Exception as failure:
        return Answer(*head, settings=told, reason=f"{type(failure).__name__}: {' '.join(str(failure).split())}")
    seconds = perf_counter() - started
    exact = question.exact([t for t, _ in track])
    found = max(abs(centre[question.axis] - x) for (_, centre), x in zip(track, exact))
    return Answer(*head, float(found), seconds, told)


# The settings in the table; `rigidlimit stiffness` prints all of them.
SHOWN = ("viscousFriction", "dryFrictionProportionalZone", "numberOfSteps", "solref[1]", "impratio", "timestep",
         "stiction_tolerance", "accuracy", "K", "k_t", "kf")


def answers(engines: Sequence[str], wanted: Sequence[float] = WANTED) -> Iterator[Answer]:
    for question in questions():
        for engine in engines:
            for error in wanted:
                try:
                    one = run(question, engine, error)
                except ImportError as missing:
                    print(f"{engine} is not installed: {missing}", file=sys.stderr)
                    break
                print(f"{one.engine}, {one.problem}, {one.wanted:g} m: {one.ratio:.3f} {one.reason}", file=sys.stderr)
                yield one


def markdown(all_answers: Sequence[Answer]) -> str:
    """A line for each cell, and the share of those within NEAR."""
    lines = ["| problem | engine | wanted, m | settings | found, m | ratio | time, s |", "| " + "--- | " * 7]
    refusals: dict[tuple[str, str], str] = {}
    for one in all_answers:
        if one.refused:
            refusals.setdefault((one.problem, one.engine), one.reason)
            continue
        number = one.reason if isnan(one.found) else f"{one.found:.3e}"
        ratio, time = ("", "") if isnan(one.found) else (f"{one.ratio:.3f}", f"{one.seconds:.2f}")
        lines.append(f"| {one.problem}, {one.coordinate} | {one.engine} | {one.wanted:g} | {one.settings} | {number} | "
                     f"{ratio} | {time} |")
    ran = [one for one in all_answers if not one.refused]
    lines += ["", f"Within {NEAR:.0%}: {sum(one.near for one in ran)} of {len(ran)}. Refused:", ""]
    lines += [f"* {engine}, {problem}: {reason.split(': ', 1)[-1]}" for (problem, engine), reason in refusals.items()]
    return "\n".join(line.rstrip() for line in lines)
