"""Opens tables (result.html) and pages of studies with hostile texts in a browser, and shows that nothing of them runs.

    python tests/analysis/hostile_pages.py build/release/src/rigidlimit

Not in the suite: it takes minutes. The pages of `rigidlimit report` have figures for one study of each field alone. The
status is 1 if a page has the title of a text, opens a dialog, asks for a file or reports an error. The negative control,
a text without escapes, has to change the title.
"""

from __future__ import annotations

import itertools
import subprocess
import sys
import tempfile
from pathlib import Path

from browser import chromium, opened
from rigidlimit.analysis.report import result_page, write_report

TEXTS = [
    "<script>document.title = 'RAN'</script>",
    "</script></style></title><img src=x onerror=\"document.title = 'RAN'\">",
    "\"' onmouseover=alert(1) autofocus onfocus=\"document.title = 'RAN'\" x='",
    "<svg onload=\"document.title = 'RAN'\"><animate onbegin=alert(1)></svg>",
    "$\\frac{<a href='javascript:alert(1)'>$ \\input{x} ![](http://127.0.0.1/x) [x](javascript:alert(1))",
    "\u009b31m\u2028\u202e<math><mtext><table><mglyph><style><img src onerror=alert(1)>",
    "]]><x:script xmlns:x='http://www.w3.org/1999/xhtml'>document.title = 'RAN'</x:script>",
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

        def open_one(file: Path) -> None:
            nonlocal faults, results
            title, troubles = seen_in(file)
            results += 1
            if title == "RAN" or troubles:
                faults += 1
                print(f"{file.relative_to(place)}: {title}: {troubles}")

        results = 0
        for k, (field, text) in enumerate(itertools.product(FIELDS, TEXTS)):
            texts = {one: quoted(text if one == field else "plain") for one in FIELDS}
            (place / "study.toml").write_text(STUDY.format(name=f"s{k}", **texts), encoding="utf-8")
            subprocess.run([program, "run", "study.toml", "--quiet"], cwd=place, capture_output=True)
            open_one(place / "results" / f"s{k}" / "result.html")
        folders = sorted((place / "results").iterdir())
        drawings = result_page.DRAWINGS
        for drawn, chosen in ((drawings, folders[::len(TEXTS)]), ((), folders)):
            result_page.DRAWINGS = drawn
            out = place / f"pages_{len(drawn)}"
            problems = write_report(chosen, out)
            for problem in problems:
                faults += 1
                print(problem.replace(folder, ""))
            for page in sorted(out.glob("*.html")):
                open_one(page)
        (place / "control.html").write_text("<!doctype html><link rel=icon href=data:,>" + TEXTS[0],
                                            encoding="utf-8")
        control = seen_in(place / "control.html")[0]
    print(f"{results} pages, {faults} faults; control: {control}")
    return int(faults > 0 or control != "RAN")


if __name__ == "__main__":
    sys.exit(main())
