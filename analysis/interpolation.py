"""Interpolation between samples, as the program compares motions."""

from __future__ import annotations

import numpy as np

POINTS = 8


def is_uniform(nodes: np.ndarray) -> bool:
    steps = np.diff(nodes)
    return len(nodes) >= POINTS and bool(np.allclose(steps, steps.mean(), rtol=1e-6, atol=0.0))


def between(nodes: np.ndarray, values: np.ndarray, times: np.ndarray) -> np.ndarray:
    """Samples, rows x nodes, at `times` within the nodes: rows x K, by the polynomial of degree 7 through the
    eight nodes around each time. At a node it is the sample itself."""
    first = np.clip(np.searchsorted(nodes, times) - POINTS // 2, 0, len(nodes) - POINTS)
    near = first[:, None] + np.arange(POINTS)
    x = nodes[near]
    weights = np.empty_like(x)
    for j in range(POINTS):
        others = np.arange(POINTS) != j
        weights[:, j] = np.prod((times[:, None] - x[:, others]) / (x[:, [j]] - x[:, others]), axis=1)
    return np.einsum("rkj,kj->rk", values[:, near], weights)
