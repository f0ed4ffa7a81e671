"""Event-driven motions with jumps of forces and loads: an own solve of the random studies of random_switches.py.

    M v' = F(t, q, v) - W^T lambda,  q' = v,  w = W v - b        contact with a given normal force N(t, q, v)
    M v' = F(t, q, v) + (dg/dq)^T p,  g = y - h(x) >= 0          contact that can open, without friction

M is diagonal and constant. F and N are smooth apart from jumps at zeros of linear functions of t, q and v (Switch).
Between events all signs are held, so that each piece is smooth beyond its end. DOP853 solves it with small steps; the
sign of each function is tested at five points of each step, and a root of the dense output ends the piece.

A motion whose events depend on less than the accuracy of a solve (grazing, sliding along a switch, a contact force near
its bound) is Degenerate, and is no test of a program.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from types import CodeType

import numpy as np
import numpy.typing as npt
from scipy.integrate import DOP853, DenseOutput
from scipy.optimize import brentq

Array = npt.NDArray[np.float64]
FUNCTIONS = {name: getattr(np, name) for name in ("sin", "cos", "exp", "sqrt")}
STOPPED = 1e-10  # m/s: a speed in the plane that is taken for 0, after its remaining time
CLEAR = 1e-3     # least distance from a graze, in the unit of the function


class Degenerate(Exception):
    """The motion depends on less than the accuracy of a solve."""


@dataclass(frozen=True)
class Switch:
    """g = coefficients (t, q, v) - level; a jump has its first value where g < 0."""

    coefficients: tuple[float, ...]
    level: float

    def value(self, t: float, y: Array) -> float:
        return self.coefficients[0] * t + float(np.dot(self.coefficients[1:], y)) - self.level

    def rate(self, dy: Array) -> float:
        return self.coefficients[0] + float(np.dot(self.coefficients[1:], dy))


@dataclass(frozen=True)
class Jump:
    """factor times `below` where the switch is negative, and times `above` elsewhere."""

    switch: int
    below: float
    above: float
    factor: str = "1"


@dataclass(frozen=True)
class Quantity:
    """A formula in the notation of the program plus jumps."""

    smooth: str = "0"
    jumps: tuple[Jump, ...] = ()


def code(formula: str) -> CodeType:
    """A formula as Python: the velocity x' is `dx`, the power is `**`."""
    return compile(re.sub(r"(\w+)'", r"d\1", formula).replace("^", "**"), formula, "eval")


@dataclass(frozen=True)
class Sliding:
    """A contact with a given normal force: |lambda| <= friction N, along w where w is not 0."""

    rows: Array   # W, m x n
    belt: Array   # b, m
    friction: float
    load: Quantity


@dataclass(frozen=True)
class Opening:
    """A contact with the gap y - h(x), without friction. `shape` gives h, h' and h''; `corners` are those of h."""

    text: str
    shape: Callable[[float], tuple[float, float, float]]
    restitution: float
    corners: tuple[float, ...] = ()


@dataclass
class Setting:
    """One problem. The force is applied - gradient, and the velocities are the rates of the coordinates."""

    names: tuple[str, ...]
    mass: Array
    potential: str
    gradient: tuple[str, ...]
    applied: tuple[Quantity, ...]
    switches: list[Switch]
    contact: Sliding | Opening
    q: Array
    v: Array
    end: float

    def __post_init__(self) -> None:
        self.codes = {formula: code(formula) for formula in self.formulas()}

    def formulas(self) -> set[str]:
        quantities = [*self.applied, *([self.contact.load] if isinstance(self.contact, Sliding) else [])]
        return {*self.gradient, *(one.smooth for one in quantities),
                *(jump.factor for one in quantities for jump in one.jumps)}

    def numbers(self, t: float, y: Array) -> dict[str, object]:
        n = len(self.names)
        return {"t": t, **dict(zip(self.names, y[:n])), **{f"d{a}": b for a, b in zip(self.names, y[n:])}, **FUNCTIONS}

    def amount(self, one: Quantity, numbers: dict[str, object], signs: Sequence[int]) -> float:
        """A quantity with the switches at these signs."""
        total = float(eval(self.codes[one.smooth], {}, numbers))  # noqa: S307
        for jump in one.jumps:
            value = jump.below if signs[jump.switch] < 0 else jump.above
            total += value * float(eval(self.codes[jump.factor], {}, numbers))  # noqa: S307
        return total

    def force(self, numbers: dict[str, object], signs: Sequence[int]) -> Array:
        applied = [self.amount(one, numbers, signs) for one in self.applied]
        return np.array(applied) - [float(eval(self.codes[one], {}, numbers)) for one in self.gradient]  # noqa: S307


