"""A notebook as Markdown, with its stored outputs. Nothing is executed."""

import json
import re
from pathlib import Path
from typing import Any

from latex2mathml.converter import convert


def _block(formula: re.Match[str]) -> str:
    return f'\n\n<div class="cell-output">{convert(" ".join(formula[1].split()), display="block")}</div>\n\n'


def _formulas(text: str) -> str:
    """TeX between dollars as MathML, which browsers show without a script."""
    text = re.sub(r"\$\$(.+?)\$\$", _block, text, flags=re.DOTALL)
    parts = re.split(r"(`[^`\n]*`)", text)  # no formulas in code
    return "".join(part if part.startswith("`") else re.sub(r"\$([^$\n]+)\$", lambda m: convert(m[1]), part)
                   for part in parts)


def _fenced(text: str, language: str) -> str:
    return f"```{language}\n{text.rstrip()}\n```\n"


def _joined(text: str | list[str]) -> str:
    """A text of the file, which may be a list of lines."""
    return "".join(text)


def _output(output: dict[str, Any]) -> str:
    if output["output_type"] == "stream":
        return _fenced(_joined(output["text"]), "text")
    data = {kind: _joined(text) for kind, text in output.get("data", {}).items()}
    if "image/png" in data:
        picture = "".join(data["image/png"].split())
        return f'<p><img alt="figure of the cell above" src="data:image/png;base64,{picture}"></p>\n'
    if "text/html" in data:
        lines = (line.strip() for line in data["text/html"].splitlines())
        return f'<div class="cell-output">{" ".join(line for line in lines if line)}</div>\n'
    return _fenced(data.get("text/plain", ""), "text")


def markdown_of(path: Path) -> str:
    """The cells of a notebook, each followed by its outputs.

    Parameters
    ----------
    path : Path
        The notebook, of format 4.

    Returns
    -------
    str
        Markdown with HTML: tables and figures of the outputs, MathML formulas.
    """
    parts = []
    for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
        source = _joined(cell["source"])
        if cell["cell_type"] == "markdown":
            parts.append(_formulas(source) + "\n")
        elif cell["cell_type"] == "code":
            parts += [_fenced(source, "python"), *map(_output, cell["outputs"])]
    return "\n".join(parts)
