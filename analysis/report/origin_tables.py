"""The tables on the origin of a result: runs, findings, provenance."""

from __future__ import annotations

import json
import shlex
from typing import Any

import pandas as pd

from ..tables import text
from .tables import Table, num, table
from .words import count, known, scientific

SHIPPED = "rigidlimit"  # the program that a clone builds; the package runs it in Python


def run_table(runs: pd.DataFrame) -> Table:
    t = table("Runs that filled the store", "started", "ended", "host", "jobs", "shard", "computed",
              "reused", "version", "commit", numbers="...n.nn..")
    for _, r in runs.iterrows():
        about = provenance_of(r)
        t.add(text(r["started"]), text(r["ended"]) or "killed or still running",
              text(r["host"]), num(count(number(r["jobs"]))), text(r["shard"]) or "whole",
              num(count(number(r["computed"]))), num(count(number(r["reused"]))),
              str(about.get("version", "")), str(about.get("commit", "")))
    return t


def last_run(runs: pd.DataFrame) -> str:
    """Time of the last run of a store, to the minute; "" if there was none."""
    if runs.empty:
        return ""
    last = runs.iloc[-1]
    return text(last["ended"] or last["started"])[:16].replace("T", " ")


def finding_table(findings: pd.DataFrame) -> Table:
    t = table("Findings about the store", "found", "what", "relative difference",
              "solve", numbers="..n.")
    for _, f in findings.iterrows():
        t.add(text(f["found"]), text(f["what"]), num(scientific(number(f["difference"]), 2)),
              text(f["key"]))
    return t


def provenance_table(about: dict[str, Any]) -> Table:
    """Versions, commit, compiler, hash; the resolved file has its own section on the page."""
    t = table("Provenance", "what", "value")
    for key, value in about.items():
        if not key.startswith("resolved"):
            t.add(key.replace("_", " "), str(value))
    return t


def provenance_of(run: pd.Series) -> dict[str, Any]:
    try:
        found = json.loads(run["provenance"] or "{}")
    except (TypeError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def reproduction(about: dict[str, Any], verb: str, stem: str, folder: str) -> tuple[str, list[str]]:
    """Where to run which commands to reproduce a result; `about`: its JSON, `folder`: its folder.

    A user-defined system is only in its own program, not in the program that a clone builds.
    """
    origin = about.get("provenance", {})
    program, commit = str(origin.get("program", SHIPPED)), str(origin.get("commit", "")).rstrip("+")
    file, page = shlex.quote(f"{stem}.toml"), f"report {shlex.quote(f'results/{folder}')}"
    if program == SHIPPED or program.startswith("python") or about.get("system", {}).get("built_in", False):
        return ("In the root of a clone, with the resolved study below saved as a file:", [
            *([f"git checkout {shlex.quote(commit)}"] if commit else []),
            "scripts/reproduce --help            # installs missing packages, then builds",
            f"build/release/src/{SHIPPED} {verb} {file}",
            f"build/release/src/{SHIPPED} {page}            # draws with Python: pip install '.[report]'"])
    return (f"With the program {program}, which is not in a clone of rigidlimit: it was linked with the "
            f"library of version {origin.get('version', '?')}, commit {commit or 'unknown'}. In its folder, "
            "with the resolved study below saved as a file:", [
                f"./{shlex.quote(program)} {verb} {file}",
                f"./{shlex.quote(program)} {page}            # draws with Python: pip install 'rigidlimit[report]'"])


def number(x: object) -> float | None:
    return float(x) if known(x) else None  # type: ignore[arg-type]
