"""The page to play with, built from play/."""

import subprocess
import sys
import tempfile
from pathlib import Path

from pages import ROOT


def play_page() -> str:
    """The text of the page: one HTML file."""
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder) / "index.html"
        subprocess.run([sys.executable, ROOT / "play/build.py", page], check=True, stdout=subprocess.DEVNULL)
        return page.read_text(encoding="utf-8")
