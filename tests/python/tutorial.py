"""Runs docs/tutorial.ipynb and compares its outputs; `build/venv/bin/python tests/python/tutorial.py` refreshes it."""

import os
import re
import sys
import tempfile
from pathlib import Path
from typing import Any

from program import ROOT

NOTEBOOK = ROOT / "docs/tutorial.ipynb"
LONGEST = 120
"""Seconds of one cell, at most."""
_NUMBER = re.compile(r"(?<![\w.])\d+(?:\.\d*)?(?:e[+-]?\d+)?")
_TIME = re.compile(r"\b\d+(?::\d\d)+\b")


def executed(notebook: Any, folder: Path) -> Any:
    """A copy of the notebook with new outputs. The kernel starts in the folder, without the settings of the user.

    Raises
    ------
    nbclient.exceptions.CellExecutionError
        A cell raises.
    """
    import nbclient
    import nbformat

    fresh = nbformat.from_dict(notebook)
    for cell in fresh.cells:
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
    environment = {key: value for key, value in os.environ.items() if not key.startswith(("MPL", "JUPYTER", "IPYTHON"))}
    environment |= {"IPYTHONDIR": str(folder / "ipython"), "JUPYTER_RUNTIME_DIR": str(folder / "runtime"),
                    "MPLCONFIGDIR": str(folder / "matplotlib")}
    client = nbclient.NotebookClient(fresh, timeout=LONGEST, kernel_name="python3", record_timing=False,
                                     resources={"metadata": {"path": str(folder)}})
    client.execute(env=environment)
    fresh.metadata.pop("language_info", None)  # the version of Python
    return fresh


def outputs(cell: Any) -> list[tuple[str, str]]:
    """The MIME types and texts that a cell has written: of a figure no text, of an error no traceback."""
    found: list[tuple[str, str]] = []
    for output in cell.get("outputs", []):
        if output["output_type"] == "stream":
            found.append((output["name"], output["text"]))
        elif output["output_type"] == "error":
            found.append((output["ename"], output["evalue"]))
        elif "image/png" in output["data"]:
            found.append(("image/png", ""))
        else:
            found += sorted(output["data"].items())
    return found


def differences(old: Any, new: Any) -> list[str]:
    """What differs between the outputs of two notebooks, a line for each text."""
    found = []
    if len(old.cells) != len(new.cells):
        found.append(f"{len(old.cells)} cells, {len(new.cells)} cells")
    for k, (before, after) in enumerate(zip(old.cells, new.cells)):
        if before.source != after.source:
            found.append(f"cell {k}: another source")
        a, b = outputs(before), outputs(after)
        if [kind for kind, _ in a] != [kind for kind, _ in b]:
            found.append(f"cell {k}: outputs {[kind for kind, _ in a]}, {[kind for kind, _ in b]}")
        found += [f"cell {k}, {kind}: {difference}" for (kind, x), (_, y) in zip(a, b)
                  if (difference := text_difference(x, y))]
    return found


def text_difference(old: str, new: str) -> str:
    """The first difference of two texts, or "". Times are left out.

    Numbers agree within 2 %, and error bars (after ±) within a factor of ten: another compiler rounds otherwise. Numbers
    below 1e-9 are rounding errors or close to the tolerances, and are not compared.
    """
    old, new = _TIME.sub("TIME", old), _TIME.sub("TIME", new)
    # Blanks depend on the lengths of numbers.
    words = [re.split(r"\s+", _NUMBER.sub(" NUMBER ", text)) for text in (old, new)]
    if words[0] != words[1]:
        k = next((k for k, pair in enumerate(zip(*words)) if pair[0] != pair[1]), min(map(len, words)))
        return " | ".join(" ".join(some[max(k - 3, 0):k + 4]) for some in words)
    for a, b in zip(_NUMBER.finditer(old), _NUMBER.finditer(new)):
        if not _agree(float(a[0]), float(b[0]), is_bar=old[:a.start()].endswith("± ")):
            return f"{old[max(a.start() - 20, 0):a.end()]} | {new[max(b.start() - 20, 0):b.end()]}"
    return ""


def _agree(a: float, b: float, is_bar: bool) -> bool:
    low, high = sorted((a, b))
    return high < 1e-9 or high - low <= 0.02 * high or is_bar and high <= 10 * low


def main() -> int:
    """Runs the notebook, prints what has changed, and writes it."""
    import nbformat

    old = nbformat.read(NOTEBOOK, as_version=4)
    with tempfile.TemporaryDirectory() as folder:
        new = executed(old, Path(folder))
    print("\n".join(differences(old, new)) or "no text has changed")
    nbformat.write(new, NOTEBOOK)
    return 0


if __name__ == "__main__":
    sys.exit(main())
