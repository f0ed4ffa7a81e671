"""A few positions among many, for figures and tables."""

from __future__ import annotations

import numpy as np


def evenly_spaced(count: int, most: int) -> np.ndarray:
    """At most `most` of the positions 0 ... count - 1, the first and the last included."""
    return np.unique(np.linspace(0, count - 1, min(count, most)).round().astype(int))