@dataclass
class Mode:
    """slip (with its direction), stick, free or closed."""

    name: str
    direction: Array = field(default_factory=lambda: np.zeros(1))


@dataclass(frozen=True)
class Event:
    """`speed` is the rate of the function whose zero it is, of a gap over its gradient. An error of q or v over it is
    one of t."""

    t: float
    kind: str  # stick, slip, reversal, impact, detachment, switch
    speed: float


@dataclass
class Piece:
    begin: float
    end: float
    dense: list[tuple[float, DenseOutput]]  # end of a step, and its interpolant

    def __call__(self, t: float) -> Array:
        for end, one in self.dense:
            if t <= end:
                return np.asarray(one(t))
        return np.asarray(self.dense[-1][1](t))


class Solve:
    """One motion from 0 to the end."""

    def __init__(self, setting: Setting) -> None:
        self.of, self.n = setting, len(setting.names)
        self.t, self.y = 0.0, np.concatenate([setting.q, setting.v]).astype(float)
        self.events: list[Event] = []
        self.pieces: list[Piece] = []
        self.effects = 0  # switches at which v' jumps
        self.signs = [1 if one.value(0.0, self.y) > 0.0 else -1 for one in setting.switches]
        if any(abs(one.value(0.0, self.y)) < CLEAR for one in setting.switches):
            raise Degenerate("starts at a switch")
        self.mode = self.first_mode()
        while self.t < setting.end:
            self.piece()

    def first_mode(self) -> Mode:
        if isinstance(self.of.contact, Opening):
            if self.gap(self.y) < 1e-2:
                raise Degenerate("starts closed")
            return Mode("free")
        w = self.sliding(self.y)
        return Mode("slip", w / np.linalg.norm(w)) if np.any(w) else self.from_rest()

    # the contact with a given normal force

    def sliding(self, y: Array) -> Array:
        assert isinstance(self.of.contact, Sliding)
        return self.of.contact.rows @ y[self.n:] - self.of.contact.belt

    def bound(self, numbers: dict[str, object]) -> float:
        assert isinstance(self.of.contact, Sliding)
        return self.of.contact.friction * self.of.amount(self.of.contact.load, numbers, self.signs)

    def holding(self, t: float, y: Array) -> tuple[Array, float]:
        """The force that keeps w' = 0, and its bound."""
        assert isinstance(self.of.contact, Sliding)
        rows, numbers = self.of.contact.rows, self.of.numbers(t, y)
        free = rows @ (self.of.force(numbers, self.signs) / self.of.mass)
        return np.asarray(np.linalg.solve(rows / self.of.mass @ rows.T, free), float), self.bound(numbers)

    def from_rest(self) -> Mode:
        """The mode where w = 0: it sticks if the bound suffices, and else slips the way of the holding force."""
        force, bound = self.holding(self.t, self.y)
        size = float(np.linalg.norm(force))
        if abs(size - bound) < 0.02 * bound:
            raise Degenerate("a force near its bound")
        return Mode("stick", force) if size < bound else Mode("slip", force / size)

    # the contact that can open

    def gap(self, y: Array) -> float:
        assert isinstance(self.of.contact, Opening)
        return float(y[1]) - self.of.contact.shape(float(y[0]))[0]

    def corners(self) -> tuple[float, ...]:
        return self.of.contact.corners if isinstance(self.of.contact, Opening) else ()

    def normal(self, y: Array) -> tuple[Array, float]:
        """dg/dq, and the part of g'' without v'."""
        assert isinstance(self.of.contact, Opening)
        _, slope, bend = self.of.contact.shape(float(y[0]))
        return np.array([-slope, 1.0]), -bend * float(y[2]) ** 2

    def pressure(self, t: float, y: Array) -> float:
        """p that keeps g'' = 0."""
        row, rest = self.normal(y)
        free = row @ (self.of.force(self.of.numbers(t, y), self.signs) / self.of.mass) + rest
        return -float(free / (row @ (row / self.of.mass)))

    # pieces

    def rates(self, t: float, y: Array) -> Array:
        numbers, contact = self.of.numbers(t, y), self.of.contact
        force = self.of.force(numbers, self.signs)
        if isinstance(contact, Opening):
            if self.mode.name == "closed":
                force = force + self.normal(y)[0] * self.pressure(t, y)
        elif self.mode.name == "stick":
            force = force - contact.rows.T @ self.holding(t, y)[0]
        else:
            direction, w = self.mode.direction, self.sliding(y)
            if len(w) > 1 and np.linalg.norm(w) > 0.01 * STOPPED:
                direction = w / np.linalg.norm(w)
            force = force - contact.rows.T @ direction * self.bound(numbers)
        return np.concatenate([y[self.n:], force / self.of.mass])

    def functions(self) -> list[tuple[str, Callable[[float, Array], float]]]:
        """Positive in the piece; the first zero ends it."""
        found: list[tuple[str, Callable[[float, Array], float]]] = [
            (f"switch {i}", lambda t, y, one=one, sign=sign: sign * one.value(t, y))  # type: ignore[misc]
            for i, (one, sign) in enumerate(zip(self.of.switches, self.signs))]
        if self.mode.name == "free":
            found.append(("impact", lambda _, y: self.gap(y)))
        elif self.mode.name == "closed":
            found.append(("detachment", self.pressure))
            found += [("corner", lambda _, y, c=c, side=self.y[0] - c: side * (y[0] - c))  # type: ignore[misc]
                      for c in self.corners()]
        elif self.mode.name == "stick":
            def margin(t: float, y: Array) -> float:
                force, bound = self.holding(t, y)
                return bound - float(np.linalg.norm(force))
            found.append(("slip", margin))
        elif len(self.mode.direction) > 1:
            found.append(("stop", lambda _, y: float(np.linalg.norm(self.sliding(y))) - STOPPED))
        else:
            found.append(("stop", lambda _, y: float(self.sliding(y)[0] * self.mode.direction[0])))
        return found

    def piece(self) -> None:
        """Steps until a function is zero, and then changes signs or mode."""
        functions, begin, dense = self.functions(), self.t, list[tuple[float, DenseOutput]]()
        solver = DOP853(self.rates, self.t, self.y, self.of.end, max_step=self.of.end / 300, rtol=1e-13, atol=1e-15)
        trail: list[list[float]] = [[one(self.t, self.y) for _, one in functions]]
        while solver.status == "running":
            solver.step()
            if solver.status == "failed":
                raise Degenerate("the solve failed")
            smooth = solver.dense_output()
            dense.append((solver.t, smooth))
            roots = self.roots(functions, smooth, trail)
            if roots:
                t, name = min(roots)
                self.pieces.append(Piece(begin, t, dense))
                self.t, self.y = t, np.asarray(smooth(t))
                self.pass_event(name, begin)
                return
        self.pieces.append(Piece(begin, solver.t, dense))
        self.t, self.y = solver.t, solver.y

    def roots(self, functions: list[tuple[str, Callable[[float, Array], float]]], smooth: DenseOutput,
              trail: list[list[float]]) -> list[tuple[float, str]]:
        """The zeros in a step, from values at five points; a near miss is refused."""
        found, last = [], smooth.t_old
        for t in np.linspace(smooth.t_old, smooth.t, 6)[1:]:
            y = np.asarray(smooth(t))
            values = [one(t, y) for _, one in functions]
            for i, (name, one) in enumerate(functions):
                before, value = trail[-1][i], values[i]
                if before > 0.0 >= value:
                    found.append((brentq(lambda s, one=one: one(s, np.asarray(smooth(s))), last, t, xtol=1e-15,
                                         rtol=1e-15), name))
                elif len(trail) > 1 and name != "stop" and 0.0 < before < min(trail[-2][i], value, CLEAR):
                    raise Degenerate(f"{name}: a near miss")
            trail.append(values)
            if found:
                break
            last = t
        return found

    def note(self, kind: str, rate: float, gradient: float = 1.0) -> None:
        if abs(rate) < 0.05:
            raise Degenerate(f"{kind}: crosses slowly")
        self.events.append(Event(self.t, kind, abs(rate) / gradient))
        if len(self.events) > 12:
            raise Degenerate("many events")

    def pass_event(self, name: str, begin: float) -> None:
        if self.t - begin < 1e-3 or self.of.end - self.t < 1e-3:
            raise Degenerate("events close to each other, or to the end")
        if name.startswith("switch"):
            self.pass_switch(int(name.split()[1]))
        elif name == "impact":
            self.impact()
        elif name == "detachment":
            rate = (self.pressure(self.t, self.y) - self.pressure(self.t - 1e-6, self.pieces[-1](self.t - 1e-6))) / 1e-6
            self.note("detachment", rate)
            self.mode = Mode("free")
        elif name == "slip":
            self.slip()
        elif name == "corner":
            raise Degenerate("slides along the contact over a corner")
        else:
            self.stop()

    def slip(self) -> None:
        force, _ = self.holding(self.t, self.y)
        before, bound = self.holding(self.t - 1e-6, self.pieces[-1](self.t - 1e-6))
        self.note("slip", (bound - float(np.linalg.norm(before))) / 1e-6)
        self.mode = Mode("slip", force / np.linalg.norm(force))

    def stop(self) -> None:
        """w = 0: sticks, or slips the other way."""
        contact, direction = self.of.contact, self.mode.direction
        assert isinstance(contact, Sliding)
        w, dw = self.sliding(self.y), contact.rows @ self.rates(self.t, self.y)[self.n:]
        speed = float(dw @ (w / np.linalg.norm(w) if len(w) > 1 else direction))
        if len(w) > 1:
            self.t += float(np.linalg.norm(w)) / abs(speed)
        mobility = contact.rows / self.of.mass
        self.y[self.n:] -= mobility.T @ np.linalg.solve(mobility @ contact.rows.T, w)
        self.mode = self.from_rest()
        self.note("stick" if self.mode.name == "stick" else "reversal", speed)

    def impact(self) -> None:
        """Newton's and Poisson's law agree for one contact without friction."""
        contact = self.of.contact
        assert isinstance(contact, Opening)
        if any(abs(self.y[0] - corner) < 1e-3 for corner in contact.corners):
            raise Degenerate("an impact at a corner")
        row, _ = self.normal(self.y)
        speed = float(row @ self.y[self.n:])
        self.note("impact", speed, float(np.linalg.norm(row)))
        mobility = row / self.of.mass
        self.y[self.n:] -= (1.0 + contact.restitution) * speed * mobility / float(row @ mobility)
        if contact.restitution == 0.0:
            p = self.pressure(self.t, self.y)
            if abs(p) < 0.05:
                raise Degenerate("rests without force")
            self.mode = Mode("closed" if p > 0.0 else "free")

    def pass_switch(self, i: int) -> None:
        """Crosses a switch. The contact may begin to slip or open, and both sides must lead through the switch."""
        switch = self.of.switches[i]
        old = self.rates(self.t, self.y)
        before = switch.rate(old)
        self.note("switch", before)
        self.signs[i] = -self.signs[i]
        if self.mode.name == "stick":
            self.mode = self.from_rest()
            if self.mode.name == "slip":
                self.events.append(Event(self.t, "slip", abs(before)))
        elif self.mode.name == "closed":
            p = self.pressure(self.t, self.y)
            if abs(p) < 0.05:
                raise Degenerate("a force near zero")
            if p < 0.0:
                self.mode = Mode("free")
                self.events.append(Event(self.t, "detachment", abs(before)))
        new = self.rates(self.t, self.y)
        after = switch.rate(new)
        self.effects += bool(np.abs(new - old).max() > 0.05)
        if before * after <= 0.0 or abs(after) < 0.05:
            raise Degenerate("the motion slides along a switch")

    def at(self, t: float) -> Array:
        """The state; the left limit at an impact."""
        for piece in self.pieces:
            if t <= piece.end:
                return piece(t)
        return self.pieces[-1](t)
