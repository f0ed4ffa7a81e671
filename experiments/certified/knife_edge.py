"""The constant of the knife edge as a theorem for all eps at once, in ball arithmetic.

    build/venv/bin/python experiments/certified/knife_edge.py

Proves for the knife edge of experiments/prediction/knife_edge_prediction.toml (unloaded start, critical damping, beta = 1)
and every eps in (0, eps0]

    | sup |q - q^| - K eps^2 | <= K3 eps^3,     | sup |v - v^| for t >= t_a - K_v eps^2 | <= K3_v eps^3

with the maximum norm over all components, on the whole interval and not on samples. docs/certified.md has the proof; its
bounds have the same names here. Numbers are balls of Arb (python-flint) with 128 bits: a parameter is its double exactly.
"""

import sys
import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import rigidlimit as rl
from flint import arb, ctx

Curve = Callable[[arb], arb]
STUDY = Path(__file__).resolve().parents[1] / "prediction" / "knife_edge_prediction.toml"
ctx.prec = 128


@dataclass(frozen=True)
class KnifeEdge:
    """mass, kg; C, N/m; pull g sin(slope), m/s^2; speed, m/s, and turning rate, rad/s, at the start; end T and time t_a, s."""

    mass: arb
    stiffness: arb
    pull: arb
    speed: arb
    turning: arb
    end: float
    after: float

    @property
    def damping(self) -> arb:
        """D = 2 sqrt(C m), critical."""
        return 2 * (self.stiffness * self.mass).sqrt()

    def multiplier(self, t: arb) -> arb:
        """Lambda of the rigid motion, N: -m (pull sin phi + turning s), s = speed + pull/turning sin phi."""
        return -self.mass * (2 * self.pull * (self.turning * t).sin() + self.turning * self.speed)

    def multiplier_rate(self, t: arb) -> arb:
        return -2 * self.mass * self.pull * self.turning * (self.turning * t).cos()

    def position_term(self, t: arb) -> tuple[arb, arb]:
        """a0 = 2 w/C int_0^t e Lambda + B Lambda/C: the leading term of (x, y) over eps^2."""
        w, angle = self.turning, self.turning * t
        along = -self.mass * (self.pull * (1 - (2 * angle).cos()) / (2 * w) + self.speed * angle.sin())
        across = -self.mass * (self.pull * (t - (2 * angle).sin() / (2 * w)) + self.speed * (1 - angle.cos()))
        force = self.multiplier(t)
        return ((2 * w * along - angle.sin() * force) / self.stiffness,
                (2 * w * across + angle.cos() * force) / self.stiffness)

    def velocity_term(self, t: arb) -> tuple[arb, arb]:
        """w e Lambda/C + B Lambda'/C: the leading term of (x', y') over eps^2 behind the layer."""
        angle, force, rate = self.turning * t, self.multiplier(t), self.multiplier_rate(t)
        return ((self.turning * angle.cos() * force - angle.sin() * rate) / self.stiffness,
                (self.turning * angle.sin() * force + angle.cos() * rate) / self.stiffness)


@dataclass(frozen=True)
class Theorem:
    """|error - K eps^2| <= K3 eps^3 for every eps in (0, eps0]; K a ball."""

    constant: arb
    remainder: arb
    eps0: float

    def allows(self, error: float, eps: float) -> bool:
        """Whether an error at this eps agrees with it."""
        return bool(abs(arb(error) - self.constant * arb(eps) ** 2) <= self.remainder * arb(eps) ** 3)

    def allows_constant(self, constant: float) -> bool:
        """Whether the limit of error/eps^2 can be this number."""
        return self.constant.contains(arb(constant))

    def __str__(self) -> str:
        return f"| error - K eps^2 | <= K3 eps^3 for 0 < eps <= {self.eps0:g}: K = {self.constant.str(12)}, " \
               f"K3 = {self.remainder.upper().str(4, radius=False)}"


def upper(x: arb) -> arb:
    return arb(abs(x).upper())


def greatest(curve: Curve, begin: float, end: float, width: float = 1e-9) -> arb:
    """A ball of max |curve| on [begin, end], no wider than `width` times it: by bisection."""
    parts, low = [(arb(begin), arb(end))], arb(0)
    while True:
        bounds = []
        for left, right in parts:
            low = arb(max(low, abs(curve((left + right) / 2)).lower()))
            bounds.append((upper(curve(left.union(right))), left, right))
        high = arb(max(bound for bound, _, _ in bounds))
        if high - low < width * low or len(parts) > 100000:
            return low.union(high)
        parts = [part for bound, left, right in bounds if not bound < low
                 for part in ((left, (left + right) / 2), ((left + right) / 2, right))]


def norm(term: Callable[[arb], tuple[arb, arb]]) -> Curve:
    """The maximum norm of the two components."""
    return lambda t: abs(term(t)[0]).max(abs(term(t)[1]))


