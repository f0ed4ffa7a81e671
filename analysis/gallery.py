"""The gallery of docs/gallery.md: scripts/plot gallery makes each of its pictures again.

Each picture has the commands that make it, which the page shows. `rigidlimit run` reuses the solves of the store,
so a second call is quick. All but times of benchmarks are the same in each call.
"""

from __future__ import annotations

import argparse
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path

import matplotlib
from matplotlib.figure import Figure
from PIL import Image

from . import __main__ as command
from . import friction
from .tables import AnalysisError
from .terminal import print_paths

DPI = 120
COLOURS = (128, 64, 40, 24)  # of a picture, with blends of them along edges: the first that fits MOST_BYTES
MOST_BYTES = 80_000
RESULTS = "results/"


@dataclass(frozen=True)
class Entry:
    """`name` of the picture, the `makes` (commands of rigidlimit) that make its results, and the `plot`: a command of
    scripts/plot that writes the `file` among others, or lines of Python that end with a `figure`."""

    name: str
    makes: tuple[str, ...]
    plot: str
    file: str = ""

    @property
    def is_python(self) -> bool:
        return not self.plot.startswith("scripts/plot ")

    @property
    def picture(self) -> str:
        return f"{self.name}{Path(self.file).suffix or '.png'}"


def run(*files: str, more: str = "") -> tuple[str, ...]:
    """The commands that run these files of experiments/, without their ending."""
    return tuple(f"rigidlimit run experiments/{file}.toml{more}" for file in files)


DISK = run("prediction/rolling_disk_prediction")
EDGE = run("prediction/knife_edge_prediction")
CURB = run("impacts/curb_plastic")
DAMPING = run("damping/knife_edge_damping")
BOTH = "scripts/plot friction_compare results/curb_plastic results/curb_restitution -o results/curb"
METHODS = run("benchmarks/order_reduction", more=(
    """ --set 'benchmark.name="order_of_methods"' --set """
    """'benchmark.methods=["rodas4","rosenbrock4","ros34pw2","trapezoidal_rule","exprb43"]'"""))
OWN_AXES = """import matplotlib.pyplot as plt
from rigidlimit.analysis import plot_convergence, plot_layer

figure, axes = plt.subplots(1, 2, figsize=(6.3, 2.6), layout="constrained")
plot_convergence("results/knife_edge_prediction", quantities=["v"], axes=axes[0])
plot_layer("results/knife_edge_prediction", quantities=["v"], axes=axes[1])"""

GALLERY = (
    Entry("orders", DISK, "scripts/plot convergence results/rolling_disk_prediction", "convergence.png"),
    Entry("layer", EDGE, "scripts/plot layer results/knife_edge_prediction", "layer.png"),
    Entry("pair", DISK, "scripts/plot pair results/rolling_disk_prediction", "pair.png"),
    Entry("disc", run("convergence/rolling_disk"),
          "scripts/plot animate results/rolling_disk --layout beside --fps 12.5 --seconds 5 -o results/disc.gif",
          "disc.gif"),
    Entry("energy", DISK, "scripts/plot energy results/rolling_disk_prediction", "energy.png"),
    Entry("sliding", DISK, "scripts/plot drift results/rolling_disk_prediction", "drift.png"),
    Entry("expansion", ("rigidlimit expand experiments/prediction/knife_edge_prediction.toml --order 4 --csv "
                        "results/terms.csv",), "scripts/plot expansion results/terms.csv", "terms.png"),
    Entry("realisations", run("realisation/realisations"), "scripts/plot convergence results/realisations",
          "convergence.png"),
    Entry("work", run("convergence/rolling_disk"), "scripts/plot work results/rolling_disk", "work.png"),
    Entry("work_precision", run("benchmarks/contact_work_precision", more=" --quick"),
          "scripts/plot bench results/contact_work_precision_quick", "work_precision_knife_edge_q.png"),
    Entry("order_reduction", METHODS, "scripts/plot bench results/order_of_methods",
          "order_reduction_knife_edge_rodas4.png"),
    Entry("order_overview", METHODS, "scripts/plot bench results/order_of_methods",
          "order_reduction_knife_edge_q.png"),
    Entry("cost", run("benchmarks/cost_epsilon", more=" --quick"), "scripts/plot bench results/cost_epsilon_quick",
          "cost_epsilon_knife_edge.png"),
    Entry("cost_of_size", run("benchmarks/chain", more=" --quick"), "scripts/plot bench results/chain_quick",
          "cost_count_sleigh_chain.png"),
    Entry("damping", DAMPING, "scripts/plot orders results/knife_edge_damping", "orders.png"),
    Entry("damping_errors", DAMPING, "scripts/plot damping_map results/knife_edge_damping", "error_against_zeta.png"),
    Entry("damping_plane", run("damping/knife_edge_plane"), "scripts/plot damping_map results/knife_edge_plane",
          "error_plane.png"),
    Entry("wheel", CURB, "scripts/plot friction results/curb_plastic", "wheel.png"),
    Entry("paths", run("impacts/curb_plastic", "impacts/curb_restitution"), BOTH, "trajectories.png"),
    Entry("histories", run("friction/wheel_slip_to_roll"), "scripts/plot friction results/wheel_slip_to_roll",
          "histories.png"),
    Entry("friction_orders", run("friction/wheel_slip_to_roll"), "scripts/plot friction results/wheel_slip_to_roll",
          "friction_convergence.png"),
    Entry("event_times", CURB, "scripts/plot friction results/curb_plastic", "transitions.png"),
    Entry("modes", run("friction/two_point_ball"), "scripts/plot friction results/two_point_ball",
          "contact_modes.png"),
    Entry("one_column", DISK, "scripts/plot drift results/rolling_disk_prediction --width one-column --style mono "
          "--no-title --no-footer", "drift_mono.png"),
    Entry("own_axes", EDGE, OWN_AXES),
)


