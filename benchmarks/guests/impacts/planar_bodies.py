"""The two planar bodies of the comparison with Siconos, as plain functions without Siconos.

q = (x, height, phi), phi counter-clockwise. Contact i has the gap g_i(q) and the rows N_i, T_i of
its normal and its sliding velocity. Names, signs and order are those of the systems wheel_and_curb
and bouncing_ball of the program.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from guests.impacts.curb_by_hand import NAMES, START, Curb
from guests.impacts.event_rows import read_motion

Array = np.ndarray


@dataclass(frozen=True)
class Body:
    name: str  # of the problem
    inertia: Array  # m, m, J
    gravity: float
    friction: float
    restitution: float
    contacts: tuple[str, ...]
    gap: Callable[[int, Array], float]
    rows: Callable[[int, Array], tuple[Array, Array]]
    q: Array  # at the start
    v: Array
    end: float  # s


def curb_body(name: str, curb: Curb, q: Array, v: Array, end: float) -> Body:
    def rows(i: int, q: Array) -> tuple[Array, Array]:
        N, T = curb.rows(q)
        return N[i], T[i]

    return Body(name, curb.inertia, curb.g, curb.mu, curb.restitution, NAMES,
                lambda i, q: float(curb.gaps(q)[i]), rows, q, v, end)


def ball_body(name: str, q: Array, v: Array, end: float, *, mass: float = 1.0, radius: float = 0.1,
              inertia_ratio: float = 0.5, gravity: float = 9.81, friction: float = 0.2,
              restitution: float = 0.5) -> Body:
    """The system bouncing_ball and its parameters."""
    normal, tangent = np.array([0.0, 1.0, 0.0]), np.array([1.0, 0.0, radius])
    return Body(name, np.array([mass, mass, inertia_ratio * mass * radius**2]), gravity, friction,
                restitution, ("floor",), lambda i, q: float(q[1] - radius),
                lambda i, q: (normal, tangent), q, v, end)


def ball_end(body: Body) -> float:
    """The end time of the bounces of a ball dropped from rest: sqrt(2 g0/g) (1 + e)/(1 - e)."""
    return (math.sqrt(2.0 * body.gap(0, body.q) / body.gravity)
            * (1.0 + body.restitution) / (1.0 - body.restitution))


def paper_curb(restitution: float, v_y: float) -> Body:
    """The paper's start; v_y = -3 or +3 m/s, because the signs are lost in the paper."""
    name = f"curb_e{restitution:g}_{'down' if v_y < 0 else 'up'}"
    return curb_body(name, Curb(restitution), START, np.array([-5.0, v_y, 0.0]), 1.0)


def falls_into_the_corner(restitution: float = 0.3) -> Body:
    """A fall along the wall with spin onto the step: impulses at both contacts at one instant, though
    the wall's normal speed is zero. Here Newton's law (Siconos) and Poisson's must differ."""
    return curb_body(f"corner_e{restitution:g}", Curb(restitution), np.array([0.1, 0.2, 0.0]),
                     np.array([0.0, -1.0, 20.0]), 0.2)


def builtin() -> dict[str, Body]:
    bodies = [paper_curb(e, v_y) for v_y in (-3.0, 3.0) for e in (0.0, 0.3)]
    bodies += [falls_into_the_corner(e) for e in (0.0, 0.3)]
    bodies.append(ball_body("ball", np.array([0.0, 0.6, 0.0]), np.zeros(3), 1.2))
    bodies.append(ball_body("ball_thrown", np.array([0.0, 0.6, 0.0]), np.array([1.0, 0.0, 0.0]), 1.2))
    return {body.name: body for body in bodies}


def body_of(result: Path) -> Body:
    """The body of a study of `rigidlimit run`, with its parameters, start and end. ValueError for a
    system without a model for Siconos."""
    study = json.loads((result / "result.json").read_text(encoding="utf-8"))
    system = study["system"]["name"]
    given = {one["name"]: one["value"] for one in study["system"]["parameters"]}
    motion = read_motion(result / "motions.csv", "rigid")
    q, v, end = motion["q"][0], motion["v"][0], float(study["end"])
    if system == "wheel_and_curb":
        curb = Curb(restitution=given["restitution"], m=given["mass"], J=given["inertia"],
                    r=given["radius"], h=given["height"], l1=given["edge"], mu=given["friction"],
                    g=given["gravity"])
        return curb_body(study["name"], curb, q, v, end)
    if system == "bouncing_ball":
        return ball_body(study["name"], q, v, end, **given)
    raise ValueError(f"{result}: no model of the system '{system}' for Siconos")
