"""An oracle for the pair of motions: rolling, and its viscoelastic contact, by NumPy and SciPy alone.

The oracle shares nothing with the program. The equations of each body are written by hand, SciPy's DOP853 or Radau
integrates them in natural or in stretched variables, SciPy locates the switches and the end of slipping, and a motion
is a list of smooth pieces. Suprema are maxima over these pieces with their one-sided limits. Derivatives with respect
to a parameter come from the variational equation, whose coefficients are complex-step derivatives: Im f(y + i h dy)/h
has no cancellation, so that h = 1e-30 makes it exact to rounding.

    natural variables     (q, v, eta):     eta' = G v/eps^2,   lambda = C eta + D G v/eps
    stretched variables   (q, v, s, eta):  eps eta' = s,       eps s' = G v' + G' v,   lambda = C eta + D s

s = G v/eps is a state of its own in stretched variables: lambda does not contain the difference G v, whose rounding
error natural variables divide by eps.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from scipy.integrate import solve_ivp
from scipy.optimize import minimize_scalar

Array = np.ndarray
STEP = 1e-30  # of complex-step derivatives
QUANTITIES = ("q", "v", "lambda")
Windows = dict[str, list[tuple[float, float]]]  # a window is a list of intervals
NODES, WEIGHTS = np.polynomial.legendre.leggauss(8)


@dataclass
class Body:
    """Rolling body: M(q) v' = F(q, v, t) - G(q)^T lambda, q' = v, and its contact at eps = 1.

    `force` has the states of the switches as its last argument: True where sigma(q, v, t) < 0. `distribution` is the
    constant H of G = H G_I, G_I the first rows of G: the identity if the rows of G are independent.
    """

    start: Array  # coordinates
    velocity: Array  # satisfies G v = 0
    mass: Callable[[Array], Array]
    acceleration: Callable[[Array, Array], Array]  # M(q)^-1 of a force, in closed form
    force: Callable[[Array, Array, Any, Sequence[bool]], Array]
    rows: Callable[[Array], Array]
    rows_rate: Callable[[Array, Array], Array]  # dG/dt
    stiffness: Array
    damping: Array
    distribution: Array
    switches: Sequence[Callable[[Array, Array, float], float]] = ()
    friction: Callable[[float], float] | None = None  # mu p(t) of a contact that can slip


@dataclass
class Piece:
    begin: float
    end: float
    solution: Callable[[float], Array]
    observe: Callable[[float, Array], tuple[Array, Array, Array]]  # t, state -> q, v, lambda

    def __call__(self, t: float) -> tuple[Array, Array, Array]:
        return self.observe(t, self.solution(t))


@dataclass
class Settings:
    method: str = "DOP853"
    rtol: float = 1e-12
    atol: float = 1e-12
    stretched: bool = True


@dataclass
class Motion:
    pieces: list[Piece] = field(default_factory=list)

    @property
    def events(self) -> list[float]:
        """Times at which the equations change: switches, or the end of slipping."""
        return [piece.begin for piece in self.pieces[1:]]

    def piece(self, t: float) -> Piece:
        return next(piece for piece in self.pieces if t <= piece.end)


def lifted(f: Callable[..., Any], count: int) -> Callable[[float, Array], Any]:
    """f of the state y as a function of (y, dy) with the values (f, df): the variational equation of f."""
    def both(t: float, state: Array) -> Any:
        values = f(t, state[:count] + 1j * STEP * state[count:])
        if isinstance(values, tuple):
            return tuple(np.concatenate([x.real, x.imag / STEP]) for x in values)
        return np.concatenate([values.real, values.imag / STEP])
    return both


def integrate(start: Array, right_side: Callable[..., Array], observe: Callable[..., Any],
              guards: Callable[[Any], list[Callable[[float, Array], float]]], mode: Any,
              change: Callable[[Any, int], Any], end: float, settings: Settings, derivative: Array | None = None
              ) -> Motion:
    """The motion from t = 0, in pieces. A guard is negative until its event; `change` is the mode after the event."""
    motion, t, state = Motion(), 0.0, start.real.copy()
    count = len(state)
    if derivative is not None:
        state = np.concatenate([state, derivative])
    while t < end:
        def bind(f: Callable[..., Any], mode: Any = mode) -> Callable[[float, Array], Any]:
            plain = lambda t, y: f(t, y, mode)  # noqa: E731
            return plain if derivative is None else lifted(plain, count)

        events = guards(mode)
        for guard in events:
            guard.terminal, guard.direction = True, 1.0  # type: ignore[attr-defined]
        done = solve_ivp(bind(right_side), (t, end), state, method=settings.method, rtol=settings.rtol,
                         atol=settings.atol, events=events or None, dense_output=True)
        assert done.success, done.message
        for s in np.linspace(t, done.t[-1], 100):
            assert all(guard(s, done.sol(s)) < 1e-10 for guard in events), "the step hides two crossings"
        motion.pieces.append(Piece(t, done.t[-1], done.sol, bind(observe)))
        assert done.t[-1] > t, "an event follows the last one at once"
        t, state = done.t[-1], done.y[:, -1]
        if done.status == 1:
            mode = change(mode, next(i for i, times in enumerate(done.t_events) if len(times)))
    return motion


def switched(body: Body) -> Callable[[Any], list[Callable[[float, Array], float]]]:
    """Guards of the switches: sigma has the sign of its state until the crossing."""
    n = len(body.start)

    def guards(mode: Sequence[bool]) -> list[Callable[[float, Array], float]]:
        return [lambda t, y, f=f, sign=1.0 if below else -1.0: sign * f(y[:n], y[n:2 * n], t)
                for f, below in zip(body.switches, mode)]
    return guards


def flipped(mode: tuple[bool, ...], k: int) -> tuple[bool, ...]:
    return tuple(below != (i == k) for i, below in enumerate(mode))


def multiplier(body: Body, t: Any, q: Array, v: Array, mode: Sequence[bool]) -> tuple[Array, Array]:
    """v' and Lambda of rolling. Redundant rows: Lambda is the one with the least Lambda^T C^-1 Lambda."""
    G, H, C = body.rows(q), body.distribution, body.stiffness
    r = H.shape[1]
    independent = G[:r]
    n = len(q)
    kkt = np.zeros((n + r, n + r), dtype=G.dtype)
    kkt[:n, :n], kkt[:n, n:], kkt[n:, :n] = body.mass(q), independent.T, independent
    right = np.concatenate([body.force(q, v, t, mode), -(body.rows_rate(q, v)[:r] @ v)])
    solution = np.linalg.solve(kkt, right)
    return solution[:n], C @ H @ np.linalg.solve(H.T @ C @ H, solution[n:])