def words_of(line: str, results: Path) -> list[str]:
    """The words of a command, with its results in the folder `results`."""
    return [str(results / word.removeprefix(RESULTS)) if word.startswith(RESULTS) else word
            for word in shlex.split(line)]


@dataclass(frozen=True)
class Workshop:
    """Where the studies are run: the clone, the folder of the results, the program."""

    root: Path
    results: Path
    program: Path

    def make(self, line: str) -> None:
        """Runs a command of rigidlimit; a study that is not held is drawn as well."""
        _, *words = words_of(line, self.results)
        if words[0] == "run":
            words += ["--results", str(self.results)]
        said = subprocess.run([str(self.program), *words, "--quiet"], cwd=self.root, check=False, capture_output=True,
                              text=True)
        if said.returncode not in (0, 1):
            raise AnalysisError(f"`{line}`: exit status {said.returncode}: {said.stderr.strip()}")

    def plot(self, line: str) -> list[Path]:
        """Runs a command of scripts/plot. Returns the files that it wrote."""
        options = command.parser().parse_args(words_of(line, self.results)[1:])
        if options.command == "friction_compare":
            return list(friction.run_comparison(options))
        return [path for directory in options.directory for path in options.run(directory, options)]

    def figure(self, lines: str) -> Figure:
        """Runs lines of Python. Returns their `figure`."""
        found: dict[str, Figure] = {}
        exec(lines.replace(f'"{RESULTS}', f'"{self.results.as_posix()}/'), found)  # noqa: S102
        return found["figure"]


def draw(entry: Entry, shop: Workshop, output: Path, make: Callable[[str], None],
         plot: Callable[[str], list[Path]]) -> Iterator[Path]:
    """Makes the results of an entry and yields its picture. `make` and `plot`: those of `shop`, or ones that remember
    what they ran."""
    for line in entry.makes:
        make(line)
    target = output / entry.picture
    if entry.is_python:
        shop.figure(entry.plot).savefig(target)
        shrink(target, target)
    else:
        written = {path.name: path for path in plot(entry.plot)}
        if entry.file not in written:
            raise AnalysisError(f"{entry.name}: `{entry.plot}` wrote no {entry.file}")
        shrink(written[entry.file], target)
    yield target


def shrink(source: Path, target: Path) -> None:
    """Writes the picture with a palette; a GIF is copied."""
    if source.suffix != ".png":
        shutil.copyfile(source, target)
        return
    with Image.open(source) as image:
        plain = image.convert("RGB")
    for colours in COLOURS:
        plain.quantize(colours, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE).save(target, optimize=True)
        if target.stat().st_size <= MOST_BYTES:
            break


def main(arguments: list[str] | None = None) -> int:
    """Returns the exit status: 0, or 2 if a picture could not be made."""
    matplotlib.use("Agg")
    matplotlib.rcParams["savefig.dpi"] = DPI
    root = Path(__file__).resolve().parents[1]
    parser = argparse.ArgumentParser(prog=f"python -m {__package__}.gallery", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--results", type=Path, default=Path("results"), help="folder (default: results)")
    parser.add_argument("-o", "--output", type=Path, default=root / "docs/pictures/gallery", metavar="DIR",
                        help="folder of the pictures (default: docs/pictures/gallery)")
    parser.add_argument("--program", type=Path, default=root / "build/release/src/rigidlimit",
                        help="rigidlimit (default: that of build/release)")
    parser.add_argument("--only", action="append", choices=[entry.name for entry in GALLERY], metavar="NAME",
                        help="this picture alone; may be repeated: " + ", ".join(entry.name for entry in GALLERY))
    options = parser.parse_args(arguments)
    if not options.program.is_file():
        parser.error(f"no program {options.program}: scripts/test builds it; or give --program")
    options.output.mkdir(parents=True, exist_ok=True)
    options.results.mkdir(parents=True, exist_ok=True)
    shop = Workshop(root, options.results.resolve(), options.program.resolve())
    make, plot = cache(shop.make), cache(shop.plot)
    return print_paths(partial(draw, entry, shop, options.output, make, plot) for entry in GALLERY
                       if not options.only or entry.name in options.only)


if __name__ == "__main__":
    sys.exit(main())
