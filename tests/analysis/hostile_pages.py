"""Opens the tables (result.html) of 20 studies with hostile texts in a browser, and shows that nothing of them runs.

    python tests/analysis/hostile_pages.py build/release/src/rigidlimit

Not in the suite: it takes minutes. test_report.py opens the pages of `rigidlimit report`. The status is 1 if a page has
the title of a text, opens a dialog, asks for a file or reports an error. The negative control, a text without escapes,
has to change the title.
"""

from __future__ import annotations

import itertools
import subprocess
import sys
import tempfile
from pathlib import Path

from browser import chromium, opened

TEXTS = [
    "<script>document.title = 'RAN'</script>",
    "</script></style></title><img src=x onerror=\"document.title = 'RAN'\">",
    "\"' onmouseover=alert(1) autofocus onfocus=\"document.title = 'RAN'\" x='",
    "<svg onload=\"document.title = 'RAN'\"><animate onbegin=alert(1)></svg>",
    "--><iframe srcdoc=\"<script>parent.document.title = 'RAN'</script>\"></iframe>]]>",
]
FIELDS = ["question", "source", "title", "order_only"]
STUDY = """study = {{name = "{name}", question = {question}, source = {source}}}
epsilon = {{values = [1e-2, 3e-3, 1e-3]}}
time = {{end = 0.1, samples = 11}}
solvers = {{rigid = ["radau_iia"], compliant = ["radau_iia"], rtol = 1e-8}}
expect = [{{quantity = "q", order = 2.0, order_only = {order_only}}}]
[system]
name = "skate"
title = {title}
source = "s"
coordinates = [{{name = "x", unit = "m", start = 0, start_rate = 1}},
               {{name = "y", unit = "m", start = 0, start_rate = 0}}]
kinetic_coenergy = "m*(x'^2 + y'^2)/2"
potential = "0"
constraint = ["y'"]
[system.parameters]
m = {{default = 1.0, unit = "kg", text = "p"}}
"""


def quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def main() -> int:
    program = Path(sys.argv[1]).resolve()
    faults = 0
    with tempfile.TemporaryDirectory() as folder, chromium() as browser:
        place = Path(folder)

        def seen_in(file: Path) -> tuple[str, list[str]]:
            with opened(browser, file) as seen:
                seen.page.wait_for_timeout(100)
                return seen.page.title(), seen.troubles()

        results = 0
        for k, (field, text) in enumerate(itertools.product(FIELDS, TEXTS)):
            texts = {one: quoted(text if one == field else "plain") for one in FIELDS}
            (place / "study.toml").write_text(STUDY.format(name=f"s{k}", **texts), encoding="utf-8")
            subprocess.run([program, "run", "study.toml", "--quiet"], cwd=place, capture_output=True)
            title, troubles = seen_in(place / "results" / f"s{k}" / "result.html")
            results += 1
            faults += bool(title == "RAN" or troubles)
        (place / "control.html").write_text("<!doctype html><link rel=icon href=data:,>" + TEXTS[0],
                                            encoding="utf-8")
        control = seen_in(place / "control.html")[0]
    print(f"{results} results, {faults} faults; control: {control}")
    return int(faults > 0 or control != "RAN")


if __name__ == "__main__":
    sys.exit(main())
