"""Settings of soft joints for a wanted gap, what steps add to it, and the creep of MuJoCo's friction rows."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

SOFTEST = 0.5  # impedance below which no settings go: the added mass is then that of the body
STIFFEST = 0.9999  # impedance at which MuJoCo clips
STEPS = 50  # steps within a time constant


@dataclass(frozen=True)
class JointSettings:
    """Settings of a row of MuJoCo's `connect` or `weld`, with d0 = dwidth = d in `solimp`.

    Attributes
    ----------
    timeconst, dampratio : float
        `solref`: t_c, s, and r.
    impedance : float
        d of `solimp`: d d 0.001. With d0 < dwidth MuJoCo takes d between the two, by the gap over the width; the law of
        this module is for the constant one.
    mass_inverse : float
        Â, `efc_diagApprox` of the row, 1/kg for a row in m, 1/(kg m^2) for one in rad.
    """

    timeconst: float
    dampratio: float
    impedance: float
    mass_inverse: float

    @property
    def stiffness(self) -> float:
        """k = K d/R = d^2/((1 - d) Â (d t_c r)^2), J/u^2 for a gap in u: N/m for m, N m/rad for rad."""
        d = self.impedance
        return d**2 / ((1.0 - d) * self.mass_inverse * (d * self.timeconst * self.dampratio)**2)

    @property
    def damping(self) -> float:
        """c = b/R = 2 d/((1 - d) Â d t_c), J s/u^2."""
        d = self.impedance
        return 2.0 * d / ((1.0 - d) * self.mass_inverse * d * self.timeconst)

    @property
    def added_mass(self) -> float:
        """1/R = d/((1 - d) Â), kg for a row in m: the row resists the acceleration of the gap, too."""
        return self.impedance / ((1.0 - self.impedance) * self.mass_inverse)

    def step(self, share: float = 0.0, gap: float = 0.0, acceleration: float = 0.0) -> float:
        """The greatest step, s: t_c/50, and for a method of order one at most that of `first_order_step`.

        RK4 has no shift of order one: leave out `share`, `gap` and `acceleration`.
        """
        resolved = self.timeconst / STEPS
        if share == 0.0 or acceleration == 0.0:
            return resolved
        return min(resolved, first_order_step(share * gap, acceleration, self.damping / self.stiffness))

    def gap(self, load: float) -> float:
        """Λ/k, u, for the multiplier Λ of the rigid joint, J/u."""
        return load / self.stiffness


def mujoco_joint_settings(gap: float, load: float, mass_inverse: float, *, timeconst: float = 5e-3,
                          dampratio: float = 1.0) -> JointSettings:
    """The settings with which a joint of MuJoCo 3.7 or later opens by `gap` under `load`.

    A row of a joint obeys  R f + a = -b g' - K d g  with R = (1 - d)/d Â, b = 2/(d t_c), K = 1/(d t_c r)^2 for a constant
    impedance d. In a motion that is slow beside t_c its gap is

        gap = Λ/k + O(t_c^3),   k = K d/R = d^2/((1 - d) Â (d t_c r)^2),   c = b/R = 2 d/((1 - d) Â d t_c),

    so that  1 - d = gap/(Λ Â (t_c r)^2).  Where this would need an impedance below 0.5 the time constant is longer than
    `timeconst`, and where it would need one above 0.9999, at which MuJoCo clips, it is shorter. Releases before 3.7 lack
    the term of J' v, and their gap does not go to zero with 1 - d.

    Parameters
    ----------
    gap : float
        g wanted, u (m, or rad for the rows of a weld that hold its angles).
    load : float
        Λ of the rigid joint at the time of the greatest gap, J/u (N, N m). A hanging mass: m g. A pendulum that swings
        from the horizontal: 3 m g.
    mass_inverse : float
        Â, `efc_diagApprox` of the row in a run; 1/m for a free body that is joined to the world.
    timeconst : float
        t_c wanted, s: a hundredth of the shortest time of the motion, or less.
    dampratio : float
        r; 1: no overshoot.

    Raises
    ------
    ValueError
        If an argument is not positive.
    """
    for name, value in (("gap", gap), ("load", load), ("mass_inverse", mass_inverse), ("timeconst", timeconst),
                        ("dampratio", dampratio)):
        if not value > 0.0:
            raise ValueError(f"{name} is {value}; it must be above 0")
    product = gap / (load * mass_inverse * dampratio**2)  # (1 - d) t_c^2, s^2
    softness = min(max(product / timeconst**2, 1.0 - STIFFEST), 1.0 - SOFTEST)
    return JointSettings(sqrt(product / softness), dampratio, 1.0 - softness, mass_inverse)


def first_order_shift(step: float, acceleration: float, relaxation: float) -> float:
    """The shift of a gap by steps h of order one:  h a c/(2 k), u.

    A step of order one misses h a/2 of the velocity of a gap whose acceleration J' v is a, and the damper c turns that
    into the force c h a/2. MuJoCo (Euler, implicit, implicitfast: c/k = 2 t_c r^2) reduces the gap by it. Drake's SAP
    has c/k + h in place of c/k, and enlarges it.

    Parameters
    ----------
    step : float
        h, s.
    acceleration : float
        a = |J' v| of the rigid motion, u/s^2; v^2/L of a pendulum, 2 g at the bottom if it starts at the horizontal.
    relaxation : float
        c/k, s.
    """
    return 0.5 * step * acceleration * relaxation


def first_order_step(shift: float, acceleration: float, relaxation: float) -> float:
    """The step, s, whose `first_order_shift` is `shift`, u."""
    return 2.0 * shift / (acceleration * relaxation)


def creep(impedance: float, timeconst: float, mass_inverse: float, load: float, impratio: float,
          pyramidal_friction: float | None = None) -> float:
    """Speed, m/s, at which a contact of MuJoCo creeps under a constant load that its friction holds.

        v = (1 - d)/d Â d t_c f/(2 impratio)   for elliptic cones,   times 1 + mu^2 for pyramidal ones.

    A row of friction has no spring: R_t f = b v with R_t = (1 - d)/(d impratio) Â and b = 2/(d t_c).

    Parameters
    ----------
    impedance : float
        d at the penetration of the contact.
    timeconst : float
        t_c of `solref`, s.
    mass_inverse : float
        Â of the contact: the sum of the inverse masses of both bodies, 1/kg.
    load : float
        f along the surface, of one contact point, N: the weight over the number of points.
    pyramidal_friction : float, optional
        mu of a pyramidal cone, MuJoCo's default; without it the cone is elliptic.
    """
    elliptic = (1.0 - impedance) * mass_inverse * timeconst * load / (2.0 * impratio)
    return elliptic * (1.0 if pyramidal_friction is None else 1.0 + pyramidal_friction**2)
