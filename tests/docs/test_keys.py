"""docs/keys.md has every key of every shipped file."""

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs/keys.md").read_text(encoding="utf-8")

Tables = dict[str, set[str]]


def keys_of(page: str) -> dict[str, Tables]:
    """The keys of each table ("time", "[expect]", "KEY = {...}") of each section."""
    sections: dict[str, Tables] = {}
    for line in page.splitlines():
        if match := re.fullmatch(r"## (.*)", line):
            tables = sections.setdefault(match[1], {})
        elif match := re.fullmatch(r"### `?(.*?)`?", line):
            name = match[1]
            title = re.fullmatch(r"\[(.*)\]", name)
            keys = tables.setdefault("" if name == "Top of the file" else title[1] if title else name, set())
        elif (match := re.match(r"\| (\S+) \|", line)) and match[1] != "---" and not line.startswith("| key | unit |"):
            keys.add(match[1])
    return sections


SECTIONS = keys_of(PAGE)


def merged(*names: str) -> Tables:
    tables: Tables = {}
    for name in names:
        for table, keys in SECTIONS[name].items():
            tables.setdefault(table, set()).update(keys)
    return tables


STUDY = merged("Rolling study", "Friction study", "Sweep of a rolling study or friction study", "System as formulas")
BENCHMARK = merged("Benchmark")
PROBLEM = merged("Initial value problem as formulas")


def missing(value: dict, tables: Tables, table: str = "") -> list[str]:
    """The keys in `value` that the reference lacks."""
    lacking = []
    for key, inner in value.items():
        path = f"{table}.{key}" if table else key
        if path == "sweep":
            lacking += [f"zip.{k}" for zipped in inner.get("zip", []) for k in zipped
                        if k not in tables["[sweep.zip]"]]
        elif path in ("system.let", "problem.let", "[problem].parameters"):
            pass  # names of the user, parameters of classical problems
        elif path in ("initial.q", "initial.v", "tangent.q", "tangent.v") and isinstance(inner, dict):
            pass  # names of the system's coordinates and velocities
        elif path in ("system.parameters", "problem.parameters"):
            for one in inner.values():
                lacking += missing(one, tables, f"{path}.NAME")
        elif isinstance(inner, list) and inner and isinstance(inner[0], dict):
            own = f"[{path}]" if f"[{path}]" in tables else "KEY = [{...}]"
            for one in inner:
                lacking += missing(one, tables, own)
        elif key in tables.get(table, set()):
            if isinstance(inner, dict) and key != "where":
                lacking += missing(inner, tables, "KEY = {...}")
        elif isinstance(inner, dict):
            own = "solvers.NAME" if table == "solvers" else path
            lacking += missing(inner, tables, own) if own in tables else [path]
        elif not (table == "system" and isinstance(inner, (int, float))):  # a parameter
            lacking.append(path)
    return lacking


def lacking_in(file: Path) -> list[str]:
    content = tomllib.loads(file.read_text(encoding="utf-8"))
    if "coordinates" in content:
        content = {"system": content}
    if isinstance(content.get("problem"), dict):
        return missing(content, PROBLEM)
    return missing(content, BENCHMARK if "benchmark" in content else STUDY)


def test_every_key_of_a_shipped_file_is_in_the_reference() -> None:
    files = sorted(file for folder in ("experiments", "examples") for file in (ROOT / folder).rglob("*.toml"))
    assert len(files) > 90
    assert [(file.name, keys) for file in files if (keys := lacking_in(file))] == []
    assert missing({"time": {"ende": 1.0}, "expect": [{"odrer": 1.0}]}, STUDY) == ["time.ende", "[expect].odrer"]


def test_the_reference_has_every_kind_of_file() -> None:
    assert len(SECTIONS) == 6
    assert {"end", "samples"} <= SECTIONS["Rolling study"]["time"]
    assert {"base", "without"} == SECTIONS["Benchmark"][""]
    assert sum(len(keys) for tables in SECTIONS.values() for keys in tables.values()) > 200
