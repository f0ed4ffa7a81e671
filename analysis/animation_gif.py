"""GIF files of films: one palette for all frames and no dithering, which makes them small."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from matplotlib.animation import AbstractMovieWriter
from matplotlib.figure import Figure
from PIL import Image

COLOURS = 64  # a film has six, and their blends along edges
SAMPLED = 5  # frames that the palette is made from


def gif_rate(fps: float) -> float:
    """The nearest rate that a GIF can have: its frames last whole hundredths of a second, and
    players slow down those of less than two."""
    return 100.0 / max(2, round(100.0 / fps))


def palette_of(frames: list[Image.Image]) -> Image.Image:
    """From frames all over the film, so that what turns up late has its colour as well."""
    chosen = [frames[k] for k in np.linspace(0, len(frames) - 1, SAMPLED).astype(int)]
    together = Image.fromarray(np.vstack([np.asarray(frame) for frame in chosen]))
    return together.quantize(COLOURS, method=Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE)


class GifWriter(AbstractMovieWriter):
    """matplotlib's interface for writers; the figure must have an Agg canvas."""

    def setup(self, fig: Figure, outfile: str | Path, dpi: float | None = None) -> None:
        super().setup(fig, outfile, dpi)
        self.frames: list[Image.Image] = []

    def grab_frame(self, **savefig_kwargs: object) -> None:
        self.fig.canvas.draw()
        pixels = np.asarray(self.fig.canvas.buffer_rgba())[..., :3]
        self.frames.append(Image.fromarray(np.ascontiguousarray(pixels)))

    def finish(self) -> None:
        palette = palette_of(self.frames)
        first, *others = [frame.quantize(palette=palette, dither=Image.Dither.NONE)
                          for frame in self.frames]
        first.save(self.outfile, save_all=True, append_images=others, loop=0, optimize=False,
                   duration=round(1000.0 / self.fps))
