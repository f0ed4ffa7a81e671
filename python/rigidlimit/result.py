"""The result of a run."""

from __future__ import annotations

import json
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ._core import RunResult
from .result_figures import ResultFigures

if TYPE_CHECKING:
    import pandas as pd


class Result(ResultFigures):
    """Tables, claims, verdict, motions and figures of an experiment, as `Study.run` returns it.

    Attributes
    ----------
    name : str
    held : bool
        Whether every expectation, bound and claim holds.
    interrupted : bool
        Whether solves are missing.
    verdict : str
        "NAME: held, ...", and a line for each failed claim.
    claims : list of dict
        name, group, held and message of each.
    tables : list of str
        Names for `table_named`; the first has the errors.
    computed, reused, missing : int
        Numbers of solves: of this run, from the store, not done.
    store : Path or None
        results.db of the run, for motions and figures; None if it kept nothing.
    """

    def __init__(self, core: RunResult) -> None:
        self._core = core
        self.name: str = core.name
        self.held: bool = core.held
        self.interrupted: bool = core.interrupted
        self.verdict: str = core.verdict
        self.claims: list[dict[str, Any]] = core.claims
        self.tables: list[str] = core.tables
        self.computed: int = core.computed
        self.reused: int = core.reused
        self.missing: int = core.missing
        self.store: Path | None = Path(core.store).absolute() if core.store else None
        self._resolved: str = core.resolved

    @cached_property
    def table(self) -> pd.DataFrame:
        """The table of errors: a row for each number, with its error bars, order, ratio, verdict and status."""
        return self.table_named(self.tables[0])

    def table_named(self, name: str) -> pd.DataFrame:
        """One of `tables` as a DataFrame; KeyError for another name."""
        import pandas as pd

        return pd.DataFrame(self._core.table(name))

    @cached_property
    def verdicts(self) -> pd.DataFrame:
        """A row for each series of errors against epsilon: its fitted order with standard error, coefficient, verdict,
        reason and advice; of a sweep also the swept values. Empty for a benchmark, which has no such series."""
        import pandas as pd

        return pd.DataFrame([{**row.pop("swept", {}), **row} for row in map(dict, self.document.get("series", []))])

    @cached_property
    def document(self) -> dict[str, Any]:
        """The whole result as in result.json."""
        found: dict[str, Any] = json.loads(self._core.document())
        return found

    def text(self, format: str = "table") -> str:
        """The report as the command line prints it: "table", "csv", "json", "markdown", "latex" or "html"."""
        return self._core.text(format)

    def write(self, directory: str) -> None:
        """Writes the files of `rigidlimit run` into a directory, which is created."""
        self._core.write(str(directory))

    def __repr__(self) -> str:
        return f"<Result {self.verdict.splitlines()[0] if self.verdict else self.name}>"

    def _repr_html_(self) -> str:
        """The report in HTML, as `rigidlimit run --format html` prints it."""
        missing = f"<p>Missing solves: {self.missing}. The same run() continues.</p>" if self.missing else ""
        return self.text("html") + missing
