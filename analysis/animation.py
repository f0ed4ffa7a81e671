"""Animations of a motion pair: the rigid and the compliant body of a study.

    python -m rigidlimit.analysis animate results/NAME --exaggerate auto -o NAME.gif

The rigid body is an outline, the compliant one is filled; they are drawn together or side by side. The
compliant body is drawn at the rigid coordinates plus N times the difference (compliant - rigid); the picture
names N. Pillow writes GIF, the program ffmpeg MP4.
"""

from __future__ import annotations

import argparse
import os
from dataclasses import dataclass, fields, replace
from pathlib import Path

import numpy as np

from matplotlib.animation import AbstractMovieWriter, FFMpegWriter

from .animation_frames import (Pair, chosen_factor, frame_times, largest_shift, pair_of,
                               path_times)
from .animation_gif import GifWriter, gif_rate
from .animation_scene import DPI, LAYOUTS, Film, Scene, box_of, extent
from .bodies import Parameters, Picture
from .bodies_catalogue import PICTURES
from .pairs import chosen, partner
from .result import Motion, Result
from .store import RollingResult
from .opening import rolling
from .tables import AnalysisError, matching


@dataclass(frozen=True)
class AnimationOptions:
    """Options of an animation; None selects the first or the largest one of the study."""

    epsilon: float | None = None
    law: str | None = None
    solver: str | None = None  # the compliant one
    rigid_solver: str | None = None
    exaggerate: float | None = 1.0
    """N; None selects N so that the largest difference is about a twentieth of the picture."""
    fps: float = 25.0
    seconds: float | None = None  # of the animation
    speed: float | None = None  # s of motion per second of animation
    forces: bool = False
    layout: str = "overlay"
    """"overlay": both bodies in one panel; "beside": side by side, on the same scales."""


def system_of(study: RollingResult) -> tuple[str, Parameters]:
    """Name and parameters of the system, from the resolved study."""
    table = study.settings.get("system", {})
    name = str(table.get("name", ""))
    return name, {key: float(value) for key, value in table.items() if key != "name"}


def picture_of(name: str) -> Picture:
    """The picture of a system. AnalysisError, with instructions, for a user-defined system."""
    if name not in PICTURES:
        raise AnalysisError(
            f"no picture of the system '{name}': its equations do not define a shape. There are pictures "
            f"of {', '.join(sorted(PICTURES))}. For your own system, in Python, write one "
            "(analysis.bodies.Picture documents its fields, analysis/bodies_blades.py has short examples) "
            "and call analysis.animate(study, picture=yours)")
    return PICTURES[name]


def nearest(epsilons: list[float], wanted: float) -> float:
    """The stored epsilon within two per cent of `wanted`, so that users need not type 17 digits."""
    close = [x for x in epsilons if abs(x - wanted) <= 0.02 * abs(wanted)]
    if not close:
        raise AnalysisError(f"no epsilon = {wanted:g}; known are "
                            f"{', '.join(f'{x:.4g}' for x in epsilons)}")
    return min(close, key=lambda x: abs(x - wanted))


def film_of(study: RollingResult, options: AnimationOptions,
            picture: Picture | None = None) -> tuple[Film, str, float]:
    """(the film, the name of its compliant motion, the speed in s of motion per second)."""
    name, parameters = system_of(study)
    picture = picture_of(name) if picture is None else picture
    law, solver = chosen(study, options.law, options.solver)
    epsilons = study.epsilons(law, solver)
    epsilon = epsilons[0] if options.epsilon is None else nearest(epsilons, options.epsilon)
    compliant = study.motion("compliant", law=law, solver=solver, epsilon=epsilon)
    rigid = partner(study, options.rigid_solver)
    pair = pair_of(picture, parameters, rigid, compliant)
    times, speed = frame_times(pair.times[0], pair.times[-1], options.fps, options.seconds,
                               options.speed)
    frames = pair.at(times)
    path, stride = path_times(times)
    size = size_of(picture, parameters, frames)
    factor = options.exaggerate
    if factor is None:
        plain = box_of(Film(picture, parameters, frames, frames, 1, 0.0, size))
        factor = chosen_factor(largest_shift(picture, parameters, frames), extent(plain))
    elif not (np.isfinite(factor) and factor >= 0.0):
        raise AnalysisError(f"--exaggerate takes a number >= 0 or auto, not {factor:g}")
    label = f"compliant (filled), ε = {compliant.epsilon:.4g}, {compliant.law}, {compliant.solver}"
    film = Film(picture, parameters, frames, pair.at(path), stride, factor, size,
                status_of(study, compliant, rigid))
    return film, label, speed


