"""Frames from two solves: the rigid and the compliant motion at the same instants.

Frames are uniform in time, with linear interpolation between the stored times. Motion within one
interval of the grid, such as the layer of a small epsilon, is not resolved.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .bodies import Parameters, Picture, as_it_is, round_down
from .result import Motion
from .tables import AnalysisError

LENGTH = 6.0  # s of animation by default
MOST_FRAMES = 3000  # two minutes at 25 per second; such a GIF is already too large
PATH_POINTS = 1500  # of a traced path, approximately: a fast wheel turns far between frames


@dataclass(frozen=True)
class Pair:
    """Both motions at the times of the compliant one, up to the earlier end."""

    times: np.ndarray  # K, s
    rigid: np.ndarray  # p x K poses
    difference: np.ndarray  # p x K, compliant - rigid
    rigid_force: np.ndarray  # m x K, N; NaN where a realisation has no contact force
    compliant_force: np.ndarray  # m x K, N; likewise

    def at(self, times: np.ndarray) -> Pair:
        """Linear interpolation between the samples."""
        def between(rows: np.ndarray) -> np.ndarray:
            return np.array([np.interp(times, self.times, row) for row in rows])

        return Pair(times, between(self.rigid), between(self.difference),
                    between(self.rigid_force), between(self.compliant_force))


def pair_of(picture: Picture, parameters: Parameters, rigid: Motion, compliant: Motion) -> Pair:
    """The pair in the coordinates of the picture; AnalysisError if a solve did not start."""
    rigid = rigid.at(compliant.times)
    poses = picture.pose(rigid.q, parameters)
    if picture.pose is as_it_is:  # in 113 bits if both were solved in 113 bits
        difference = compliant.minus(rigid, "q")
    else:
        difference = picture.pose(compliant.q, parameters) - poses
    there = np.isfinite(np.vstack([poses, difference])).all(axis=0)
    count = len(there) if there.all() else int(np.argmin(there))  # up to the first that is not
    if count < 2:
        raise AnalysisError(f"solve {compliant.key} or {rigid.key} did not get beyond its start")
    return Pair(compliant.times[:count], poses[:, :count], difference[:, :count],
                rigid.multiplier[:, :count], compliant.multiplier[:, :count])


def frame_times(start: float, end: float, fps: float, seconds: float | None,
                speed: float | None) -> tuple[np.ndarray, float]:
    """(the instants of the frames, s of motion per second of animation).

    `seconds` or `speed` alone shows the whole motion; both together show seconds * speed of it. With
    neither the animation takes six seconds.
    """
    for name, value in (("fps", fps), ("seconds", seconds), ("speed", speed)):
        if value is not None and not (np.isfinite(value) and value > 0.0):
            raise AnalysisError(f"--{name} takes a positive number, not {value:g}")
    if speed is None:
        speed = (end - start) / (seconds or LENGTH)
    shown = end - start if seconds is None else min(end - start, seconds * speed)
    count = int(np.floor(shown / speed * fps * (1.0 + 1e-12))) + 1
    if count > MOST_FRAMES:
        raise AnalysisError(f"{count} frames are more than {MOST_FRAMES}: ask for fewer --seconds, "
                            "a higher --speed or a lower --fps")
    if count < 2:
        raise AnalysisError(f"one frame is too few: {shown:g} s of motion at --speed {speed:g} and "
                            f"--fps {fps:g}")
    return start + speed / fps * np.arange(count), speed


def path_times(frames: np.ndarray) -> tuple[np.ndarray, int]:
    """(times of the traced paths, their number n per frame): every n-th time is a frame."""
    stride = max(1, PATH_POINTS // len(frames))
    points = stride * (len(frames) - 1) + 1
    return np.interp(np.arange(points) / stride, np.arange(len(frames)), frames), stride


def largest_shift(picture: Picture, parameters: Parameters, pair: Pair) -> float:
    """The largest distance, m, between contacts or traced points of the two bodies as drawn, over all times,
    to first order in the difference."""
    scale = np.max(np.abs(pair.difference))
    if scale == 0.0:
        return 0.0
    probe = 1e-4 / scale  # small enough for first order, large enough to keep half the digits
    largest = 0.0
    for pose, difference in zip(pair.rigid.T, pair.difference.T):
        moved = picture.exaggerated(pose, difference, probe)
        for points in (picture.contacts, picture.traced):
            way = points(moved, parameters) - points(pose, parameters)
            largest = max(largest, float(np.max(np.hypot(*way))))
    return largest / probe


def chosen_factor(shift: float, extent: float) -> float:
    """The round factor >= 1 for which the largest shift is about a twentieth of the picture."""
    return 1.0 if shift == 0.0 else max(1.0, round_down(0.05 * extent / shift))
