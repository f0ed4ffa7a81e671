"""The reference of the public C++ headers, written by Doxygen."""

import re
import shutil
import subprocess
from pathlib import Path

from pages import ROOT

CPP = ROOT / "build/doxygen"


def run_doxygen() -> None:
    """Writes build/doxygen/cpp.

    Raises
    ------
    RuntimeError
        Doxygen is missing, or warned.
    """
    shutil.rmtree(CPP, ignore_errors=True)
    CPP.mkdir(parents=True)
    try:
        version = subprocess.run(["doxygen", "--version"], capture_output=True, text=True, check=True).stdout
        settings = (ROOT / "docs/site/Doxyfile").read_text(encoding="utf-8")
        if tuple(map(int, re.findall(r"\d+", version)[:3])) >= (1, 9, 5):
            settings += "HTML_COLORSTYLE = LIGHT\n"  # cpp.css makes it dark, also with older versions
        done = subprocess.run(["doxygen", "-"], input=settings, cwd=ROOT, capture_output=True, text=True)
    except FileNotFoundError as error:
        raise RuntimeError("doxygen is missing; on Debian: apt-get install doxygen") from error
    if done.returncode:
        raise RuntimeError(f"doxygen failed:\n{done.stdout}{done.stderr}")


def written_files() -> list[Path]:
    """The files of the reference; the site has them in cpp/."""
    return sorted(path for path in (CPP / "cpp").rglob("*") if path.is_file())
