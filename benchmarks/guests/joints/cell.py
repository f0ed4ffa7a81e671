"""Two load cases with a known multiplier, and a cell of the table."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import isfinite, isnan, nan

WANTED = (1e-3, 1e-4, 1e-5)  # m
NEAR = 0.2  # a run with the settings is to be within this share of the wanted gap
SHARE = 0.05  # of the gap: what a step of order one may shift
CASES = ("hanging", "swinging")


@dataclass(frozen=True)
class Load:
    """A body of 1 kg that hangs at rest, or swings as a pendulum of 1 m, from rest at the horizontal.

    `inertia`: about its centre and of the arm that it is welded to, if there is one, kg m^2. The rigid joint carries
    m g at rest, and at the bottom of the swing

        Λ = m g (1 + 2/(1 + I/(m L^2))),   3 m g for a point mass,

    since the energy m g L is (m L^2 + I) v^2/(2 L^2), and Λ = m g + m v^2/L. It grows from 0 up to there.
    """

    case: str
    inertia: float = 1e-3
    mass: float = 1.0
    length: float = 1.0
    gravity: float = 9.81

    @property
    def end(self) -> float:
        """Of the run, s: the bottom is passed at 0.59 s by a point mass; at rest the layer has gone."""
        return 0.7

    @property
    def acceleration(self) -> float:
        """v^2/L at the bottom, m/s^2; 0 at rest."""
        return 2.0 * self.gravity / (1.0 + self.inertia / (self.mass * self.length**2)) if self.swings else 0.0

    @property
    def multiplier(self) -> float:
        """Λ, N, at rest or at the bottom."""
        return self.mass * (self.gravity + self.acceleration)

    @property
    def swings(self) -> bool:
        return self.case == "swinging"

    @property
    def arm(self) -> tuple[float, float, float]:
        """From the joint to the centre at the start, m."""
        return (self.length, 0.0, 0.0) if self.swings else (0.0, 0.0, 0.0)


@dataclass(frozen=True)
class Cell:
    """A run with the settings of the law.

    Attributes
    ----------
    found, at_default : float
        The greatest gap, m, of a swing, or that at rest; with the step of the law, and with the engine's default step,
        with everything else the same. NaN: none, for the `reason`.
    """

    engine: str
    version: str
    joint: str
    method: str
    case: str
    wanted: float
    settings: str = ""
    step: float = nan
    found: float = nan
    default_step: float = nan
    at_default: float = nan
    reason: str = ""

    @property
    def ratio(self) -> float:
        return self.found / self.wanted

    @property
    def default_ratio(self) -> float:
        return self.at_default / self.wanted

    @property
    def near(self) -> bool:
        return not isnan(self.found) and abs(self.ratio - 1.0) <= NEAR


@dataclass(frozen=True)
class Joint:
    """A joint of an engine.

    `prepare` takes the load and the wanted gap, m; it returns the settings as text, the step of the law, s, and the run:
    the gap, m, of a step, s. It raises ValueError where the law has no settings.
    """

    name: str
    method: str
    default_step: float
    prepare: Callable[[Load, float], tuple[str, float, Callable[[float], float]]]
    inertia: float = 1e-3


def measured(engine: str, version: str, joints: list[Joint]) -> Iterator[Cell]:
    """Run all joints. A run that fails is a cell with the reason; a missing package is left to the caller."""
    for joint in joints:
        for case in CASES:
            for wanted in WANTED:
                head = (engine, version, joint.name, joint.method, case, wanted)
                try:
                    settings, step, run = joint.prepare(Load(case, joint.inertia), wanted)
                    found = run(step)
                except ImportError:
                    raise
                except Exception as failure:
                    yield Cell(*head, reason=f"{type(failure).__name__}: {' '.join(str(failure).split())}")
                    continue
                if not isfinite(found):
                    yield Cell(*head, settings, step, reason="the gap is not finite")
                    continue
                yield Cell(*head, settings, step, found, joint.default_step, _or_nan(run, joint.default_step))


def _or_nan(run: Callable[[float], float], step: float) -> float:
    try:
        return run(step)
    except Exception:  # at its default step an engine may stop; the cell shows none
        return nan
