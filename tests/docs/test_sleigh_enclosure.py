"""docs/certified.md: a second program encloses the sleigh, and its errors lie in the bounds of a certified study.

It shares nothing with the C++ module: the equations are written by hand in the frame of the body, the method is a plain
Taylor series with a remainder on an a priori box, and balls of 700 bits absorb the growth of their radii, so that its steps
follow the contact and not the motion.
"""

from collections.abc import Callable
from pathlib import Path

import pytest

import rigidlimit as rl

pytest.importorskip("flint", reason="ball arithmetic needs python-flint")

from flint import arb, arb_series, ctx  # noqa: E402

STUDY = Path(__file__).resolve().parents[2] / "experiments/prediction/chaplygin_sleigh_prediction.toml"
EPSILON, END = 1e-2, 0.25
BITS, ORDER, STEP = 700, 24, EPSILON / 10

Vector = list[arb_series]
Rates = Callable[[Vector], Vector]


class Sleigh:
    """Forward speed s, sliding velocity w = eps f and turning rate of the contact; position and heading (x, y, phi).

    m (s' - omega (w + a omega)) = 0, m (w' + a omega' + omega s) = -lambda, J omega' = a lambda.
    """

    def __init__(self, mass: arb) -> None:
        self.mass, self.inertia, self.arm = mass, arb(0.5), arb(0.4)
        self.mobility = 1 / mass + self.arm**2 / self.inertia
        self.stiffness, self.damping = arb(1), 2 / self.mobility.sqrt()  # critical: (A D)^2 = 4 A C

    def compliant(self, z: Vector) -> Vector:
        """(x, y, phi, s, omega, f, eta), lambda = C eta + D f, eps eta' = f."""
        _, _, phi, s, omega, f, eta = z
        w, force = arb(EPSILON) * f, self.stiffness * eta + self.damping * f
        return [s * phi.cos() - w * phi.sin(), s * phi.sin() + w * phi.cos(), omega,
                omega * (w + self.arm * omega), self.arm / self.inertia * force,
                (-self.mobility * force - omega * s) / arb(EPSILON), f / arb(EPSILON)]

    def rigid(self, z: Vector) -> Vector:
        """(x, y, phi, s, omega), w = 0."""
        _, _, phi, s, omega = z
        whole = self.inertia + self.mass * self.arm**2
        return [s * phi.cos(), s * phi.sin(), omega, self.arm * omega**2, -self.mass * self.arm / whole * s * omega]


def series(rates: Rates, start: list[arb]) -> Vector:
    """The Taylor coefficients up to ORDER of the solutions from all starts in these balls."""
    z = [arb_series([x]) for x in start]
    for length in range(2, ORDER + 2):
        ctx.cap = length
        z = [arb_series([x]) + f.integral() for x, f in zip(start, rates(z))]
    return z


def box(rates: Rates, start: list[arb]) -> list[arb]:
    """Balls B with start + [0, h] f(B) inside B: they contain the solution on the step."""
    ctx.cap = 1
    times, B = arb(STEP / 2, STEP / 2), start
    for _ in range(60):
        image = [x + times * f[0] for x, f in zip(start, rates([arb_series([b]) for b in B]))]
        if all(b.contains_interior(i) for b, i in zip(B, image)):
            return B
        B = [i + arb(0, 1e-6 + 0.2 * float(i.rad())) for i in image]
    raise ValueError("no box")


def end_of(rates: Rates, start: list[arb]) -> list[arb]:
    """The solution at END."""
    z = start
    for _ in range(round(END / STEP)):
        remainder = [c[ORDER] for c in series(rates, box(rates, z))]
        z = [sum((c[k] * arb(STEP)**k for k in range(ORDER)), arb(0)) + r * arb(STEP)**ORDER
             for c, r in zip(series(rates, z), remainder)]
    return z


def errors(mass: float) -> list[arb]:
    """|q - q^| of x, y and phi at END."""
    old = ctx.prec, ctx.cap
    ctx.prec = BITS
    try:
        sleigh, zero = Sleigh(arb(mass)), arb(0)
        start = [zero, zero, zero, arb(0.5), arb(1.5)]
        compliant = end_of(sleigh.compliant, [*start, zero, zero])
        return [abs(a - b) for a, b in zip(compliant, end_of(sleigh.rigid, start))][:3]
    finally:
        ctx.prec, ctx.cap = old


@pytest.fixture(scope="module")
def bounds() -> list[tuple[float, float]]:
    """The proved bounds of x, y and phi in the sup norm."""
    changed = [f"time.end={END}", "time.after=0.1", "epsilon.to=1e-3", "epsilon.from=1e-2", "epsilon.count=2",
               "solvers.certified=true", "expect=[]",
               "bound=[" + ", ".join(f'{{quantity="{name}", constant=1.0, power=0.0}}' for name in ("x", "y", "phi")) + "]"]
    table = rl.Study.load(STUDY, overrides=changed).run(results=None, progress=None).table
    rows = [table[(table["quantity"] == name) & (table["epsilon"] == EPSILON) & (table["norm"] == "sup")
                  & (table["window"] == "all")].iloc[0] for name in ("x", "y", "phi")]
    assert all(row["status"] == "proved" for row in rows)
    return [(row["proved_lower"], row["proved_upper"]) for row in rows]


def agree(error: arb, bounds: tuple[float, float]) -> bool:
    """Whether both programs allow a common error."""
    lower, upper = bounds
    return bool(error.overlaps(arb((lower + upper) / 2, (upper - lower) / 2)))


def test_both_programs_agree_to_seven_digits(bounds: list[tuple[float, float]]) -> None:
    # All three errors grow, so that their maxima are the errors at the end.
    for error, (lower, upper) in zip(errors(1.0), bounds):
        assert error.rad() < 1e-7 * error
        assert upper - lower < 1e-7 * lower
        assert agree(error, (lower, upper))


def test_a_mass_off_by_1e_6_is_excluded(bounds: list[tuple[float, float]]) -> None:
    assert not all(agree(error, proved) for error, proved in zip(errors(1.0 + 1e-6), bounds))