@dataclass(frozen=True)
class Bounds:
    """The bounds of docs/certified.md for eps in (0, eps0]."""

    body: KnifeEdge
    eps0: float

    def __post_init__(self) -> None:
        if not self.body.stiffness > self.eps0**2 * self.body.mass * self.body.turning**2:
            raise ValueError("eps0 is too large: the contact is softer than the centrifugal term")

    @property
    def rate(self) -> arb:
        """nu = sqrt(C/m): the layer decays by exp(-nu t/eps)."""
        return (self.body.stiffness / self.body.mass).sqrt()

    @property
    def spin(self) -> arb:
        """m w^2."""
        return self.body.mass * self.body.turning**2

    @property
    def force(self) -> arb:
        """sup |Lambda|."""
        return self.body.mass * (2 * abs(self.body.pull) + abs(self.body.turning * self.body.speed))

    @property
    def force_rate(self) -> arb:
        """sup |Lambda'|."""
        return 2 * self.body.mass * abs(self.body.pull * self.body.turning)

    @property
    def force_curvature(self) -> arb:
        """sup |Lambda''|."""
        return self.force_rate * abs(self.body.turning)

    @property
    def deflection(self) -> arb:
        """H >= |eta|."""
        return self.force / (self.body.stiffness - arb(self.eps0) ** 2 * self.spin)

    @property
    def deflection_rate(self) -> arb:
        """F >= |eps eta'|."""
        return 2 / arb(1).exp() * (self.force + arb(self.eps0) ** 2 * self.spin * self.deflection) \
            / (self.rate * self.body.mass)

    def tail(self, t: float) -> arb:
        """(1 + y) exp(-y)/eps0 at y = nu t/eps0: bounds (1 + y) exp(-y)/eps for eps <= eps0 where y >= 2."""
        y = self.rate * arb(t) / arb(self.eps0)
        if not y >= 2:
            raise ValueError(f"eps0 is too large: the layer has not decayed at t = {t:g} s")
        return (1 + y) * (-y).exp() / arb(self.eps0)

    @property
    def integral(self) -> arb:
        """R >= |int e (C eta - Lambda)|/eps."""
        body, w, T, H, eps0 = self.body, abs(self.body.turning), arb(self.body.end), self.deflection, arb(self.eps0)
        return (body.mass * self.deflection_rate + body.damping * H * (1 + w * T)
                + eps0 * body.mass * (w * H + 2 * w**2 * T * H))

    def near(self, t: float) -> arb:
        """>= |eta - Lambda/C|/eps from t on."""
        C = self.body.stiffness
        return (2 * self.force_rate / self.rate + arb(self.eps0) * self.spin * self.deflection
                + self.force * self.tail(t)) / C

    def near_rate(self, t: float) -> arb:
        """>= |eta' - Lambda'/C|/eps from t on."""
        C, y = self.body.stiffness, self.rate * arb(t) / arb(self.eps0)
        if not y >= 3:
            raise ValueError(f"eps0 is too large: the layer has not decayed at t = {t:g} s")
        start = abs(self.body.multiplier(arb(0))) * y * (-y).exp() / (self.rate * self.body.mass * arb(self.eps0) ** 2)
        return (2 * self.force_curvature / self.rate + self.spin * self.deflection_rate
                + self.force_rate * self.tail(t)) / C + start


def position_theorem(body: KnifeEdge, eps0: float) -> Theorem:
    """Of sup |q - q^| on [0, T]."""
    bounds = Bounds(body, eps0)
    layer = body.end / 8
    constant = greatest(norm(body.position_term), layer, body.end)
    remainder = 2 * abs(body.turning) * bounds.integral / body.stiffness + bounds.near(layer)
    if not (2 * abs(body.turning) * arb(layer) + 1) * bounds.deflection < constant:
        raise ValueError("the layer may hide the constant: no proof")
    return Theorem(constant, upper(remainder), eps0)


def velocity_theorem(body: KnifeEdge, eps0: float) -> Theorem:
    """Of sup |v - v^| on [t_a, T]."""
    bounds = Bounds(body, eps0)
    remainder = abs(body.turning) * bounds.near(body.after) + bounds.near_rate(body.after)
    return Theorem(greatest(norm(body.velocity_term), body.after, body.end), upper(remainder), eps0)


def of_study() -> KnifeEdge:
    """The knife edge of STUDY, whose contact is critically damped."""
    study = tomllib.loads(rl.Study.load(STUDY).resolved)
    system, contact = study["system"], study["contact"]
    speed, _, turning = study["initial"]["v"]
    assert contact["damping_ratio"] == 1.0 and contact["damping_exponent"] == 1.0
    return KnifeEdge(arb(system["mass"]), arb(contact["stiffness"]),
                     arb(system["gravity"]) * arb(system["slope"]).sin(), arb(speed), arb(turning), study["time"]["end"],
                     study["time"]["after"])


def main() -> int:
    body, eps0 = of_study(), 1e-2
    print("q:", position_theorem(body, eps0))
    print(f"v, t >= {body.after:g} s:", velocity_theorem(body, eps0))
    return 0


if __name__ == "__main__":
    sys.exit(main())
