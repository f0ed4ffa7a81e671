"""GIF files of animations; one palette for all frames and no dithering keep them small."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from matplotlib.animation import AbstractMovieWriter
from matplotlib.figure import Figure
from PIL import Image

COLOURS = 64  # an animation has six, and blends of them along edges
SAMPLED = 5  # frames from which the palette is computed


def gif_rate(fps: float) -> float:
    """The nearest possible rate of a GIF: frames last whole hundredths of a second, and players slow
    down frames shorter than two of them."""
    return 100.0 / max(2, round(100.0 / fps))


def palette_of(frames: list[Image.Image]) -> Image.Image:
    """The palette of frames spread over the animation, so that colours that appear late are included."""
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