def initial_mode(body: Body) -> tuple[bool, ...]:
    return tuple(bool(f(body.start.real, body.velocity.real, 0.0) < 0.0) for f in body.switches)


def rolling(body: Body, end: float, settings: Settings = Settings(rtol=1e-13, atol=1e-14), derivative: bool = False) -> Motion:
    """The rigid motion. `derivative`: with its derivative; the body then has a parameter with the part i STEP."""
    n = len(body.start)

    def right_side(t: float, y: Array, mode: Sequence[bool]) -> Array:
        return np.concatenate([y[n:], multiplier(body, t, y[:n], y[n:], mode)[0]])

    def observe(t: float, y: Array, mode: Sequence[bool]) -> tuple[Array, Array, Array]:
        return y[:n], y[n:], multiplier(body, t, y[:n], y[n:], mode)[1]

    start = np.concatenate([body.start, body.velocity])
    return integrate(start, right_side, observe, switched(body), initial_mode(body), flipped, end, settings,
                     start.imag / STEP if derivative else None)


def compliant(body: Body, epsilon: float, end: float, settings: Settings = Settings(),
              derivative: bool = False, velocity: Array | None = None, deflection: Array | None = None) -> Motion:
    """The motion with the contact at `epsilon`, its spring unloaded at t = 0 unless `deflection` = eta(0) is given.

    `velocity` replaces the start of the body and may slide: s(0) = G v/eps. A derivative has neither.
    """
    n, m = len(body.start), len(body.stiffness)

    def force(y: Array) -> tuple[Array, Array]:
        """lambda, and G v/eps."""
        s = y[2 * n:2 * n + m] if settings.stretched else body.rows(y[:n]) @ y[n:2 * n] / epsilon
        return body.stiffness @ y[-m:] + body.damping @ s, s

    def right_side(t: float, y: Array, mode: Sequence[bool]) -> Array:
        q, v = y[:n], y[n:2 * n]
        contact, s = force(y)
        G = body.rows(q)
        acceleration = body.acceleration(q, body.force(q, v, t, mode) - G.T @ contact)
        rate = [(G @ acceleration + body.rows_rate(q, v) @ v) / epsilon] if settings.stretched else []
        return np.concatenate([v, acceleration, *rate, s / epsilon])

    def observe(t: float, y: Array, mode: Sequence[bool]) -> tuple[Array, Array, Array]:
        return y[:n], y[n:2 * n], force(y)[0]

    sliding = np.zeros(m) if velocity is None else body.rows(body.start) @ velocity / epsilon
    start = np.concatenate([body.start, body.velocity if velocity is None else velocity,
                            sliding if settings.stretched else [], np.zeros(m) if deflection is None else deflection])
    return integrate(start, right_side, observe, switched(body), initial_mode(body), flipped, end, settings,
                     start.imag / STEP if derivative else None)


