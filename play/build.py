"""Builds the page one can play with: one HTML file from the files of this folder.

    build.py OUTPUT              the page, with the equations in models.js: needs no program
    build.py --models PROGRAM    writes models.js, the equations that this program exports
"""

from __future__ import annotations

import base64
import hashlib
import html
import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

HERE = Path(__file__).resolve().parent
STUDIES = HERE.parent / "experiments" / "convergence"
SYSTEMS = ("knife_edge", "chaplygin_sleigh", "snakeboard", "rolling_coin", "rolling_disk")
WORKER = ("dense.js", "radau.js", "contact.js", "systems.js", "worker.js")
PAGE = ("systems.js", "bodies.js", "view.js", "numbers.js", "plot.js", "requests.js", "page.js")
MODELS = HERE / "models.js"
WRITTEN = "// Written by scripts/play --models: the equations that the program exports.\n"
END = 2.0  # s, of experiments/bases/default_regime.toml
TOLERANCE = 4e-5  # of the page's distances from ideal rolling against the program's (tests/analysis/test_play.py)


def run(program: Path, *arguments: str) -> str:
    return subprocess.run([program, *arguments], check=True, capture_output=True, text=True).stdout


def without_modules(source: str) -> str:
    """The text of a module in one scope with others: without imports and the word export."""
    return re.sub(r"^export ", "", re.sub(r"^import .*\n", "", source, flags=re.MULTILINE), flags=re.MULTILINE)


def joined(names: tuple[str, ...]) -> str:
    return "\n".join(without_modules((HERE / name).read_text("utf-8")) for name in names)


def equations(program: Path, system: str, *options: str) -> str:
    """An exported problem as an expression: an object with its size, start and functions."""
    text = run(program, "export-problem", str(STUDIES / f"{system}.toml"), "--language", "javascript",
               "--reference", "none", *options)
    kept, part, _ = text.partition("export const check_t")
    if not part:
        raise ValueError(f"{system}: no check values in the exported problem")
    code = "\n".join(line for line in without_modules(kept).splitlines() if not line.startswith("//"))
    return "(() => {\n" + code + "return { N, t0, y0, rhs, jacobian };\n})()"


def parameters(system: str) -> dict[str, float]:
    with open(STUDIES / f"{system}.toml", "rb") as file:
        table = tomllib.load(file)["system"]
    return {name: value for name, value in table.items() if name != "name"}


def models(program: Path) -> str:
    """The text of models.js."""
    entries = [f"{system}: {{ end: {END}, parameters: {json.dumps(parameters(system))},\n"
               f"rigid: {equations(program, system, '--side', 'rigid')},\n"
               f"compliant: {equations(program, system, '--free-law')} }}" for system in SYSTEMS]
    return f"{WRITTEN}const models = {{\n" + ",\n".join(entries) + "\n};\n"


def in_scope(code: str) -> str:
    """A script of its own scope, strict as modules are."""
    text = '"use strict";\n{\n' + code + "\n}\n"
    if "</script" in text or "<!--" in text:
        raise ValueError("a script would end its element")
    return text


def hashed(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def spelled(x: float) -> str:
    """4e-5 as 4·10⁻⁵."""
    mantissa, exponent = f"{x:e}".split("e")
    return f"{float(mantissa):g}·10" + str(int(exponent)).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))


def version() -> str:
    found = re.search(r"^version: (.*)$", (HERE.parent / "CITATION.cff").read_text("utf-8"), re.MULTILINE)
    if found is None:
        raise ValueError("CITATION.cff has no version")
    return found[1]


def page() -> str:
    drawn = {system: {"parameters": parameters(system)} for system in SYSTEMS}
    script = in_scope(f"const models = {json.dumps(drawn)};\n" + joined(PAGE))
    style = (HERE / "style.css").read_text("utf-8")
    values = {"style": style, "style-hash": hashed(style), "script": script, "script-hash": hashed(script),
              "worker": in_scope(MODELS.read_text("utf-8").removeprefix(WRITTEN) + joined(WORKER)),
              "version": html.escape(version()),
              "tolerance": spelled(TOLERANCE)}
    template = (HERE / "page.html").read_text("utf-8")
    return re.sub(r"@([a-z-]+)@", lambda match: values[match[1]], template)


def main() -> None:
    if sys.argv[1] == "--models":
        MODELS.write_text(models(Path(sys.argv[2]).resolve()), "utf-8")
        print(MODELS)
        return
    output, = (Path(word) for word in sys.argv[1:])
    if output.suffix != ".html":
        raise ValueError(f"{output} is no page: its name must end in .html")
    output.parent.mkdir(parents=True, exist_ok=True)
    output.write_text(page(), "utf-8")
    print(output)


if __name__ == "__main__":
    main()
