"""The systems that have a picture."""

from __future__ import annotations

from . import bodies_blades, bodies_gears, bodies_space, bodies_wheels
from .bodies import Picture

PICTURES: dict[str, Picture] = {**bodies_blades.PICTURES, **bodies_wheels.PICTURES,
                                **bodies_gears.PICTURES, **bodies_space.PICTURES}
