"""The picture of a page in README and docs/results.md: scripts/plot page_picture makes it again.

Left: the top of the page of knife_edge_prediction on a light screen. Right: its figures on a dark one, with the numbers of
a point. Needs the packages playwright and pillow, and Chromium.
"""

from __future__ import annotations

import argparse
import io
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Literal

import matplotlib
from PIL import Image

from .gallery import Workshop, shrink
from .report import write_report
from .tables import AnalysisError
from .terminal import print_paths

if TYPE_CHECKING:
    from playwright.sync_api import Browser

STUDY = "knife_edge_prediction"
WIDTH, HEIGHT = 720, 950  # CSS pixels of each half
BROWSERS = ("chromium", "chromium-browser", "google-chrome")


def half(browser: Browser, page: Path, scheme: Literal["light", "dark"]) -> Image.Image:
    """A screenshot of the page: its top, or its figures with a point that the arrow keys have reached."""
    context = browser.new_context(viewport={"width": WIDTH, "height": HEIGHT}, color_scheme=scheme)
    tab = context.new_page()
    tab.goto(page.as_uri())
    if scheme == "dark":
        tab.focus("#figure-convergence [data-points]")
        for key in ("ArrowRight", "ArrowDown", "ArrowDown", "ArrowRight", "ArrowRight"):
            tab.keyboard.press(key)
        tab.evaluate("document.querySelector('#figures').scrollIntoView()")
    shot = tab.screenshot()
    context.close()
    return Image.open(io.BytesIO(shot)).convert("RGB")


@contextmanager
def chromium() -> Iterator[Browser]:
    """A headless browser. AnalysisError without playwright or Chromium."""
    program = next(filter(None, map(shutil.which, BROWSERS)), None)
    if program is None:
        raise AnalysisError(f"the picture of a page needs one of {', '.join(BROWSERS)} in the PATH")
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        raise AnalysisError("the picture of a page needs the package playwright: pip install playwright") from None
    with sync_playwright() as driver:
        # Its sandbox does not start as root, the only user of a bare container.
        browser = driver.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield browser
        browser.close()


def picture(browser: Browser, page: Path, target: Path) -> None:
    """Writes both halves, side by side."""
    both = Image.new("RGB", (2 * WIDTH, HEIGHT))
    both.paste(half(browser, page, "light"), (0, 0))
    both.paste(half(browser, page, "dark"), (WIDTH, 0))
    both.save(target)
    shrink(target, target)


def made(shop: Workshop, target: Path) -> list[Path]:
    shop.make(f"rigidlimit run {STUDY}")
    with TemporaryDirectory(prefix="rigidlimit-picture-") as folder:
        if problems := write_report([shop.results / STUDY], Path(folder)):
            raise AnalysisError(problems[0])
        with chromium() as browser:
            picture(browser, Path(folder) / f"{STUDY}.html", target)
    return [target]


def main(arguments: list[str] | None = None) -> int:
    """Returns the exit status: 0, or 2 if the picture could not be made."""
    matplotlib.use("Agg")
    root = Path(__file__).resolve().parents[1]
    parser = argparse.ArgumentParser(prog=f"python -m {__package__}.page_picture", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--results", type=Path, default=Path("results"), help="folder (default: results)")
    parser.add_argument("-o", "--output", type=Path, default=root / "docs/pictures/report.png", metavar="FILE",
                        help="the picture (default: docs/pictures/report.png)")
    parser.add_argument("--program", type=Path, default=root / "build/release/src/rigidlimit",
                        help="rigidlimit (default: that of build/release)")
    options = parser.parse_args(arguments)
    options.results.mkdir(parents=True, exist_ok=True)
    shop = Workshop(root, options.results.resolve(), options.program.resolve())
    return print_paths([lambda: made(shop, options.output)])


if __name__ == "__main__":
    sys.exit(main())
