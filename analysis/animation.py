"""Animations of a motion pair: the rigid and the compliant body of a study drawn together.

    python -m analysis animate results/NAME --exaggerate auto -o NAME.gif

The rigid body is an outline, the compliant one filled; what is drawn as the compliant one is the
rigid motion plus N times the difference (compliant - rigid) of the coordinates, and the picture
says so. GIF is written through Pillow, MP4 by the program ffmpeg.
"""

from __future__ import annotations

import argparse
import os
from dataclasses import dataclass, fields, replace
from pathlib import Path

import numpy as np

from matplotlib.animation import AbstractMovieWriter, FFMpegWriter

from analysis.animation_frames import (Pair, chosen_factor, frame_times, largest_shift, pair_of,
                                       path_times)
from analysis.animation_gif import GifWriter, gif_rate
from analysis.animation_scene import DPI, Film, Scene, box_of, extent
from analysis.bodies import Parameters, Picture
from analysis.bodies_catalogue import PICTURES
from analysis.store import Motion, StudyData, open_study
from analysis.tables import AnalysisError, matching


@dataclass(frozen=True)
class AnimationOptions:
    """What to show and how; None: the first or the largest that the study holds."""

    epsilon: float | None = None
    law: str | None = None
    solver: str | None = None  # the compliant one
    rigid_solver: str | None = None
    exaggerate: float | None = 1.0
    """N; None picks it, so that the largest difference is about a twentieth of the picture."""
    fps: float = 25.0
    seconds: float | None = None  # of film
    speed: float | None = None  # s of motion a second of film
    forces: bool = False


def system_of(study: StudyData) -> tuple[str, Parameters]:
    """The system's name and its parameters, from the resolved study."""
    table = study.settings.get("system", {})
    name = str(table.get("name", ""))
    return name, {key: float(value) for key, value in table.items() if key != "name"}


def picture_of(name: str) -> Picture:
    """AnalysisError, with what to do, for a system without one: it may be one of the caller's own."""
    if name not in PICTURES:
        raise AnalysisError(
            f"no picture of the system '{name}': what it looks like is not in its equations. There is "
            f"one of {', '.join(sorted(PICTURES))}. For your own system, in Python, write one "
            "(analysis.bodies.Picture says what it holds, analysis/bodies_blades.py has short ones) "
            "and say analysis.animate(study, picture=yours)")
    return PICTURES[name]


def nearest(epsilons: list[float], wanted: float) -> float:
    """The stored epsilon that is meant: within two per cent, for nobody types 17 digits."""
    close = [x for x in epsilons if abs(x - wanted) <= 0.02 * abs(wanted)]
    if not close:
        raise AnalysisError(f"no epsilon = {wanted:g}; there are "
                            f"{', '.join(f'{x:.4g}' for x in epsilons)}")
    return min(close, key=lambda x: abs(x - wanted))


def film_of(study: StudyData, options: AnimationOptions,
            picture: Picture | None = None) -> tuple[Film, str, float]:
    """(the film, the name of its compliant motion, its speed in s of motion a second)."""
    name, parameters = system_of(study)
    picture = picture_of(name) if picture is None else picture
    epsilons = study.epsilons(options.law, options.solver)
    if options.epsilon is None and not epsilons:
        raise AnalysisError(f"{study.path}: no finished compliant solve of law = {options.law}, "
                            f"solver = {options.solver}")
    epsilon = epsilons[0] if options.epsilon is None else nearest(epsilons, options.epsilon)
    compliant = study.motion("compliant", options.law, options.solver, epsilon)
    rigid = study.motion("rigid", solver=options.rigid_solver)
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
        raise AnalysisError(f"--exaggerate is a number that is not negative, or auto: {factor:g}")
    label = f"compliant (filled), ε = {compliant.epsilon:.4g}, {compliant.law}, {compliant.solver}"
    film = Film(picture, parameters, frames, pair.at(path), stride, factor, size,
                status_of(study, compliant, rigid))
    return film, label, speed