# A contact that slips, then rolls: constant rows, one sliding component w = G v, and the bound mu p(t) of |lambda|.

def friction_rigid(body: Body, end: float, settings: Settings = Settings()) -> Motion:
    """Coulomb's law: lambda = mu p until w = 0, from then on rolling, as long as |Lambda| <= mu p."""
    n = len(body.start)
    assert (body.rows(body.start) @ body.velocity)[0] > 0.0, "the start slips forwards"

    def accelerated(t: float, y: Array, slips: bool) -> tuple[Array, Array]:
        q, v = y[:n], y[n:]
        if not slips:
            return multiplier(body, t, q, v, ())
        bound = np.array([body.friction(t)])  # type: ignore[misc]
        return body.acceleration(q, body.force(q, v, t, ()) - body.rows(q).T @ bound), bound

    def guards(slips: bool) -> list[Callable[[float, Array], float]]:
        if slips:
            return [lambda t, y: -(body.rows(y[:n]) @ y[n:])[0]]
        return [lambda t, y: abs(multiplier(body, t, y[:n], y[n:], ())[1][0]) - body.friction(t)]  # type: ignore[misc]

    def change(slips: bool, k: int) -> bool:
        assert slips, "the contact slips again: this oracle ends there"
        return False

    return integrate(np.concatenate([body.start, body.velocity]),
                     lambda t, y, slips: np.concatenate([y[n:], accelerated(t, y, slips)[0]]),
                     lambda t, y, slips: (y[:n], y[n:], accelerated(t, y, slips)[1]),
                     guards, True, change, end, settings)


def friction_compliant(body: Body, epsilon: float, end: float, settings: Settings = Settings()) -> Motion:
    """lambda = the projection of c y + d w on [-mu p, mu p], y' = (lambda - c y)/d; states q, v, (w/eps,) c y."""
    n = len(body.start)
    G = body.rows(body.start)
    C, D = body.stiffness[0, 0], body.damping[0, 0]

    def trial(y: Array) -> float:
        return y[-1] + D * (y[2 * n] if settings.stretched else (G @ y[n:2 * n])[0] / epsilon)

    def contact(t: float, y: Array, slips: bool) -> float:
        return body.friction(t) if slips else trial(y)  # type: ignore[misc]

    def right_side(t: float, y: Array, slips: bool) -> Array:
        v, held = y[n:2 * n], contact(t, y, slips)
        acceleration = body.acceleration(y[:n], body.force(y[:n], v, t, ()) - G[0] * held)
        rate = G @ acceleration / epsilon if settings.stretched else []
        return np.concatenate([v, acceleration, rate, [C * (held - y[-1]) / (D * epsilon)]])

    def guards(slips: bool) -> list[Callable[[float, Array], float]]:
        bound = body.friction
        if slips:
            return [lambda t, y: bound(t) - trial(y)]  # type: ignore[misc]
        return [lambda t, y: abs(trial(y)) - bound(t)]  # type: ignore[misc]

    def change(slips: bool, k: int) -> bool:
        assert slips, "the contact slips again: this oracle ends there"
        return False

    w = (G @ body.velocity)[0]
    assert D * w / epsilon > body.friction(0.0), "the start slips"  # type: ignore[misc]
    start = np.concatenate([body.start, body.velocity, [w / epsilon] if settings.stretched else [], [0.0]])
    return integrate(start, right_side, lambda t, y, slips: (y[:n], y[n:2 * n], np.array([contact(t, y, slips)])),
                     guards, True, change, end, settings)


