"""The figure of an animation, in which both bodies are drawn, together or side by side, and moved from frame to
frame."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Polygon
from matplotlib.text import Text

from .animation_frames import Pair
from .bodies import Parameters, Picture, Shape
from .tables import EVIDENT

# Okabe and Ito (2008); the filling distinguishes the bodies, too.
RIGID, COMPLIANT, GROUND = "#0072B2", "#D55E00", "0.55"
DPI = 100  # widths and heights are even numbers of pixels, as H.264 needs
LEAST, MOST = 1.9, 5.2  # inches: of a panel's height
LEFT, RIGHT, ABOVE, BELOW = 0.62, 0.16, 0.66, 0.62  # inches around the panels
ARROW = 0.16  # the longest arrow as a share of the picture's diagonal


@dataclass(frozen=True)
class Layout:
    """One panel for both bodies, or a panel for each; sizes in inches."""

    panel: float  # width of a panel
    names: float  # from the left end of the name of the rigid body to that of the compliant one
    beside: bool

    @property
    def width(self) -> float:
        """Of the figure."""
        return LEFT + self.panel + self.beside * self.names + RIGHT


LAYOUTS = {"overlay": Layout(5.62, 1.22, False), "beside": Layout(3.6, 3.78, True)}


@dataclass(frozen=True)
class Film:
    """The motions of both bodies over the frames."""

    picture: Picture
    parameters: Parameters
    frames: Pair
    path: Pair  # the frames and times between them, for the traced paths:
    stride: int  # frame k is at index k * stride of `path`
    factor: float  # multiplies the difference
    size: float  # see analysis.bodies
    status: str = ""  # of the difference in the study's table

    def rigid_pose(self, k: int) -> np.ndarray:
        return self.frames.rigid[:, k]

    def compliant_pose(self, k: int) -> np.ndarray:
        return self.picture.exaggerated(self.frames.rigid[:, k], self.frames.difference[:, k],
                                        self.factor)

    def paths(self, compliant: bool) -> np.ndarray:
        """Paths of the traced points: times x 2 x k, m."""
        factor = self.factor if compliant else 0.0
        return np.array([
            self.picture.traced(self.picture.exaggerated(pose, difference, factor), self.parameters)
            for pose, difference in zip(self.path.rigid.T, self.path.difference.T)])

    def __len__(self) -> int:
        return len(self.frames.times)


def around(*curves: np.ndarray) -> np.ndarray:
    """[[x min, max], [y min, max]] of points, without NaN."""
    points = np.hstack(curves)
    return np.array([np.nanmin(points, axis=1), np.nanmax(points, axis=1)]).T


def box_of(film: Film) -> np.ndarray:
    """The bounding box of everything that moves, over all frames, m."""
    corners = []
    for k in range(len(film)):
        for pose in (film.rigid_pose(k), film.compliant_pose(k)):
            curves = [s.points for s in film.picture.shapes(pose, film.parameters, film.size)]
            corners.append(around(*curves, film.picture.traced(pose, film.parameters)))
    return around(*corners)


def extent(box: np.ndarray) -> float:
    return float(np.hypot(*(box[:, 1] - box[:, 0])))


def shown_box(box: np.ndarray, panel: float) -> tuple[np.ndarray, float]:
    """(the box with a margin, enlarged to the aspect ratio of a panel of this width; the panel's height in
    inches)."""
    margin = 0.04 * extent(box)
    box = box + [-margin, margin]
    wide, high = box[:, 1] - box[:, 0]
    height = np.clip(panel * high / wide, LEAST, MOST)
    height = 2.0 * round(0.5 * height * DPI) / DPI
    more = np.maximum(0.0, [high * panel / height - wide, wide * height / panel - high])
    return box + 0.5 * more[:, None] * [-1.0, 1.0], height


def canvas(box: np.ndarray, height: float, metres: bool, layout: Layout) -> tuple[Figure, dict[bool, Axes]]:
    """A figure whose panels, of the rigid and of the compliant body or one of both, show the box; box and panels
    have the same aspect ratio, so scales are equal."""
    total, wide = height + ABOVE + BELOW, layout.width
    figure = Figure(figsize=(wide, total), dpi=DPI, facecolor="white")
    FigureCanvasAgg(figure)  # without pyplot, so that nothing has to be closed
    panels = [figure.add_axes(((LEFT + k * layout.names) / wide, BELOW / total, layout.panel / wide, height / total))
              for k in range(1 + layout.beside)]
    for axis in panels:
        axis.set(xlim=box[0], ylim=box[1])
        axis.tick_params(labelsize=8, colors="0.35", labelleft=axis is panels[0])
        for spine in axis.spines.values():
            spine.set_color("0.75")
        if metres:
            axis.set_xlabel("m", fontsize=8, labelpad=1, color="0.35")
        else:
            axis.set(xticks=[], yticks=[])
    return figure, {False: panels[0], True: panels[-1]}


class Body:
    """The artists of one body, created for the first frame and moved for the others."""

    def __init__(self, axis: Axes, shapes: list[Shape], compliant: bool) -> None:
        colour = COMPLIANT if compliant else RIGID
        self.artists: list[Artist] = []
        for shape in shapes:
            if shape.role == "body":
                face = (*to_rgb(colour), 0.25) if compliant else "none"
                self.artists.append(axis.add_patch(Polygon(
                    shape.points.T, closed=True, facecolor=face, edgecolor=colour,
                    linewidth=0.8 if compliant else 1.5, zorder=4 if compliant else 6)))
                continue
            width = {"contact": 3.2 if compliant else 1.6, "mark": 0.9, "ground": 1.0}[shape.role]
            on_ground = shape.role == "ground"
            line, = axis.plot(*shape.points, color=GROUND if on_ground else colour, linewidth=width,
                              zorder=2 if on_ground else 5 if compliant else 7,
                              solid_capstyle="round" if compliant else "butt")
            self.artists.append(line)

    def move(self, shapes: list[Shape]) -> None:
        for artist, shape in zip(self.artists, shapes, strict=True):
            if isinstance(artist, Polygon):
                artist.set_xy(shape.points.T)
            else:
                assert isinstance(artist, Line2D)
                artist.set_data(*shape.points)


class Traces:
    """The paths of the traced points up to now."""

    def __init__(self, axis: Axes, paths: np.ndarray, stride: int, compliant: bool) -> None:
        """paths: times x 2 x k, `stride` times per frame."""
        colour = COMPLIANT if compliant else RIGID
        self.paths, self.stride = paths, stride
        self.lines = [axis.plot([], [], color=colour, linewidth=1.4 if compliant else 1.0,
                                alpha=0.75, zorder=3,
                                linestyle="solid" if compliant else (0, (4, 2)))[0]
                      for _ in range(paths.shape[2])]

    def move(self, k: int) -> None:
        for j, line in enumerate(self.lines):
            line.set_data(*self.paths[:k * self.stride + 1, :, j].T)


class Arrows:
    """The forces of the contacts on the body."""

    def __init__(self, axis: Axes, feet: np.ndarray, arrows: np.ndarray, compliant: bool) -> None:
        """feet, arrows: frames x 2 x c, m."""
        self.feet, self.arrows = feet, arrows
        self.quiver = axis.quiver(*feet[0], *arrows[0], color=COMPLIANT if compliant else RIGID,
                                  angles="xy", scale_units="xy", scale=1.0, minlength=0.0,
                                  width=0.006 if compliant else 0.0035,
                                  zorder=8 if compliant else 9)

    def move(self, k: int) -> None:
        self.quiver.set_offsets(self.feet[k].T)
        self.quiver.set_UVC(*self.arrows[k])


def shorten(text: Text, end: float) -> None:
    """Cuts the text so that it ends left of `end`, pixels."""
    words = text.get_text()
    while len(words) > 1 and text.get_window_extent().x1 > end:
        words = words[:-1]
        text.set_text(words + "…")


class Scene:
    """The figure of a film; `show(k)` draws frame k."""

    def __init__(self, film: Film, title: str, compliant_name: str, footer: str,
                 forces: bool, layout: Layout = LAYOUTS["overlay"]) -> None:
        self.film, self.layout = film, layout
        sides = ((False, film.rigid_pose), (True, film.compliant_pose))
        self.poses = {compliant: [pose(k) for k in range(len(film))] for compliant, pose in sides}
        box = box_of(film)
        length = ARROW * extent(box)
        arrows = self.arrows(length) if forces else None
        if arrows:
            tips = [feet + vectors for feet, vectors in arrows[0].values()]
            box = around(box, *(tip for tips_of_one in tips for tip in tips_of_one))
        notes = [footer]
        if arrows:
            notes.insert(0, f"longest arrow {arrows[1]:.3g} N" if arrows[1] else "no contact force")
        metres = film.picture.cell is None
        if metres:
            ground = film.picture.ground(film.parameters, box, film.size)
            box, height = shown_box(around(box, *(shape.points for shape in ground)), layout.panel)
        else:
            box, height = shown_box(box, layout.panel)
            ground = film.picture.ground(film.parameters, box, film.size)
            notes.insert(0, f"grid {film.picture.cell(film.parameters, box):g} m")
        self.figure, axes = canvas(box, height, metres, layout)
        for axis in self.figure.axes:
            for shape in ground:
                axis.plot(*shape.points, color=GROUND, zorder=1, linewidth=1.0 if metres else 0.4)
        self.bodies = {c: Body(axes[c], self.shapes(c, 0), c) for c, _ in sides}
        self.moving: list[Traces | Arrows] = [
            Traces(axes[c], film.paths(c), film.stride, c) for c, _ in sides]
        if arrows:
            self.moving += [Arrows(axes[c], *arrows[0][c], c) for c, _ in sides]
        for axis in self.figure.axes:
            axis.set(xlim=box[0], ylim=box[1])  # drawing has changed the limits
        self.clock = self.texts(title, compliant_name, "; ".join(notes))

    def shapes(self, compliant: bool, k: int) -> list[Shape]:
        return self.film.picture.shapes(self.poses[compliant][k], self.film.parameters,
                                        self.film.size)

    def over_frames(self, points: Callable[[np.ndarray, Parameters], np.ndarray],
                    compliant: bool) -> np.ndarray:
        """frames x 2 x k."""
        return np.array([points(pose, self.film.parameters) for pose in self.poses[compliant]])

    def arrows(self, length: float) -> tuple[dict[bool, tuple[np.ndarray, np.ndarray]], float]:
        """(feet and arrows of each body as drawn, frames x 2 x c, m; the largest force, N).

        The longest arrow of both bodies and all frames has length `length`.
        """
        film, frames = self.film, self.film.frames
        found = {}
        for compliant, samples in ((False, frames.rigid_force), (True, frames.compliant_force)):
            found[compliant] = np.array([
                film.picture.pushes(pose, film.parameters, force)
                for pose, force in zip(self.poses[compliant], samples.T)])
        lengths = np.hstack([np.hypot(f[:, 0], f[:, 1]).ravel() for f in found.values()])
        longest = float(np.max(lengths, where=np.isfinite(lengths), initial=0.0))
        scale = length / longest if longest > 0.0 else 0.0
        return {compliant: (self.over_frames(film.picture.contacts, compliant), scale * forces)
                for compliant, forces in found.items()}, longest

    def texts(self, title: str, compliant_name: str, footer: str) -> Text:
        """Adds the names above and the notes below the panel. Returns the text of the clock."""
        high = self.figure.get_size_inches()[1]

        def text(x: float, inches: float, words: str, **options: object) -> Text:
            y = inches / high if inches >= 0.0 else 1.0 + inches / high
            return self.figure.text(x, y, words, parse_math=False, va="center", **options)

        wide = self.layout.width
        left, right = LEFT / wide, 1.0 - RIGHT / wide
        text(left, -0.43, "rigid (outline)", fontsize=9, color=RIGID)
        text(left + self.layout.names / wide, -0.43, compliant_name, fontsize=9, color=COMPLIANT)
        label = ""
        if self.film.factor != 1.0:
            # With a large factor even solver errors look like a difference.
            doubt = "" if self.film.status in ("", *EVIDENT) else f" ({self.film.status})"
            label = f"difference × {self.film.factor:g}{doubt}"
        at_right = text(right, -0.18, label, fontsize=9.5, ha="right", fontweight="bold",
                        color=COMPLIANT)
        end = at_right.get_window_extent().x0 if label else right * wide * DPI
        shorten(text(left, -0.18, title, fontsize=9.5), end - 8.0)
        text(right, 0.12, footer, fontsize=7, ha="right", color="0.35")
        return text(left, 0.12, "", fontsize=9.5, family="monospace")

    def show(self, k: int) -> None:
        for compliant, body in self.bodies.items():
            body.move(self.shapes(compliant, k))
        for moving in self.moving:
            moving.move(k)
        self.clock.set_text(f"t = {self.film.frames.times[k]:7.3f} s")
