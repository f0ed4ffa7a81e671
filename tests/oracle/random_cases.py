"""Random studies with random options: the text of each study, and the own errors of its two motions.

A case is drawn from (seed, index) alone. Its kind names the option under test: a sliding start, a stretched interval,
surfaces that move, redundant rows, disagreeing belts, another exponent, and so on. Its claims are random: some are
false, and some concern numbers without a theorem.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from oracle_bodies import slipping
from oracle_pair import (QUANTITIES, Array, Body, Distance, Motion, Piece, Windows, compliant, distance,
                         friction_compliant, friction_rigid, multiplier, rolling)
from random_systems import (System, body_of, number, product, projected, random_system, system_keys, table, total)

Interval = tuple[float, float]
ROLLING = ("plain", "prepared", "deflection", "sliding", "projected", "stretch", "moving", "redundant", "varying",
           "rank", "nearly", "belts", "exponent", "laws", "other law")
KINDS = (*ROLLING, "sweep", "friction")


@dataclass
class Claim:
    """One [[expect]] or [[bound]] of a study; `option` says which property of claims it tests."""

    table: str  # "expect" or "bound"
    quantity: str
    keys: dict[str, Any]
    option: str = "ordinary"
    norm: str = "sup"
    window: str = "all"
    law: str = ""

    @property
    def interval(self) -> Interval | None:
        """The given interval of eps."""
        return tuple(self.keys["epsilon"]) if "epsilon" in self.keys else None

    @property
    def measure(self) -> str:
        """The begin of its text in the output of the program."""
        return f"{self.quantity} {self.norm} {self.window}"

    def limit(self, epsilon: float) -> float:
        """K eps^p of a bound."""
        return float(self.keys["constant"] * epsilon**self.keys["power"])

    def text(self) -> str:
        law = {"law": self.law} if self.law else {}
        return table(self.table, {"quantity": self.quantity, "norm": self.norm, "window": self.window, **law,
                                  **self.keys}, listed=True)


def components(motion: Motion, quantity: str, place: int) -> Motion:
    """The motion with one component of one quantity, in place of all three quantities."""
    k = QUANTITIES.index(quantity)

    def observe(piece: Piece) -> Callable[[float, Array], tuple[Array, Array, Array]]:
        return lambda t, y: (piece.observe(t, y)[k][place:place + 1],) * 3
    return Motion([Piece(piece.begin, piece.end, piece.solution, observe(piece)) for piece in motion.pieces])


def pieces(begin: float, end: float, longest: float) -> list[Interval]:
    """The interval in parts of at most `longest`, s: distance() samples each part in 26 panels."""
    marks = np.linspace(begin, end, max(2, int(np.ceil((end - begin) / longest)) + 1))
    return list(zip(marks, marks[1:]))


@dataclass
class Case:
    """A rolling study and its own two motions. `rigid` is None if no rigid motion exists."""

    kind: str
    keys: dict[str, dict[str, Any]]  # the tables of the study
    claims: list[Claim]
    contact: Body  # of the compliant motion
    rigid: Body | None
    names: tuple[str, ...]
    end: float
    after: float
    epsilons: list[float]
    velocity: Array | None = None  # of a compliant motion that starts sliding
    deflection: Array | None = None  # eta(0); None: unloaded
    exponent: float = 1.0
    stretch: float = 0.0
    least: float = 1e-3  # eps of own solves; smaller ones take longer than some seconds
    foreign: str = ""  # why a theorem about the viscoelastic pair does not concern this study
    motions: dict[float, tuple[Motion, Motion]] = field(default_factory=dict)
    distances: dict[tuple[float, str], Distance] = field(default_factory=dict)

    def text(self) -> str:
        return "\n".join([*(table(name, keys) for name, keys in self.keys.items()),
                          *(claim.text() for claim in self.claims)])

    def pair(self, epsilon: float) -> tuple[Motion, Motion]:
        """The rigid and the compliant motion on [0, T eps^-s]; D/eps^beta = (eps^(1 - beta) D)/eps."""
        if epsilon not in self.motions:
            assert self.rigid is not None
            end = self.end * epsilon**-self.stretch
            contact = replace(self.contact, damping=epsilon**(1.0 - self.exponent) * self.contact.damping)
            self.motions[epsilon] = (rolling(self.rigid, end), compliant(
                contact, epsilon, end, velocity=self.velocity, deflection=self.deflection))
        return self.motions[epsilon]

    def error(self, epsilon: float, quantity: str, norm: str, window: str) -> float:
        """The own error of a quantity, or of one coordinate, over a window; docs/studies.md defines the norms."""
        key = epsilon, quantity if quantity in self.names else ""
        if key not in self.distances:
            first, second = self.pair(epsilon)
            if key[1]:
                place = self.names.index(quantity)
                first, second = components(first, "q", place), components(second, "q", place)
            end = first.pieces[-1].end
            longest = 20.0 * epsilon if self.exponent < 1.0 else 1.0  # weak damping: the contact oscillates
            after = pieces(self.after, end, longest)
            windows: Windows = {"all": [*pieces(0.0, self.after, longest), *after], "after": after}
            self.distances[key] = distance(first, second, epsilon, windows)
        return self.distances[key]["q" if key[1] else quantity, norm, window]


def error_sizes(case: Case, rng: np.random.Generator) -> dict[str, float]:
    """Errors of q and v behind the layer over eps^2 at the largest eps, or random numbers where they are costly."""
    if case.rigid is None or case.stretch:
        return {quantity: float(np.exp(rng.uniform(-3.0, 3.0))) for quantity in ("q", "v")}
    largest = max(case.epsilons)
    return {quantity: case.error(largest, quantity, "sup", "after") / largest**2 for quantity in ("q", "v")}


def random_claims(rng: np.random.Generator, case: Case, law: str) -> list[Claim]:
    """Two to six claims with different measures: right ones, false ones, and some near the border."""
    largest, names, sizes = max(case.epsilons), case.names, error_sizes(case, rng)
    factor = float(rng.choice([0.2, 0.8, 0.95, 1.05, 1.3, 4.0]))

    def bound(quantity: str, window: str, option: str, factor: float, power: float, **more: Any) -> Claim:
        constant = factor * sizes.get(quantity, sizes["q"]) * largest**(2.0 - power)
        keys = {"constant": float(f"{max(constant, 1e-12):.4g}"), "power": power}
        return Claim("bound", quantity, keys | more, option, window=window, law=law)

    def order(quantity: str, window: str, option: str, value: float, **more: Any) -> Claim:
        keys = {"order": value, **({} if more else {"order_only": "a random claim"}), **more}
        return Claim("expect", quantity, keys, option, window=window, law=law)

    beyond = sorted(float(f"{largest * one:.4g}") for one in rng.uniform(0.2, 5.0, 2))
    choices = [
        order("q", "all", "ordinary", 2.0), order("v", "after", "ordinary", 2.0),
        order("q", "after", "wrong order", float(rng.choice([1.0, 1.9, 2.06, 3.0]))),
        order("q", "after", "ratio", 2.0, ratio=float(rng.choice([1.0, 3.0]))),
        bound("q", "all", "ordinary", factor, 2.0), bound("v", "after", "ordinary", factor, 2.0),
        bound("q", "after", "interval beyond the study", factor, float(rng.choice([0.0, 1.0, 2.0])), epsilon=beyond),
        bound("v", "after", "all eps to a larger one", 2.0 * factor, 1.0,
              epsilon=[0.0, float(f"{rng.uniform(1.0, 8.0) * largest:.4g}")]),
        bound("q", "after", "power near 2", 5.0 * factor, float(rng.choice([1.95, 2.0, 2.001, 2.05])),
              epsilon=[0.0, largest]),
        bound("q", "all", "power near 2", 20.0, 2.02),
        bound("v", "all", "no theorem", factor, 2.0), order("v", "all", "no theorem", 1.0),
        bound("lambda", "after", "no theorem", factor, 2.0), order("lambda", "all", "no theorem", 2.0),
        replace(bound("q", "all", "no theorem", factor, 2.0), norm="l2"),
        replace(order("q", "all", "no theorem", 1.0), norm="l2"),
        bound(names[0], "all", "component", factor, 2.0), order(names[-1], "all", "component", 1.0),
        Claim("expect", "q", {"convergence": "none"}, "no convergence", law=law),
        Claim("bound", "q", {"solver_error": float(rng.choice([1e-30, 1e-3]))}, "solver error", law=law)]
    chosen: dict[tuple[str, str, str, str], Claim] = {}
    for i in rng.permutation(len(choices))[:rng.integers(2, 7)]:
        claim = choices[i]
        chosen.setdefault((claim.table, claim.measure, claim.law, str("solver_error" in claim.keys)), claim)
    claims = sorted(chosen.values(), key=lambda claim: claim.table == "bound")
    for claim in claims:
        theorem = claim.option not in ("component", "no theorem", "solver error")
        if claim.table == "bound" and theorem and not law and rng.random() < 0.5:
            claim.keys["proved"] = "all"
    return claims


def random_contact(rng: np.random.Generator, count: int, delassus: Array) -> tuple[Array, Array]:
    """C and D, diagonal or full; D is near 2 zeta sqrt(C/A) with 0.5 <= zeta <= 1.5, from the diagonal of A."""
    stiffness = np.diag(rng.uniform(0.6, 2.0, count).round(3))
    damping = np.diag((2.0 * rng.uniform(0.5, 1.5, count) * np.sqrt(np.diag(stiffness) / np.diag(delassus))).round(3))
    if count > 1 and rng.random() < 0.4:
        c, d = (0.3 * rng.uniform(-1.0, 1.0, 2) * [np.diag(stiffness).min(), np.diag(damping).min()]).round(3)
        stiffness[0, 1] = stiffness[1, 0] = c
        damping[0, 1] = damping[1, 0] = d
    return stiffness, damping


def moving(rng: np.random.Generator, system: System) -> System:
    """One row on a surface that moves: b = a sin(w t), b = a t, or b = a cos(x)."""
    a, w = rng.uniform(0.2, 1.0), rng.uniform(1.0, 3.0)
    drift = str(rng.choice([f"{a:.3f}*sin({w:.3f}*t)", f"{a:.3f}*t", f"{a:.3f}*cos({system.names[0]})"]))
    return replace(system, drift=[drift, *system.drift[1:]])


def combined(system: System, factors: list[str]) -> System:
    """The system with one more row, the combination of its rows with these factors."""
    row = [total([product(f, old[j]) for f, old in zip(factors, system.rows)]) for j in range(system.size)]
    drift = total([product(f, b) for f, b in zip(factors, system.drift)])
    return replace(system, rows=[*system.rows, row], drift=[*system.drift, drift])


def changed_system(kind: str, rng: np.random.Generator) -> tuple[System, Array, System | None]:
    """The system of a kind, the H of G = H G_I, and the system whose rows hold the ideal motion: None without one."""
    system = random_system(rng, single=kind in ("varying", "rank", "nearly", "belts"))
    m = len(system.rows)
    if kind == "moving" or (kind in ("redundant", "stretch", "prepared") and rng.random() < 0.3):
        system = moving(rng, system)
    if kind == "redundant":
        factors = rng.uniform(-1.5, 1.5, m).round(3)
        system = combined(system, [number(f) for f in factors])
        return system, np.vstack([np.eye(m), factors]), system
    if kind == "varying":  # w2 = (1 + a q0) w1: of rank 1, with an H that changes
        system = combined(system, [f"1.0 + {rng.uniform(0.3, 1.0):.3f}*{system.names[0]}"])
        return system, np.eye(1), replace(system, rows=system.rows[:1], drift=system.drift[:1])
    place = int(rng.integers(system.size))
    other = ["1.0" if j == place else "0.0" for j in range(system.size)]
    if kind == "rank":  # w2 = w1 + q_j' q_i with q_i(0) = 0: dependent at the start only
        zero = int(rng.integers(system.size))
        system.start[zero] = 0.0
        factor = f"{rng.uniform(0.5, 1.5):.3f}*{system.names[zero]}"
        row = [total([old, product(factor, one)]) for old, one in zip(system.rows[0], other)]
        return replace(system, rows=[*system.rows, row], drift=["0.0", "0.0"]), np.eye(1), None
    if kind == "nearly":  # w2 = w1 + 1e-9 q_j': ideal rolling holds q_j
        row = [total([old, product("1e-9", one)]) for old, one in zip(system.rows[0], other)]
        near = replace(system, rows=[*system.rows, row], drift=["0.0", "0.0"])
        return near, np.eye(2), replace(system, rows=[*system.rows, other], drift=["0.0", "0.0"])
    if kind == "belts":  # the same row on two belts, whose speeds agree at t = 0
        speeds = [f"{rng.uniform(0.1, 0.8):.3f}*{shape}" for shape in rng.choice(["t", "sin(2.0*t)", "t**2"], 2)]
        return replace(system, rows=2 * system.rows, drift=speeds), np.eye(1), None
    return system, np.eye(m), system


def rolling_start(rng: np.random.Generator, body: Body, ideal: Body, independent: range) -> Array:
    """A random velocity, projected on the rows that hold at the start; the clock has the rate 1."""
    guess = np.append(rng.uniform(-1.0, 1.0, len(body.start) - 1).round(3), 1.0)
    return projected(ideal, guess, independent)


def random_case(seed: int, index: int, kind: str) -> Case:
    """The rolling study (seed, index) of a kind."""
    rng = np.random.default_rng([seed, index])
    while True:
        system, H, ideal = changed_system(kind, rng)
        n, m, r = system.size, len(system.rows), H.shape[1]
        nothing = np.zeros(n + 1)
        bare = body_of(system, nothing, np.eye(m), np.eye(m), H)
        held = bare if ideal is None or kind == "varying" else body_of(ideal, nothing, np.eye(m), np.eye(m), H)
        G = bare.rows(bare.start)
        W = np.array([bare.acceleration(bare.start, row) for row in G]).T
        rows = held.rows(held.start)[:r, :n]
        if np.linalg.svd(rows, compute_uv=False).min() > 0.2:  # the rows are well independent at the start
            break
    stiffness, damping = random_contact(rng, m, G @ W)
    velocity = rolling_start(rng, bare, held, range(r))
    contact = body_of(system, velocity, stiffness, damping, H)
    rigid = None if ideal is None else body_of(ideal, velocity, stiffness[:len(H), :len(H)], damping, H)
    if kind == "varying":
        rigid = body_of(ideal, velocity, stiffness[:1, :1], damping, H)  # type: ignore[arg-type]
    largest = float(rng.choice([0.01, 0.02, 0.04]))
    end = round(float(rng.uniform(0.4, 0.9)), 2)
    epsilons = [largest, largest / 4.0, largest / 16.0]
    case = Case(kind, {}, [], contact, rigid, system.names, end, round(end / 3.0, 3), epsilons)
    keys: dict[str, dict[str, Any]] = {
        "study": {"name": f"random_{index}"}, "system": system_keys(system, velocity[:n]), "initial": {},
        "contact": {"stiffness": stiffness, "damping": damping}, "epsilon": {"values": epsilons},
        "time": {"end": end, "after": case.after},
        "solvers": {"rigid": ["radau_iia"], "compliant": ["radau_iia"], "rtol": 1e-10, "atol": 1e-12}}
    set_options(case, keys, rng)
    case.keys = {name: one for name, one in keys.items() if one}
    case.claims = random_claims(rng, case, claimed_law(case, rng))
    return case


def claimed_law(case: Case, rng: np.random.Generator) -> str:
    """The law that the claims name, if the study lists several: it may have a theorem or not."""
    if case.kind != "laws":
        return ""
    law = str(rng.choice(case.keys["contact"]["law"]))
    if law != "viscoelastic":
        case.foreign = f"its claims are about the {law} law"
    return law


def set_options(case: Case, keys: dict[str, dict[str, Any]], rng: np.random.Generator) -> None:
    """The keys of the kind, and their meaning for the own motions."""
    contact, body = keys["contact"], case.contact
    if case.kind == "prepared" or (case.kind in ("moving", "stretch", "redundant") and rng.random() < 0.3):
        contact["preparation"] = "prepared"
        force = multiplier(body, 0.0, body.start, body.velocity, ())[1]
        case.deflection = np.linalg.solve(body.stiffness, force)
    elif case.kind == "deflection":
        case.deflection = rng.uniform(-0.5, 0.5, len(body.stiffness)).round(3)
        contact["deflection"] = case.deflection
    elif case.kind == "sliding":
        case.velocity = np.append(body.velocity[:-1] + rng.uniform(-0.4, 0.4, len(body.start) - 1).round(3), 1.0)
        keys["initial"] = {"v": case.velocity[:-1], "project": True}
        start = projected(body, case.velocity, range(body.distribution.shape[1]))
        assert case.rigid is not None
        case.rigid = replace(case.rigid, velocity=start)
    elif case.kind == "projected":
        keys["initial"] = {"v": body.velocity[:-1], "project": True}
    elif case.kind == "exponent":
        case.exponent = float(rng.choice([0.5, 0.75, 1.25, 1.5]))
        contact["damping_exponent"] = case.exponent
    elif case.kind == "laws":
        laws = ["viscoelastic", str(rng.choice(["viscous", "elastic", "baumgarte"]))]
        contact["law"] = laws if rng.random() < 0.5 else laws[::-1]
    elif case.kind == "other law":
        contact["law"] = str(rng.choice(["viscous", "elastic"]))
        contact.pop("damping" if contact["law"] == "elastic" else "stiffness")
        case.foreign = f"its law is {contact['law']}"
    if case.kind == "stretch":
        case.stretch = float(rng.choice([0.25, 0.5]))
        case.least = 5e-3
        keys["time"]["stretch"] = case.stretch


@dataclass
class Sweep:
    """A sweep over the stiffness of a plain case: a case for each point, with the same claims."""

    points: list[Case]
    values: list[list[list[float]]]

    def text(self) -> str:
        return table("sweep", {'"contact.stiffness"': self.values}) + "\n" + self.points[0].text()


def random_sweep(seed: int, index: int) -> Sweep:
    """Two points: C, and 2 C."""
    case = random_case(seed, index, "plain")
    soft = case.contact.stiffness
    case.claims = [claim for claim in case.claims if claim.table == "bound" and claim.quantity in ("q", "v")
                   and "solver_error" not in claim.keys]
    for claim in case.claims:
        claim.keys.pop("proved", None)
    assert case.rigid is not None
    stiff = replace(case, contact=replace(case.contact, stiffness=2.0 * soft), motions={}, distances={})
    return Sweep([case, stiff], [soft.tolist(), (2.0 * soft).tolist()])


@dataclass
class Slipping:
    """A friction study: a disc slips under a given force that changes with time, then rolls."""

    body: Body
    keys: dict[str, dict[str, Any]]
    contact: dict[str, Any]  # of the system
    claims: list[Claim]
    end: float
    epsilons: list[float]

    def text(self) -> str:
        return "\n".join([*(table(name, keys) for name, keys in self.keys.items()),
                          table("system.contacts", self.contact, listed=True),
                          *(table("expect", {"quantity": claim.quantity, **claim.keys}, listed=True)
                            for claim in self.claims)])

    def error(self, epsilon: float, quantity: str) -> float:
        """The own error in the sup norm over all times."""
        motions = friction_rigid(self.body, self.end), friction_compliant(self.body, epsilon, self.end)
        return distance(*motions, epsilon, {"all": [(0.0, self.end)]})[quantity, "sup", "all"]


def random_slipping(seed: int, index: int) -> Slipping:
    """M, r, mu p(t) = n (1 + 0.3 sin 3 t) and the start are random; the disc rolls before the end."""
    rng = np.random.default_rng([seed, index])
    m, inertia, r, n, pull = rng.uniform([0.8, 0.02, 0.15, 1.5, -0.3], [1.6, 0.04, 0.3, 3.0, 0.3]).round(4)
    ratio, speed = rng.uniform([0.6, 0.8], [1.3, 1.4]).round(3)
    matrix, row = np.diag([m, inertia]), np.array([[1.0, -r]])
    body = slipping(matrix, row, [speed, 0.0], lambda t: np.array([pull * np.cos(t), 0.0]),
                    lambda t: n * (1.0 + 0.3 * np.sin(3.0 * t)), ratio)
    epsilons = [0.01, 0.005]
    end = 1.2
    system = {"name": "disc", "coordinates": [{"name": "x", "unit": "m", "start": 0.0, "start_rate": speed},
                                              {"name": "phi", "unit": "rad", "start": 0.0, "start_rate": 0.0}],
              "kinetic_coenergy": f"{0.5 * m}*x'^2 + {0.5 * inertia}*phi'^2", "potential": "0",
              "applied_force": [f"{number(pull)}*cos(t)", "0"]}
    contact = {"name": "floor", "normal": "given", "normal_force": f"{n}/0.25*(1 + 0.3*sin(3*t))", "friction": "0.25",
               "sliding": [f"x' - {r}*phi'"]}
    keys: dict[str, dict[str, Any]] = {
        "study": {"name": f"random_{index}"}, "system": system,
        "contact": {"friction": "projected", "tangential_stiffness": 1.0, "damping_ratio": ratio},
        "epsilon": {"values": epsilons}, "time": {"end": end},
        "solvers": {"compliant": ["radau_iia_5"], "rtol": 1e-9, "atol": 1e-11, "moreau_jean": []}}
    case = Slipping(body, keys, contact, [], end, epsilons)
    for quantity in ("q", "v"):
        limit = float(rng.choice([0.9, 1.05, 2.0])) * case.error(max(epsilons), quantity)
        case.claims.append(Claim("expect", quantity, {"at_most": float(f"{limit:.4g}")}))
    return case
