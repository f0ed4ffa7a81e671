"""Independent solver for the wheel between wall and curb (Grzesikiewicz and Zbiciak, Advances in Pure
Mathematics 10, 2020, 658-684): phases of flight, slip and stick, impacts by equations 31 to 35.

q = (x, y, phi): centre in m, angle in rad, counter-clockwise. Obstacles: the wall x = 0, the floor
y = 0, the block {x <= l1, y <= h}. A contact has the normal n towards the wheel, t = (n_y, -n_x):

    v_n = n . (x', y'),   v_t = t . (x', y') + r phi',   M q'' = Q + sum p N - l T,
    N = (n, 0),   T = (t, r),   l in mu p Sgn(v_t)

t is a unit vector. (The paper's H = (1, f', r) is no unit vector on the corner: its friction on the
centre is sqrt(1 + f'^2) times Coulomb's. We regard this as a slip of notation.)

The module shares no code with the C++ side. It tries all modes, integrates with DOP853 in short
steps (the dense output is exact for constant accelerations) and finds events with its root finder.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import product

import numpy as np

Array = np.ndarray
NAMES = ("wall", "curb", "floor")
ZERO = 1e-9  # m/s, m/s^2 and N: tolerance for zero when modes are chosen
SLOW = 1e-9  # m/s: a normal speed below this is zero up to the drift of the constraints
BOUNCING = 1e-6  # m/s: a slower impact closes the contact; later flights are lower than 1e-14 m
TOUCHING = 1e-11  # m: a contact with a smaller gap is closed


@dataclass(frozen=True)
class Curb:
    """Parameters of the paper."""

    restitution: float = 0.0
    m: float = 10.0
    J: float = 0.05
    r: float = 0.1
    h: float = 0.05
    l1: float = 0.4  # the edge of the block: l - r, l = 0.5
    mu: float = 0.4
    g: float = 9.81

    @property
    def inertia(self) -> Array:
        return np.array([self.m, self.m, self.J])

    def normals(self, q: Array) -> Array:
        """n of wall, curb, floor: 3 x 2."""
        edge = np.array([max(q[0] - self.l1, 0.0), q[1] - self.h])
        return np.array([[1.0, 0.0], edge / np.hypot(*edge), [0.0, 1.0]])

    def gaps(self, q: Array) -> Array:
        return np.array([q[0] - self.r,
                         np.hypot(max(q[0] - self.l1, 0.0), q[1] - self.h) - self.r,
                         q[1] - self.r])

    def rows(self, q: Array) -> tuple[Array, Array]:
        """N and T, 3 x 3 each."""
        n = self.normals(q)
        return (np.column_stack([n, np.zeros(3)]),
                np.column_stack([n[:, 1], -n[:, 0], np.full(3, self.r)]))

    def drifts(self, q: Array, v: Array) -> tuple[Array, Array]:
        """The terms of v_n' and v_t' without q'': the edge turns n and t."""
        normal, tangential = np.zeros(3), np.zeros(3)
        if q[0] > self.l1:
            n = self.normals(q)[1]
            distance = np.hypot(q[0] - self.l1, q[1] - self.h)
            along = n[1] * v[0] - n[0] * v[1]
            normal[1] = along**2 / distance
            tangential[1] = -along * float(n @ v[:2]) / distance
        return normal, tangential


@dataclass
class Event:
    t: float
    kind: str
    contacts: str
    q: Array
    before: Array
    after: Array
    modes: str
    impulse: Array = field(default_factory=lambda: np.zeros(6))  # -l and p of the three contacts


def laws(curb: Curb, q: Array, modes: tuple[str, ...], free: Array, drifts: tuple[Array, Array],
         given: Array | None = None) -> tuple[Array, Array, Array]:
    """Solves q'' = free + M^-1 (N p - T l) in these modes (or q' after an impact) with p and l.

    Modes: "free", "stick", "+" and "-" (slip with l = +-mu p). `given`: known values of p."""
    N, T = curb.rows(q)
    A, b = np.zeros((9, 9)), np.zeros(9)  # of (q'', p, l)
    A[:3, :3] = np.diag(curb.inertia)
    A[:3, 3:6], A[:3, 6:] = -N.T, T.T
    b[:3] = curb.inertia * free
    for i, mode in enumerate(modes):
        if given is not None:
            A[3 + i, 3 + i], b[3 + i] = 1.0, given[i]
        elif mode == "free":
            A[3 + i, 3 + i] = 1.0
        else:
            A[3 + i, :3], b[3 + i] = N[i], -drifts[0][i]
        if mode == "stick":
            A[6 + i, :3], b[6 + i] = T[i], -drifts[1][i]
        else:
            A[6 + i, 6 + i] = 1.0
            A[6 + i, 3 + i] = {"free": 0.0, "+": -curb.mu, "-": curb.mu}[mode]
    x = np.linalg.lstsq(A, b, rcond=None)[0]
    if not np.allclose(A @ x, b, rtol=0.0, atol=1e-9 * (1.0 + np.abs(b).max())):
        raise np.linalg.LinAlgError
    return x[:3], x[3:6], x[6:]


def agrees(curb: Curb, mode: str, p: float, l: float, u_n: float, u_t: float, known: bool) -> bool:
    if not known and (p < -ZERO or u_n < -ZERO):
        return False
    return {"free": True, "stick": abs(l) <= curb.mu * p + ZERO,
            "+": u_t >= -ZERO, "-": u_t <= ZERO}[mode]


def choose(curb: Curb, q: Array, options: list[tuple[str, ...]], free: Array,
           drifts: tuple[Array, Array], given: Array | None = None) -> list[tuple]:
    """All (modes, q'', p, l) that obey the laws; modes with equal q'' count as one solution."""
    N, T = curb.rows(q)
    found: list[tuple] = []
    for modes in product(*options):
        try:
            a, p, l = laws(curb, q, modes, free, drifts, given)
        except np.linalg.LinAlgError:
            continue
        u_n, u_t = N @ a + drifts[0], T @ a + drifts[1]
        if all(modes[i] == "free" and len(options[i]) == 1 or
               (given is not None or modes[i] == "free" or abs(u_n[i]) < 1e-6)
               and agrees(curb, modes[i], p[i], l[i], u_n[i],
                          u_t[i] if "-" in options[i] and "+" in options[i] else {"+": 1.0, "-": -1.0}.get(modes[i], 0),
                          given is not None) for i in range(3)):
            if not any(np.allclose(a, other[1], atol=1e-7) for other in found):
                found.append((modes, a, p, l))
    return found


def impact(curb: Curb, q: Array, v: Array, closed: list[int], e: float) -> tuple[Array, Array]:
    """v after the plastic phase and the restitution phase, and the sum of (l, p) over both."""
    none = (np.zeros(3), np.zeros(3))
    options = [("free", "stick", "+", "-") if i in closed else ("free",) for i in range(3)]
    [(_, v, p, l)] = choose(curb, q, options, v, none)
    again = [("free",) if e * p[i] == 0 else ("stick", "+", "-") for i in range(3)]
    if e > 0 and p.any():
        # three or four options: "u_t" is the value after the phase
        [(_, v, p2, l2)] = choose(curb, q, again, v, none, e * p)
        p, l = p + p2, l + l2
    return v, np.concatenate([l, p])


def modes_at(curb: Curb, q: Array, v: Array, closed: list[int],
             ended: tuple[str, int] = ("", -1)) -> list[tuple]:
    """Modes of the next phase: contacts closed with v_n = 0 may slip, stick or open. The contact of
    the last root would keep its mode only by rounding, so this mode is excluded."""
    N, T = curb.rows(q)
    free = np.array([0.0, -curb.g, 0.0])
    options = []
    for i in range(3):
        speed = float(T[i] @ v)
        if i not in closed or N[i] @ v > SLOW:
            options.append(("free",))
        elif abs(speed) > 1e-8:
            options.append(("free", "+" if speed > 0 else "-"))
        else:
            options.append(("free", "stick", "+", "-"))
        if ended == ("slip", i):
            options[i] = ("free", "+", "-")
        if ended == ("open", i):
            options[i] = ("free",)
    return choose(curb, q, options, free, curb.drifts(q, v))


def text(modes: tuple[str, ...]) -> str:
    return ",".join({"+": "slip", "-": "slip"}.get(mode, mode) for mode in modes)


def roots(curb: Curb, modes: tuple[str, ...], grazing: list[int]
          ) -> tuple[list[Callable], list[tuple[str, int]]]:
    """Event functions that end a phase with these modes. `grazing`: closed contacts without force,
    as when the wheel passes a wall with v_n = a_n = 0; they close again on penetration."""
    free = np.array([0.0, -curb.g, 0.0])
    functions: list[Callable] = []
    names: list[tuple[str, int]] = []

    def add(kind: str, i: int, function: Callable, direction: float) -> None:
        def terminal(t: float, y: Array) -> float:
            return float(function(y[:3], y[3:]))
        terminal.terminal, terminal.direction = True, direction  # type: ignore[attr-defined]
        functions.append(terminal)
        names.append((kind, i))

    def force(q: Array, v: Array, i: int, which: int) -> float:
        return laws(curb, q, modes, free, curb.drifts(q, v))[which][i]

    for i, mode in enumerate(modes):
        if mode == "free":
            depth = TOUCHING / 2 if i in grazing else 0.0
            add("close", i, lambda q, v, i=i, depth=depth: curb.gaps(q)[i] + depth, -1)
            continue
        add("open", i, lambda q, v, i=i: force(q, v, i, 1), -1)
        if mode == "stick":
            add("slip", i, lambda q, v, i=i: curb.mu * force(q, v, i, 1) - abs(force(q, v, i, 2)), -1)
        else:
            add("stop", i, lambda q, v, i=i: curb.rows(q)[1][i] @ v, -1 if mode == "+" else 1)
        if i == 1:
            add("kink", i, lambda q, v: q[0] - curb.l1, 0)
    return functions, names


@dataclass
class History:
    events: list[Event]
    times: Array
    states: Array  # 6 x times


def word(before: tuple[str, ...], after: tuple[str, ...], i: int, struck: bool) -> str:
    if struck:
        return "impact"
    if before[i] == "free" and after[i] != "free":
        return "touch"
    if after[i] == "free":
        return "detachment"
    if before[i] in "+-" and after[i] == "stick":
        return "stick"
    return "slip" if before[i] == "stick" else "reversal"


def motion(curb: Curb, q: Array, v: Array, end: float = 1.0, step: float = 1e-3,
           most: int = 400) -> History:
    """The motion from a start above the obstacles to t = end."""
    from scipy.integrate import solve_ivp  # imported here: the geometry is usable without SciPy

    t, events, times, states = 0.0, [], [], []
    closed = [i for i in range(3) if curb.gaps(q)[i] < TOUCHING]
    N, _ = curb.rows(q)
    if any(N[i] @ v < -1e-12 for i in closed):
        raise ValueError("the start strikes a contact")
    [(modes, *_)] = modes_at(curb, q, v, closed)
    while t < end and len(events) < most:
        free, N = np.array([0.0, -curb.g, 0.0]), curb.rows(q)[0]
        u_n = N @ laws(curb, q, modes, free, curb.drifts(q, v))[0] + curb.drifts(q, v)[0]
        rising = [abs(N[i] @ v) > SLOW for i in range(3)]
        functions, names = roots(curb, modes, [i for i in closed
                                               if not rising[i] and abs(u_n[i]) < ZERO])
        # SciPy compares signs at the ends of a step; the first step must end within a short flight.
        flights = [N[i] @ v / -u_n[i] for i in closed if rising[i] and u_n[i] < 0]

        def rate(_: float, y: Array) -> Array:
            q, v = y[:3], y[3:]
            a = laws(curb, q, modes, np.array([0.0, -curb.g, 0.0]), curb.drifts(q, v))[0]
            return np.concatenate([v, a])

        piece = solve_ivp(rate, (t, end), np.concatenate([q, v]), method="DOP853", rtol=1e-13,
                          atol=1e-15, max_step=step, events=functions,
                          first_step=min([step, end - t, *flights]))
        times.append(piece.t), states.append(piece.y)
        t, q, v = piece.t[-1], piece.y[:3, -1], piece.y[3:, -1].copy()
        if piece.status != 1:
            break
        k = next(k for k, found in enumerate(piece.t_events) if len(found))
        kind, which = names[k]
        closed = [i for i in range(3) if modes[i] != "free" or abs(curb.gaps(q)[i]) < TOUCHING]
        N, T = curb.rows(q)
        before, v_before, impulse = modes, v.copy(), np.zeros(6)
        struck = [i for i in closed if N[i] @ v < -SLOW] if kind == "close" else []
        for i in closed:  # removes the drift of the constraints and the error of the root
            if i not in struck and abs(N[i] @ v) < SLOW:
                v -= N[i] * (N[i] @ v)
        if kind == "stop":
            v[2] -= T[which] @ v / curb.r
        speed = max([-N[i] @ v for i in struck], default=0.0)
        if struck:
            e = 0.0 if speed < BOUNCING else curb.restitution
            v, impulse = impact(curb, q, v, closed, e)
            while any(N[i] @ v < -SLOW for i in closed):
                v, more = impact(curb, q, v, closed, e)
                impulse = impulse + more
        found = modes_at(curb, q, v, closed, (kind, which))
        if len(found) != 1:
            raise RuntimeError(f"{len(found)} modes at t = {t:.9g}, q = {q}, v = {v}")
        modes = found[0][0]
        if kind == "kink":
            events.append(Event(t, kind, NAMES[1], q, v_before, v, text(modes), impulse))
        changed = [i for i in range(3) if i in struck or
                   text(before).split(",")[i] != text(modes).split(",")[i] or
                   before[i] + modes[i] in ("+-", "-+")]
        for i in changed:
            what, when = word(before, modes, i, i in struck), t
            if what == "impact" and 0.0 < speed < BOUNCING and curb.restitution > 0.0:
                # Remaining flights last 2 e speed / u_n (1 + e + ...); the contact stays closed.
                what = "accumulation"
                when += 2.0 * curb.restitution * speed / (1.0 - curb.restitution) / abs(u_n[i])
            events.append(Event(when, what, NAMES[i], q, v_before, v, text(modes), impulse))
    return History(events, np.concatenate(times), np.concatenate(states, axis=1))


START = np.array([0.8, 0.2, 0.0])


def main() -> None:
    for e, v_y in product((0.0, 0.3), (-3.0, 3.0)):
        history = motion(Curb(restitution=e), START, np.array([-5.0, v_y, 0.0]))
        print(f"e = {e}, v_y = {v_y:+g}: {len(history.events)} events")
        for event in history.events:
            print(f"  {event.t:.12f}  {event.kind:10} {event.contacts:5}  "
                  f"q {event.q}  v {event.before} -> {event.after}  {event.modes}")
        print(f"  end  q {history.states[:3, -1]}  v {history.states[3:, -1]}")


if __name__ == "__main__":
    np.set_printoptions(precision=9, suppress=True, linewidth=200)
    main()