@dataclass
class Distance:
    """Differences of two motions: suprema over all components, and root mean squares, by quantity and window."""

    sup: dict[tuple[str, str], float]
    l2: dict[tuple[str, str], float]

    def __getitem__(self, key: tuple[str, str, str]) -> float:
        quantity, norm, window = key
        return (self.sup if norm == "sup" else self.l2)[quantity, window]


def distance(first: Motion, second: Motion, epsilon: float, windows: Windows) -> Distance:
    """Norms of second - first over windows, lists of intervals, with the limits from both sides of events.

    Panels have eight Gauss-Legendre nodes and become shorter, from eps/10, towards the begin of each smooth piece,
    where a layer decays. The largest sample of a component is refined by maximisation between its neighbours.
    """
    end = first.pieces[-1].end
    limits = [t for intervals in windows.values() for interval in intervals for t in interval]
    marks = np.unique([0.0, end, *limits, *first.events, *second.events])
    sup = {(x, w): 0.0 for x in QUANTITIES for w in windows}
    squares = dict(sup)
    for begin, finish in zip(marks, marks[1:]):
        middle = 0.5 * (begin + finish)
        one, two = first.piece(middle), second.piece(middle)

        def difference(t: float) -> list[Array]:
            return [b - a for a, b in zip(one(t), two(t))]

        width = finish - begin
        edges = np.unique(np.concatenate([np.linspace(0.0, width, 11),
                                          np.geomspace(min(0.1 * epsilon, 0.1 * width), width, 17)]))
        half, centre = 0.5 * np.diff(edges), begin + 0.5 * (edges[1:] + edges[:-1])
        inner = (centre[:, None] + half[:, None] * NODES).ravel()
        weights = (half[:, None] * WEIGHTS).ravel()
        times = np.concatenate([[begin], inner, [finish]])
        samples = [difference(t) for t in times]
        for k, quantity in enumerate(QUANTITIES):
            values = np.abs(np.array([sample[k] for sample in samples]))
            integral = float(weights @ (values[1:-1]**2).sum(axis=1))
            top = values.max()
            for component in range(values.shape[1]):
                column = values[:, component]
                i = int(column.argmax())
                if 0 < i < len(times) - 1 and column[i] > 0.9 * top:
                    best = minimize_scalar(lambda t: -abs(difference(t)[k][component]), method="bounded",
                                           bounds=(times[i - 1], times[i + 1]),
                                           options={"xatol": 1e-6 * (times[i + 1] - times[i - 1])})
                    top = max(top, -best.fun)
            for window, intervals in windows.items():
                if any(lower <= begin and finish <= upper for lower, upper in intervals):
                    sup[quantity, window] = max(sup[quantity, window], float(top))
                    squares[quantity, window] += integral
    length = {w: sum(upper - lower for lower, upper in intervals) for w, intervals in windows.items()}
    return Distance(sup, {key: float(np.sqrt(x / length[key[1]])) for key, x in squares.items()})


def windows_of(end: float, after: float) -> Windows:
    """The windows of a rolling study: t = after, as the limit from the right, belongs to `after`."""
    return {"all": [(0.0, end)], "after": [(after, end)]}
