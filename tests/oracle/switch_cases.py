"""Random friction studies whose forces and loads jump in t, q and v, and flights over thin ridges.

Each study is one description: the text for the program, and the setting of the own solve (switch_motions.py). The kind
follows from the index. A motion that is Degenerate, or crosses no switch, is drawn again.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from switch_motions import Degenerate, Event, Jump, Opening, Quantity, Setting, Sliding, Solve, Switch

G = 9.81
KINDS = ("time", "place", "speed", "mixed", "belt", "disc", "plane", "drop", "ridge", "corner")
SAMPLES = (2, 11, 101, 1001)


@dataclass
class Case:
    """A study and its own motion."""

    kind: str
    name: str
    setting: Setting
    motion: Solve
    samples: int
    epsilons: tuple[float, ...]
    flipped: tuple[bool, ...]  # if(g >= level, above, below) in place of if(g < level, below, above)
    named: bool                # the levels are parameters

    def events(self) -> list[Event]:
        """The events that a program lists: not the switches."""
        return [one for one in self.motion.events if one.kind != "switch"]

    def moved(self, by: float) -> Case:
        """Control: the same text, with the motion of levels, and of the start of a flight, that are greater by `by`."""
        of, q = self.setting, self.setting.q.copy()
        q[1:] += by * isinstance(of.contact, Opening)
        switches = [replace(one, level=one.level + by) for one in of.switches]
        return replace(self, motion=Solve(replace(of, q=q, switches=switches)))

    def level(self, i: int) -> str:
        return f"level{i}" if self.named else repr(self.setting.switches[i].level)

    def condition(self, i: int) -> tuple[str, bool]:
        """The comparison of a switch, and whether it is true above."""
        words = ["t", *self.setting.names, *(f"{one}'" for one in self.setting.names)]
        used = [(a, b) for a, b in zip(self.setting.switches[i].coefficients, words) if a]
        left = " + ".join(word if a == 1.0 else f"{a!r}*{word}" for a, word in used)
        return f"{left} {'>=' if self.flipped[i] else '<'} {self.level(i)}", self.flipped[i]

    def formula(self, one: Quantity) -> str:
        parts = [one.smooth] if one.smooth != "0" else []
        for jump in one.jumps:
            condition, above = self.condition(jump.switch)
            values = (jump.above, jump.below) if above else (jump.below, jump.above)
            parts.append(f"({jump.factor})*if({condition}, {values[0]!r}, {values[1]!r})")
        return " + ".join(parts) or "0"

    def contact(self) -> list[str]:
        contact, names = self.setting.contact, self.setting.names
        if isinstance(contact, Opening):
            return ['normal = "unilateral"', f'gap = "y - ({contact.text})"', "gap_scale = 1", 'friction = "0"',
                    f'restitution = "{contact.restitution!r}"', 'sliding = ["x\'"]']
        rows = [" + ".join(f"{a!r}*{name}'" for a, name in zip(row, names) if a) + (f" - {b!r}" if b else "")
                for row, b in zip(contact.rows.tolist(), contact.belt.tolist())]
        sliding = ", ".join(f'"{row}"' for row in rows)
        return ['normal = "given"', f'normal_force = "{self.formula(contact.load)}"', "sliding_scale = 1",
                f'friction = "{contact.friction!r}"', f"sliding = [{sliding}]"]

    def text(self) -> str:
        of, names = self.setting, self.setting.names
        coordinates = [f'  {{name = "{name}", unit = "{"rad" if name == "turn" else "m"}", start = {q!r}, '
                       f"start_rate = {v!r}}}," for name, q, v in zip(names, of.q.tolist(), of.v.tolist())]
        energy = " + ".join(f"{0.5 * m!r}*{name}'^2" for m, name in zip(of.mass.tolist(), names))
        applied = ", ".join(f'"{self.formula(one)}"' for one in of.applied)
        unit = {i: ("s" if one.coefficients[0] else "m" if any(one.coefficients[1:1 + len(names)]) else "m/s")
                for i, one in enumerate(of.switches)}
        levels = [f'level{i} = {{default = {one.level!r}, unit = "{unit[i]}"}}' for i, one in enumerate(of.switches)]
        return "\n".join([
            "[study]", f'name = "{self.name}"', "[system]", 'name = "body"', "coordinates = [", *coordinates, "]",
            f'kinetic_coenergy = "{energy}"', f'potential = "{of.potential}"', f"applied_force = [{applied}]",
            "[[system.contacts]]", 'name = "floor"', *self.contact(),
            *(["[system.parameters]", *levels] if self.named and levels else []),
            "[contact]", 'friction = "projected"', "tangential_stiffness = 20.0",
            *(["normal_stiffness = 20.0"] if isinstance(of.contact, Opening) else []),
            "[epsilon]", f"values = {list(self.epsilons)}", "[time]", f"end = {of.end!r}", f"samples = {self.samples}",
            "[solvers]", "rtol = 1e-10", "atol = 1e-12", "moreau_jean = []", "[inequality]", "draws = 0", ""])


def uniform(rng: np.random.Generator, low: float, high: float, digits: int = 4) -> float:
    return round(float(rng.uniform(low, high)), digits)


def on(size: int, place: int, level: float, *more: int) -> Switch:
    """The switch of (t, q, v)[place] (plus others) at a level."""
    coefficients = [0.0] * (1 + 2 * size)
    for i in (place, *more):
        coefficients[i] = 1.0
    return Switch(tuple(coefficients), level)


def two(rng: np.random.Generator, low: float, high: float) -> tuple[float, float]:
    """Two values that differ by at least a fifth of the range."""
    while True:
        a, b = uniform(rng, low, high, 3), uniform(rng, low, high, 3)
        if abs(a - b) > 0.2 * (high - low):
            return a, b


def wheres(rng: np.random.Generator, kind: str) -> list[str]:
    """Arguments of the switches of a study."""
    if kind in ("time", "place", "speed"):
        return [kind] * int(rng.integers(1, 4))
    if kind == "mixed":
        return ["time", "place", "speed"]
    return [str(one) for one in rng.choice(["time", "place", "speed"], int(rng.integers(1, 4)))]


def switch_of(rng: np.random.Generator, where: str, size: int, speed: float, end: float) -> Switch:
    if where == "time":
        return on(size, 0, uniform(rng, 0.05, 0.8) * end)
    if where == "place":
        return on(size, 1, uniform(rng, 0.05, 0.5) * speed * end)
    return on(size, 1 + size, uniform(rng, 0.15, 0.9) * speed)


def jumps_of(rng: np.random.Generator, switches: list[Switch], load: float, force: float) -> tuple[Quantity, Quantity]:
    """The load and the applied force: each switch is a jump of one of them, or of both."""
    loads, forces = list[Jump](), list[Jump]()
    for i in range(len(switches)):
        pick = int(rng.integers(3))
        if pick != 1:
            loads.append(Jump(i, *two(rng, 0.0, 0.5), factor=repr(load)))
        if pick != 0:
            forces.append(Jump(i, *two(rng, -force, force), factor=str(rng.choice(["1", "1 + 0.2*sin(3*t)"]))))
    return Quantity(repr(round(0.15 * load, 6)), tuple(loads)), Quantity("0", tuple(forces))


def crate(rng: np.random.Generator, kind: str) -> Setting:
    """A block on a floor or on a belt, there with a spring."""
    mass, speed, end = uniform(rng, 0.5, 20.0), uniform(rng, 1.0, 4.0), uniform(rng, 0.8, 2.0, 2)
    switches = [switch_of(rng, where, 1, speed, end) for where in wheres(rng, kind)]
    load, force = jumps_of(rng, switches, round(mass * G, 6), 2.0 * mass)
    spring = uniform(rng, 2.0, 30.0) * mass if kind == "belt" else 0.0
    belt = uniform(rng, -1.0, 1.0, 3) if kind == "belt" or rng.random() < 0.2 else 0.0
    sliding = Sliding(np.eye(1), np.array([belt]), 1.0 if rng.random() < 0.5 else 0.8, load)
    return Setting(("x",), np.array([mass]), f"{0.5 * spring!r}*x^2", (f"{spring!r}*x",), (force,), switches, sliding,
                   np.zeros(1), np.array([speed]), end)


def disc(rng: np.random.Generator) -> Setting:
    """A disc that slips while it rolls: w = x' - r turn'."""
    mass, radius = uniform(rng, 0.5, 5.0), uniform(rng, 0.1, 0.5)
    speed, end = uniform(rng, 1.0, 4.0), uniform(rng, 0.5, 1.5)
    inertia = round(uniform(rng, 0.4, 1.0) * mass * radius**2, 6)
    switches = [switch_of(rng, where, 2, speed, end) for where in wheres(rng, "any")]
    load, force = jumps_of(rng, switches, round(mass * G, 6), 2.0 * mass)
    rows = np.array([[1.0, -radius]])
    spin = uniform(rng, -2.0, 6.0)
    return Setting(("x", "turn"), np.array([mass, inertia]), "0", ("0", "0"), (force, Quantity()), switches,
                   Sliding(rows, np.zeros(1), uniform(rng, 0.2, 0.9), load), np.zeros(2), np.array([speed, spin]), end)


def plane(rng: np.random.Generator) -> Setting:
    """A puck in the plane, oiled up to a line in x + y; a force along x in a half of the studies."""
    mass, end = uniform(rng, 0.5, 5.0), uniform(rng, 0.8, 2.0)
    u, v = uniform(rng, 0.5, 3.0), uniform(rng, 0.3, 2.0)
    switches = [on(2, 1, uniform(rng, 0.05, 0.5) * (u + v) * end, 2)]
    switches += [switch_of(rng, where, 2, u, end) for where in wheres(rng, "any")[:2]]
    weight = repr(round(mass * G, 6))
    load = Quantity(repr(round(0.15 * mass * G, 6)),
                    tuple(Jump(i, *two(rng, 0.0, 0.4), factor=weight) for i in range(len(switches))))
    pull = Quantity(repr(uniform(rng, -1.0, 1.0) * mass) if rng.random() < 0.5 else "0")
    return Setting(("x", "y"), np.array([mass, mass]), "0", ("0", "0"), (pull, Quantity()), switches,
                   Sliding(np.eye(2), np.zeros(2), 1.0, load), np.zeros(2), np.array([u, v]), end)


def flight(rng: np.random.Generator, contact: Opening, height: float, speed: float, end: float,
           winds: list[str]) -> Setting:
    """A puck that flies, with winds that begin or end at switches."""
    mass = uniform(rng, 0.5, 2.0)
    switches = list[Switch]()
    for where in winds:
        level = {"time": uniform(rng, 0.1, 0.8) * end, "place": uniform(rng, 0.1, 0.8) * speed * end,
                 "height": uniform(rng, 0.2, 0.9) * height, "speed": -uniform(rng, 0.2, 0.8) * 2.0}[where]
        switches.append(on(2, {"time": 0, "place": 1, "height": 2, "speed": 4}[where], level))
    winds_of = [tuple(Jump(i, *two(rng, -2.0 * mass, 2.0 * mass)) for i in range(len(switches)) if rng.random() < 0.7)
                for _ in range(2)]
    weight = repr(round(mass * G, 6))
    return Setting(("x", "y"), np.array([mass, mass]), f"{weight}*y", ("0", weight),
                   (Quantity("0", winds_of[0]), Quantity("0", winds_of[1])), switches, contact,
                   np.array([0.0, height]), np.array([speed, 0.0]), end)


def restitution(rng: np.random.Generator) -> float:
    return 0.0 if rng.random() < 0.2 else uniform(rng, 0.1, 0.95, 3)


def drop(rng: np.random.Generator) -> Setting:
    """A ball above a flat floor, in winds; it can rest, and a wind can lift it."""
    contact = Opening("0", lambda _: (0.0, 0.0, 0.0), restitution(rng))
    return flight(rng, contact, uniform(rng, 0.3, 1.0), uniform(rng, 0.0, 2.0), uniform(rng, 0.5, 1.2),
                  [str(one) for one in rng.choice(["time", "place", "height", "speed"], int(rng.integers(1, 4)))])


def gauss(height: float, place: float, width: float) -> Callable[[float], tuple[float, float, float]]:
    def shape(x: float) -> tuple[float, float, float]:
        s = (x - place) / width
        h = height * math.exp(-s * s)
        return h, -2.0 * s / width * h, (4.0 * s * s - 2.0) / width**2 * h
    return shape


def roof(height: float, place: float, steep: float) -> Callable[[float], tuple[float, float, float]]:
    def shape(x: float) -> tuple[float, float, float]:
        h = height - steep * abs(x - place)
        return (h, -steep * (1.0 if x > place else -1.0), 0.0) if h > 0.0 else (0.0, 0.0, 0.0)
    return shape


def ridge(rng: np.random.Generator, corner: bool) -> Setting:
    """A puck that flies low towards a thin ridge: a bell, or a roof with corners abs(x - c)."""
    speed, start = uniform(rng, 2.0, 6.0), uniform(rng, 0.4, 1.0)
    width = round(10.0 ** float(rng.uniform(-2.3, -1.0)), 5)
    place, high = uniform(rng, 0.3, 1.5), uniform(rng, 0.6, 1.4) * start
    if corner:
        steep = round(high / width, 6)
        ends = (place - high / steep, place, place + high / steep)
        contact = Opening(f"max(0, {high!r} - {steep!r}*abs(x - {place!r}))", roof(high, place, steep),
                          restitution(rng), ends)
    else:
        contact = Opening(f"{high!r}*exp(-((x - {place!r})/{width!r})^2)", gauss(high, place, width), restitution(rng))
    winds = ["time"] if rng.random() < 0.3 else []
    return flight(rng, contact, start, speed, round(place / speed * uniform(rng, 1.1, 2.0, 2), 4), winds)


def drawn(rng: np.random.Generator, kind: str) -> Setting:
    if kind == "disc":
        return disc(rng)
    if kind == "plane":
        return plane(rng)
    if kind == "drop":
        return drop(rng)
    return ridge(rng, kind == "corner") if kind in ("ridge", "corner") else crate(rng, kind)


def tests_its_kind(kind: str, motion: Solve) -> bool:
    """A ridge is hit; at a switch of the other motions the acceleration jumps."""
    if kind in ("ridge", "corner"):
        return any(one.kind == "impact" for one in motion.events)
    return motion.effects > 0


def random_switches(seed: int, index: int) -> Case:
    """The study (seed, index)."""
    rng, kind = np.random.default_rng([seed, index]), KINDS[index % len(KINDS)]
    for _ in range(500):
        setting = drawn(rng, kind)
        try:
            motion = Solve(setting)
        except Degenerate:
            continue
        if tests_its_kind(kind, motion):
            break
    else:
        raise RuntimeError(f"no study of kind {kind} for seed {seed}, index {index}")
    epsilons = (1e-2, 1e-3, 1e-4) if kind in ("ridge", "corner") else (1e-3,)
    flipped = tuple(bool(one) for one in rng.random(len(setting.switches)) < 0.5)
    return Case(kind, f"switches_{index}", setting, motion, int(rng.choice(SAMPLES)), epsilons, flipped,
                bool(rng.random() < 0.5))
