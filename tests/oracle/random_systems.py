"""Random small systems as formulas: the text for the program, and the bodies of the oracle, from one description.

A description holds the matrices of  M(q) v' = F(q, v, t) - G(q, t)^T lambda,  w = G v + b(q, t)  as formulas. A formula
is Python: `dx` is the velocity of `x`, `**` the power. The text replaces both by the notation of the program. The
bodies evaluate the same formulas, and complex steps give dG/dt and db/dt.

The clock, q_n = t with the rate 1, is the last coordinate of a body: b is then a column of G (docs/theory.md,
section 16).
"""

from __future__ import annotations

import cmath
import json
import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from oracle_pair import STEP, Array, Body

Formulas = list[str]
Matrix = list[list[str]]
CLOCK = 1e30  # inertia of the clock, in place of an infinite one


@dataclass
class System:
    """Formulas of one system. `gradient` is dP/dq of the potential P; it is empty without a potential."""

    names: tuple[str, ...]
    mass: Matrix
    force: Formulas
    rows: Matrix
    drift: Formulas  # b of w = G v + b, m/s
    start: list[float]  # coordinates at t = 0
    potential: str = ""  # J; the text then has a kinetic co-energy in place of the mass matrix
    gradient: Formulas = field(default_factory=list)

    @property
    def size(self) -> int:
        return len(self.names)


def number(value: float) -> str:
    """The shortest text of a double, in parentheses if it is negative."""
    text = repr(float(value))
    return f"({text})" if value < 0.0 else text


def product(factor: str, formula: str) -> str:
    return "0.0" if "0.0" in (factor, formula) else f"({factor})*({formula})"


def total(terms: Sequence[str]) -> str:
    """The sum of formulas without those that are 0."""
    return " + ".join(f"({term})" for term in terms if term != "0.0") or "0.0"


def in_program(formula: str, names: Sequence[str]) -> str:
    """The formula in the notation of the program: x' for dx, and ^ for **."""
    return re.sub(rf"\bd({'|'.join(names)})\b", r"\1'", formula).replace("**", "^")


def row_text(system: System, k: int) -> str:
    """The sliding velocity w_k = sum_j G_kj v_j + b_k, m/s."""
    terms = [product(system.rows[k][j], f"d{name}") for j, name in enumerate(system.names)]
    return in_program(total([*terms, system.drift[k]]), system.names)


def toml(value: Any) -> str:
    """A value as TOML; a dictionary becomes an inline table."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return json.dumps(value)
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key} = {toml(one)}" for key, one in value.items()) + "}"
    if isinstance(value, (list, tuple, np.ndarray)):
        return "[" + ", ".join(toml(one) for one in value) + "]"
    return repr(value) if isinstance(value, int) else repr(float(value))


def table(name: str, keys: dict[str, Any], listed: bool = False) -> str:
    """A table [name], or an element of the list [[name]]."""
    head = f"[[{name}]]" if listed else f"[{name}]"
    return "\n".join([head, *(f"{key} = {toml(value)}" for key, value in keys.items())]) + "\n"


def system_keys(system: System, velocity: Array) -> dict[str, Any]:
    """The keys of the table [system] of a study. The start has the given velocity, without the clock."""
    force = [in_program(formula, system.names) for formula in system.force]
    keys: dict[str, Any] = {
        "name": "random",
        "coordinates": [{"name": name, "unit": "1", "start": q, "start_rate": v}
                        for name, q, v in zip(system.names, system.start, velocity)],
        "constraint": [row_text(system, k) for k in range(len(system.rows))]}
    if not system.potential:
        mass = [[in_program(one, system.names) for one in row] for row in system.mass]
        return keys | {"mass_matrix": mass, "force": force}
    squares = [product(f"0.5*{system.mass[i][j]}", f"d{a}*d{b}")
               for i, a in enumerate(system.names) for j, b in enumerate(system.names) if system.mass[i][j] != "0.0"]
    return keys | {"kinetic_coenergy": in_program(total(squares), system.names),
                   "potential": in_program(system.potential, system.names), "applied_force": force}


def compiled(system: System, formulas: Any, with_velocities: bool = False, complex_step: bool = False
             ) -> Callable[[list[Any]], Array]:
    """A list of formulas, or a matrix of them, as a function of [q..., t], or of [q..., t, v...]."""
    arguments = [*system.names, "t"] + ([f"d{name}" for name in system.names] if with_velocities else [])
    body = "[" + ", ".join(one if isinstance(one, str) else "[" + ", ".join(one) + "]" for one in formulas) + "]"
    functions = cmath if complex_step else math  # faster than NumPy for single numbers
    scope: dict[str, Any] = {"array": np.array, "sin": functions.sin, "cos": functions.cos}
    function: Callable[..., Array] = eval(f"lambda {', '.join(arguments)}: array({body})", scope)
    return lambda values: function(*values)


def is_constant(formulas: Matrix) -> bool:
    return all(re.fullmatch(r"[-+*.()\s\de]+", formula) for row in formulas for formula in row)


def body_of(system: System, velocity: Array, stiffness: Array, damping: Array, distribution: Array) -> Body:
    """The body of the oracle with the clock. `velocity` has the clock's 1 as its last component."""
    n = system.size
    gradient = [f"-({formula})" for formula in system.gradient] or ["0.0"] * n
    force_of = compiled(system, [*(total([f, g]) for f, g in zip(system.force, gradient)), "0.0"], with_velocities=True)
    mass_of = compiled(system, system.mass)
    with_drift = [[*row, b] for row, b in zip(system.rows, system.drift)]
    rows_of, shifted = compiled(system, with_drift), compiled(system, with_drift, complex_step=True)
    origin = [0.0] * (n + 1)
    inverse = np.linalg.inv(mass_of(origin)) if is_constant(system.mass) else None
    rows_at_rest = rows_of(origin) if is_constant(with_drift) else None

    def mass(q: Array) -> Array:
        full = np.zeros((n + 1, n + 1))
        full[:n, :n], full[n, n] = mass_of(q.tolist()), CLOCK
        return full

    def acceleration(q: Array, f: Array) -> Array:
        full = np.zeros(n + 1)
        full[:n] = inverse @ f[:n] if inverse is not None else np.linalg.solve(mass_of(q.tolist()), f[:n])
        return full

    def rows(q: Array) -> Array:
        return rows_of(q.tolist()) if rows_at_rest is None else rows_at_rest

    def rows_rate(q: Array, v: Array) -> Array:
        if rows_at_rest is not None:
            return np.zeros_like(rows_at_rest)
        rate: Array = shifted((q + 1j * STEP * v).tolist()).imag / STEP
        return rate

    return Body(np.append(system.start, 0.0), velocity, mass, acceleration,
                lambda q, v, t, below: force_of(q.tolist() + v[:n].tolist()), rows, rows_rate, stiffness, damping,
                distribution)