def size_of(picture: Picture, parameters: Parameters, frames: Pair) -> float:
    """The length for what the equations leave open, from the paths of the rigid contacts."""
    feet = np.array([picture.contacts(pose, parameters) for pose in frames.rigid.T])
    way = float(np.hypot(*(feet.max(axis=(0, 2)) - feet.min(axis=(0, 2)))))
    return picture.size(frames.rigid, parameters, way if way > 0.0 else 1.0)


def status_of(study: StudyData, compliant: Motion, rigid: Motion) -> str:
    """What the table says of the largest difference of q: "ok", "solver_limited", ...; "" where
    nothing was judged."""
    rows = matching(study.table, law=compliant.law, compliant_solver=compliant.solver,
                    rigid_solver=rigid.solver, epsilon=compliant.epsilon, quantity="q",
                    norm="sup", window="all")
    return "" if rows.empty else str(rows.iloc[0]["status"])


def scene_of(study: StudyData, options: AnimationOptions, picture: Picture | None = None) -> Scene:
    """The film's figure, of which every frame can be shown."""
    film, label, speed = film_of(study, options, picture)
    title = f"{study.name}, {film.picture.view}"
    footer = f"{speed:.3g} × real time, linear between the stored times"
    return Scene(film, title, label, footer, options.forces)


def writer_for(path: Path, fps: float) -> AbstractMovieWriter:
    """Pillow for .gif, ffmpeg for .mp4; AnalysisError for all else and where there is no ffmpeg."""
    if path.suffix.lower() == ".gif":
        return GifWriter(fps=fps)
    if path.suffix.lower() != ".mp4":
        raise AnalysisError(f"{path}: an animation is a .gif or an .mp4")
    if not FFMpegWriter.isAvailable():
        raise AnalysisError(f"{path}: MP4 takes the program ffmpeg, which is not found (Debian: "
                            "apt-get install ffmpeg); a .gif takes nothing")
    # yuv420p: what every player can show.
    return FFMpegWriter(fps=fps, codec="h264", extra_args=["-pix_fmt", "yuv420p"])


def animate(study: str | Path | StudyData, path: str | Path | None = None,
            options: AnimationOptions = AnimationOptions(), *,
            picture: Picture | None = None) -> Path:
    """Writes the film beside the study, or to `path`, whose suffix decides what; the file written.
    `picture` is for a system of one's own (analysis.bodies); the built-in ones have theirs.

        >>> animate("results/knife_edge", "knife_edge.gif", AnimationOptions(exaggerate=None))
    """
    data = open_study(study)
    target = Path(path) if path is not None else data.directory / "animation.gif"
    if target.suffix.lower() == ".gif" and options.fps > 0.0:
        options = replace(options, fps=gif_rate(options.fps))
    writer = writer_for(target, options.fps)
    scene = scene_of(data, options, picture)
    # Written under another name first: a film that was interrupted is not taken for one.
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
    """The options of `animate`; their names are those of AnimationOptions."""
    command.add_argument("--epsilon", type=float, help="of the compliant motion (default: largest)")
    command.add_argument("--law", help="contact law (default: the study's first)")
    command.add_argument("--solver", help="of the compliant motion (default: the study's first)")
    command.add_argument("--rigid-solver", help="of the rigid motion (default: the study's first)")
    command.add_argument("--exaggerate", type=factor, default=1.0, metavar="N",
                         help="multiply compliant - rigid by N; auto: choose N (default: 1)")
    command.add_argument("--forces", action="store_true", help="arrows for the contact forces")
    command.add_argument("--fps", type=float, default=25.0, help="frames a second (default: 25)")
    command.add_argument("--seconds", type=float, help="length of the film (default: 6)")
    command.add_argument("--speed", type=float, help="seconds of motion in a second of film")
    command.add_argument("-o", "--output", type=Path, metavar="FILE",
                         help=".gif or .mp4 (default: animation.gif in the study's directory)")


def run(directory: Path, options: argparse.Namespace) -> list[Path]:
    """The command; the file written."""
    wanted = AnimationOptions(**{field.name: getattr(options, field.name)
                                 for field in fields(AnimationOptions)})
    return [animate(directory, options.output, wanted)]