def size_of(picture: Picture, parameters: Parameters, frames: Pair) -> float:
    """The length for shapes that the equations leave open, from the paths of the rigid contacts."""
    feet = np.array([picture.contacts(pose, parameters) for pose in frames.rigid.T])
    way = float(np.hypot(*(feet.max(axis=(0, 2)) - feet.min(axis=(0, 2)))))
    return picture.size(frames.rigid, parameters, way if way > 0.0 else 1.0)


def status_of(study: RollingResult, compliant: Motion, rigid: Motion) -> str:
    """The status of the sup norm of q in the table: "ok", "solver_limited", ...; "" if there is no
    verdict."""
    rows = matching(study.table, law=compliant.law, compliant_solver=compliant.solver,
                    rigid_solver=rigid.solver, epsilon=compliant.epsilon, quantity="q",
                    norm="sup", window="all")
    return "" if rows.empty else str(rows.iloc[0]["status"])


def scene_of(study: RollingResult, options: AnimationOptions, picture: Picture | None = None) -> Scene:
    """The figure of the film; it can show every frame."""
    film, label, speed = film_of(study, options, picture)
    title = f"{study.name}, {film.picture.view}"
    footer = f"{speed:.3g} × real time, linear between the stored times"
    if options.layout not in LAYOUTS:
        raise AnalysisError(f"layout must be one of {', '.join(LAYOUTS)}, not '{options.layout}'")
    return Scene(film, title, label, footer, options.forces, LAYOUTS[options.layout])


def writer_for(path: Path, fps: float) -> AbstractMovieWriter:
    """Pillow for .gif, ffmpeg for .mp4; AnalysisError for other suffixes and if ffmpeg is missing."""
    if path.suffix.lower() == ".gif":
        return GifWriter(fps=fps)
    if path.suffix.lower() != ".mp4":
        raise AnalysisError(f"{path}: the suffix of an animation must be .gif or .mp4")
    if not FFMpegWriter.isAvailable():
        raise AnalysisError(f"{path}: MP4 needs the program ffmpeg, which was not found (Debian: "
                            "apt-get install ffmpeg); .gif needs no program")
    # yuv420p: every player supports it.
    return FFMpegWriter(fps=fps, codec="h264", extra_args=["-pix_fmt", "yuv420p"])


def animate(study: str | Path | Result, path: str | Path | None = None,
            options: AnimationOptions = AnimationOptions(), *,
            picture: Picture | None = None) -> Path:
    """Writes the animation beside the study, or to `path`, and returns the file. The suffix selects the
    format. `picture` (analysis.bodies) is for user-defined systems; built-in systems have pictures.

        >>> animate("results/knife_edge", "knife_edge.gif", AnimationOptions(exaggerate=None))
    """
    data = rolling(study)
    target = Path(path) if path is not None else data.directory / "animation.gif"
    if target.suffix.lower() == ".gif" and options.fps > 0.0:
        options = replace(options, fps=gif_rate(options.fps))
    writer = writer_for(target, options.fps)
    scene = scene_of(data, options, picture)
    # The file gets its name last, so that an interrupted run leaves no incomplete animation.
    part = target.with_name(f".{target.stem}.part{target.suffix}")
    try:
        with writer.saving(scene.figure, str(part), DPI):
            for k in range(len(scene.film)):
                scene.show(k)
                writer.grab_frame()
        os.replace(part, target)
    finally:
        part.unlink(missing_ok=True)
    return target


def factor(text: str) -> float | None:
    return None if text == "auto" else float(text)


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Adds the options of `animate`, named as in AnimationOptions."""
    command.add_argument("--epsilon", type=float, help="of the compliant motion (default: largest)")
    command.add_argument("--law", help="contact law (default: the study's first)")
    command.add_argument("--solver", help="of the compliant motion (default: the study's first)")
    command.add_argument("--rigid-solver", help="of the rigid motion (default: the study's first)")
    command.add_argument("--exaggerate", type=factor, default=1.0, metavar="N",
                         help="multiply compliant - rigid by N; auto: choose N (default: 1)")
    command.add_argument("--forces", action="store_true", help="draw arrows for the contact forces")
    command.add_argument("--layout", choices=[*LAYOUTS], default="overlay",
                         help="both bodies in one panel, or side by side (default: overlay)")
    command.add_argument("--fps", type=float, default=25.0, help="frames a second (default: 25)")
    command.add_argument("--seconds", type=float, help="length of the animation (default: 6)")
    command.add_argument("--speed", type=float, help="seconds of motion per second of animation")
    command.add_argument("-o", "--output", type=Path, metavar="FILE",
                         help=".gif or .mp4 (default: animation.gif in the study's directory)")


def run(directory: Path, options: argparse.Namespace) -> list[Path]:
    """Runs the command and returns the file written."""
    wanted = AnimationOptions(**{field.name: getattr(options, field.name)
                                 for field in fields(AnimationOptions)})
    return [animate(directory, options.output, wanted)]