def projected(body: Body, velocity: Array, rows: Sequence[int]) -> Array:
    """v - W A^-1 G v of some rows of the body: the M-orthogonal projection of a start on rolling."""
    G = body.rows(body.start)[list(rows)]
    W = np.array([body.acceleration(body.start, row) for row in G]).T
    rolling: Array = velocity - W @ np.linalg.solve(G @ W, G @ velocity)
    return rolling


def random_force(rng: np.random.Generator, names: Sequence[str]) -> Formulas:
    """F_i = -k q_i - c v_i + f cos(a t + p) + g, with 0 <= k, c <= 1; half of the systems do not depend on t."""
    timed = rng.random() < 0.5
    force = []
    for name in names:
        k, c, f, a, p, g = rng.uniform([0, 0, -1, 0.5, 0, -0.8], [1, 1, 1, 3, 3, 0.8]).round(3)
        force.append(total([f"-{k}*{name}", f"-{c}*d{name}", f"{f}*cos({a}*t + {p})" if timed else "0.0", number(g)]))
    return force


def random_mass(rng: np.random.Generator, names: Sequence[str], constant: bool) -> Matrix:
    """A positive definite matrix, constant and full, or diagonal with M_ii = m (1 + 0.3 cos q_0)."""
    n = len(names)
    diagonal = rng.uniform(0.5, 1.6, n).round(3)
    if not constant:
        return [[f"{diagonal[i]}*(1.0 + 0.3*cos({names[0]}))" if i == j else "0.0" for j in range(n)] for i in range(n)]
    full = np.diag(diagonal)
    full[0, -1] = full[-1, 0] = round(rng.uniform(-0.3, 0.3), 3)
    return [[number(full[i, j]) for j in range(n)] for i in range(n)]


def random_rows(rng: np.random.Generator) -> tuple[tuple[str, ...], Matrix]:
    """Coordinates and rows G: a blade, a blade that also rolls, a wheel, a particle on z' = y x', or constant rows."""
    a, r = number(round(rng.uniform(-0.6, 0.6), 3)), number(-round(rng.uniform(0.3, 1.0), 3))
    blade = ["-sin(h)", "cos(h)", a]
    choice = rng.integers(5)
    if choice == 0:
        return ("x", "y", "h"), [blade]
    if choice == 1:
        return ("x", "y", "h", "p"), [[*blade, "0.0"], ["cos(h)", "sin(h)", "0.0", r]]
    if choice == 2:
        return ("x", "h"), [["1.0", r]]
    if choice == 3:
        return ("x", "y", "z"), [["-y", "0.0", "1.0"]]
    rows = rng.uniform(-1.0, 1.0, (rng.integers(1, 3), 3)).round(3) + np.eye(3)[:1]
    return ("x", "y", "z"), [[number(one) for one in row] for row in rows[:2]]


def random_system(rng: np.random.Generator, single: bool = False) -> System:
    """A system at rest surfaces; `single` asks for one row."""
    names, rows = random_rows(rng)
    while single and (len(rows) > 1 or len(names) < 3):
        names, rows = random_rows(rng)
    energies = rng.random() < 0.5
    system = System(names, random_mass(rng, names, energies or rng.random() < 0.5), random_force(rng, names), rows,
                    ["0.0"] * len(rows), list(rng.uniform(-0.5, 0.5, len(names)).round(3)))
    if energies:
        k, p = rng.uniform(0.1, 1.0, 2).round(3)
        first, last = names[0], names[-1]
        system.potential = f"0.5*{k}*{first}**2 + {p}*cos({last})"
        gradient = {first: f"{k}*{first}", last: f"-{p}*sin({last})"}
        system.gradient = [gradient.get(name, "0.0") for name in names]
    return system
