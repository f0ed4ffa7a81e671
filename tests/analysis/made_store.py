"""Stores in the program's schema: a small study with known numbers, and stores without motions from a
result.json."""

from __future__ import annotations

import hashlib
import json
import math
import re
import sqlite3
import struct
import uuid
from collections.abc import Iterable
from pathlib import Path

import numpy as np

SOURCE = Path(__file__).resolve().parents[2] / "src/rigidlimit/store/store_schema.cpp"
SCHEMA = "".join(re.findall(r'R"sql\((.*?)\)sql"', SOURCE.read_text(encoding="utf-8"), re.DOTALL))
HEADER = "PRAGMA application_id = 0x52474c4d; PRAGMA user_version = 3;"
ERROR_COLUMNS = (
    "study system law rigid_solver compliant_solver epsilon quantity norm window model_error "
    "solver_error reference_error sampling_error order predicted_coefficient ratio ratio_error verdict status "
    "steps rejected_steps rhs_evaluations jacobian_evaluations factorisations newton_iterations"
).split()
WORK = ERROR_COLUMNS[-6:]
ROWS = SOURCE.with_name("store_rows.cpp").read_text(encoding="utf-8")
SELECT_SOLVE = "".join(re.findall(r'"(.*)"', ROWS.split("select_solve =")[1].split(";")[0]))
COVERED = int(re.findall(r"constexpr int covered = (\d+);", ROWS)[0])  # by the checksum of a solve: its first columns
BLANK_SEAL = "rigidlimit sealed " + 16 * "-"  # as of a run that was killed: the file has no checksum
NAME_SPACE = uuid.UUID("6f0c5b1a-3d52-4e0b-9a77-2c84d1e39658")  # of content_hash
SQLITE_TYPES = {int: 1, float: 2, str: 3, bytes: 4, type(None): 5}


class WordHash:
    """core/word_hash.hpp: FNV-1a by words of eight bytes, folded after each word."""

    def __init__(self) -> None:
        self.value = 0xcbf29ce484222325

    def words(self, data: bytes) -> None:
        value = self.value
        for word, in struct.iter_unpack("<Q", data + b"\0" * (-len(data) % 8)):
            value = (value ^ word) * 0x100000001b3 & 0xffffffffffffffff
            value ^= value >> 32
        self.value = value

    def count(self, number: int) -> None:
        self.words(struct.pack("<q", number))

    def bytes(self, data: bytes) -> None:
        self.count(len(data))
        self.words(data)

    def __str__(self) -> str:
        return f"{self.value:016x}"


def content_hash(data: bytes) -> str:
    """A UUID of version 5 of bytes."""
    sha = hashlib.sha1(NAME_SPACE.bytes + data, usedforsecurity=False).digest()
    return str(uuid.UUID(bytes=sha[:16], version=5))


def hash_of_samples(samples: dict[str, np.ndarray]) -> str:
    found = WordHash()
    for name, values in samples.items():
        found.bytes(name.encode())
        for number in np.atleast_2d(values).shape:
            found.count(number)
        found.bytes(blob(values)["data"])  # type: ignore[arg-type]
    return str(found)


def checksum_of(row: Iterable[object]) -> str:
    found = WordHash()
    for value in row:
        found.count(SQLITE_TYPES[type(value)])
        if isinstance(value, int):
            found.count(value)
        elif isinstance(value, float):
            found.bytes(struct.pack("<d", value))
        elif value is not None:
            found.bytes(value if isinstance(value, bytes) else str(value).encode())
    return str(found)


class Maker:
    """Fills one store; NaN is stored as NULL, as in SQLite."""

    def __init__(self, directory: Path) -> None:
        directory.mkdir(parents=True, exist_ok=True)
        self.path = directory / "results.db"
        self.db = sqlite3.connect(self.path)
        self.db.executescript(HEADER + SCHEMA)
        self.insert("seal", content=BLANK_SEAL)

    def insert(self, table: str, **values: object) -> None:
        names = ", ".join(f'"{name}"' for name in values)
        marks = ", ".join("?" * len(values))
        self.db.execute(f"INSERT INTO {table} ({names}) VALUES ({marks})", list(values.values()))

    def grid(self, times: np.ndarray) -> str:
        data = np.asarray(times, "<f8").tobytes()
        name = content_hash(data)
        self.db.execute("INSERT OR IGNORE INTO grids VALUES (?, ?, ?)", (name, len(times), data))
        return name

    def solve(self, kind: str, solver: str, grid: str, samples: dict[str, np.ndarray],
              **columns: object) -> str:
        position = self.db.execute("SELECT count(*) FROM solves").fetchone()[0]
        key = f"key{position:04d}"
        row = {"tighter": 0, "status": "finished", "sampled": 1, "outcome": "success", "attempts": 1, "run": 1,
               "precision": "double", "determinants": "",
               "steps": 100, "rejected_steps": 1, "rhs_evaluations": 1000, "seconds": 0.01,
               "jacobian_evaluations": 5, "factorisations": 20, "newton_iterations": 200,
               "rtol": 1e-11, "atol": 1e-13, **columns}
        self.insert("solves", key=key, kind=kind, solver=solver, grid=grid, samples_hash=hash_of_samples(samples), **row)
        found = self.db.execute(SELECT_SOLVE.replace("?1", "?"), (key,)).fetchone()[:COVERED]
        self.db.execute("UPDATE solves SET checksum = ? WHERE key = ?", (checksum_of(found), key))
        self.insert("plan", position=position, key=key)
        for name, values in samples.items():
            self.insert("samples", key=key, name=name, **blob(values))
        return key

    def curve(self, subject: str, name: str, grid: str, values: np.ndarray, solver: str | None,
              law: str | None = None, epsilon: float | None = None) -> None:
        self.insert("curves", subject=subject, law=law, solver=solver, epsilon=epsilon, name=name,
                    grid=grid, **blob(values))

    def errors(self, rows: list[dict[str, object]]) -> None:
        for row in rows:
            self.insert("errors", **{name: row.get(name) for name in ERROR_COLUMNS})

    def table(self, name: str, columns: str, rows: Iterable[Iterable[object]]) -> None:
        add_table(self.db, name, columns, rows)

    def finish(self, name: str, result: dict | None, resolved: str, complete: bool = True) -> Path:
        self.insert("study", name=name, resolved=resolved, hash=content_hash(resolved.encode()), complete=int(complete),
                    result=json.dumps(result) if result else None)
        self.insert("runs", id=1, started="2026-01-01T00:00:00Z", ended="2026-01-01T00:00:01Z",
                    host="here", process=1, jobs=1, computed=1, reused=0, provenance="{}")
        self.db.commit()
        self.db.close()
        return self.path.parent


def add_table(db: sqlite3.Connection, name: str, columns: str, rows: Iterable[Iterable[object]]) -> None:
    """A table of the report with these comma-separated columns; NaN becomes NULL."""
    lines = [list(row) for row in rows]
    names = columns.split(",")
    types = [{str: "TEXT", float: "REAL"}.get(type(value), "INTEGER") for value in lines[0]]
    db.execute(f'DROP TABLE IF EXISTS "{name}"')
    declared = ", ".join(f'"{column}" {of}' for column, of in zip(names, types))
    db.execute(f'CREATE TABLE "{name}" ({declared})')
    db.executemany(f'INSERT INTO "{name}" VALUES ({", ".join("?" * len(names))})', lines)


def blob(values: np.ndarray) -> dict[str, object]:
    values = np.atleast_2d(values)
    return {"rows": values.shape[0], "columns": values.shape[1],
            "data": np.asarray(values, "<f8").tobytes(order="F")}


def from_table(result: dict, directory: Path) -> Path:
    """A store without motions from the object of result.json."""
    maker = Maker(directory)
    for row in result["errors"]:
        maker.errors([{**row, **row["work"], "study": result["name"], "system": result["system"]["name"]}])
    grid = maker.grid(np.array([0.0, 1.0]))
    for row in result["errors"]:
        if row["quantity"] == "q" and row["norm"] == "sup" and row["window"] == "all":
            maker.solve("compliant", row["compliant_solver"], grid, {}, law=row["law"],
                        epsilon=row["epsilon"], **{name: row["work"][name] for name in WORK})
    for rigid in result["rigid"]:
        maker.solve("rigid", rigid["solver"], grid, {}, **{
            name: rigid["work"][name] for name in WORK})
    return maker.finish(result["name"], result, result["provenance"]["resolved"])


# --- A knife edge: the closed form, and the leading terms of its expansion as the compliant motion

MASS, SLOPE, GRAVITY, OMEGA, SPEED, END, AFTER = 1.0, 0.3, 9.81, 1.3, 0.7, 2.0, 0.5
PULL = GRAVITY * math.sin(SLOPE)
EPSILONS = [1e-1, 3e-2, 1e-2, 3e-3, 1e-3]
OUTER = 3.0  # artificial outer term: epsilon^2 OUTER t in every component


DESCRIPTION = {  # the program's description of a knife edge
    "coordinates": [{"name": x, "unit": u, "start": 0.0} for x, u in (
        ("x", "m"), ("y", "m"), ("phi", "rad"))],
    "velocities": [{"name": x, "unit": u, "start": 0.0} for x, u in (
        ("x'", "m/s"), ("y'", "m/s"), ("phi'", "rad/s"))],
    "contacts": [{"name": "lateral sliding", "unit": "m/s"}]}


def rigid_motion(t: np.ndarray) -> dict[str, np.ndarray]:
    """docs/theory.md, section 8; G = (-sin phi, cos phi, 0)."""
    angle = OMEGA * t
    u = SPEED + PULL / OMEGA * np.sin(angle)
    x = SPEED / OMEGA * np.sin(angle) + PULL * np.sin(angle) ** 2 / (2.0 * OMEGA**2)
    y = (SPEED / OMEGA * (1.0 - np.cos(angle))
         + PULL / OMEGA * (t / 2.0 - np.sin(2.0 * angle) / (4.0 * OMEGA)))
    return {"q": np.array([x, y, angle]),
            "v": np.array([u * np.cos(angle), u * np.sin(angle), np.full_like(t, OMEGA)]),
            "lambda": -MASS * np.atleast_2d(PULL * np.sin(angle) + u * OMEGA)}


def leading_terms(t: np.ndarray, epsilon: float) -> dict[str, np.ndarray]:
    """docs/theory.md, section 4 with A = C = 1, D = 2: omega = e0 tau exp(-tau), at phi = 0."""
    tau, load = t / epsilon, rigid_motion(np.zeros(1))["lambda"][0, 0]
    decay = load * np.exp(-tau)
    normal = np.array([[0.0], [1.0], [0.0]])
    return {"q": epsilon**2 * normal * (load - (1.0 + tau) * decay),
            "v": epsilon * normal * tau * decay, "lambda": np.atleast_2d((tau - 1.0) * decay)}


def compliant_motion(t: np.ndarray, epsilon: float) -> dict[str, np.ndarray]:
    rigid, terms = rigid_motion(t), leading_terms(t, epsilon)
    return {name: rigid[name] + terms[name] + epsilon**2 * OUTER * t for name in rigid}


def grid_of(epsilon: float) -> np.ndarray:
    return np.union1d(np.linspace(0.0, END, 101), epsilon * np.linspace(0.0, 20.0, 121))


def error_rows(solver: str, law: str) -> list[dict[str, object]]:
    """model_error = K epsilon^p exactly; the smallest epsilon of v, all t, is reference limited."""
    orders = {("q", "all"): 2.0, ("v", "all"): 1.0, ("lambda", "all"): 0.0,
              ("q", "after"): 2.0, ("v", "after"): 2.0, ("lambda", "after"): 2.0}
    rows = []
    for (quantity, window), order in orders.items():
        for epsilon in EPSILONS:
            limited = quantity == "v" and window == "all" and epsilon == EPSILONS[-1]
            error = 0.5 * epsilon**order
            rows.append({
                "study": "tiny", "system": "knife_edge", "law": law, "rigid_solver": "radau_iia",
                "compliant_solver": solver, "epsilon": epsilon, "quantity": quantity, "norm": "sup",
                "window": window, "model_error": error, "solver_error": 1e-9,
                "reference_error": 0.2 * error if limited else 1e-10, "sampling_error": 1e-11, "order": order,
                "predicted_coefficient": 0.5 if law == "viscoelastic" else None,
                "verdict": "confirmed", "status": "reference_limited" if limited else "ok",
                **{name: 100 for name in WORK}})
    return rows


def result_of(rows: list[dict[str, object]]) -> dict:
    series = []
    for row in rows:
        if row["epsilon"] == EPSILONS[0]:
            predicted = row["order"] if row["law"] == "viscoelastic" else None
            series.append({
                **{name: row[name] for name in ("law", "rigid_solver", "compliant_solver",
                                                "quantity", "norm", "window", "order", "verdict")},
                "standard_error": 0.002, "coefficient": 0.5, "predicted_order": predicted,
                "points": 5, "settled": True, "reason": "made", "held": True})
    return {"name": "tiny", "kind": "rolling", "sweep": False, "question": "Is it?", "held": True,
            "claims": [{"name": f"order of {s['quantity']}", "group": "expectations", "held": True, "message": "made"}
                       for s in series],
            "system": {"name": "knife_edge", **DESCRIPTION}, "after": AFTER, "series": series, "errors": [],
            "failures": [], "notes": [], "against": "rigid",
            "laws": [{"name": law, "equations": "", "small_parameter": "", "expected": "", "source": ""}
                     for law in dict.fromkeys(row["law"] for row in rows)]}


def accounts(t: np.ndarray, epsilon: float) -> dict[str, np.ndarray]:
    """An energy balance with a defect of epsilon 1e-9 t."""
    spring, damper = epsilon**2 * (1.0 - np.exp(-t)), epsilon**2 * t
    return {"energy.mechanical": 1e-9 * epsilon * t - spring - damper, "energy.spring": spring,
            "energy.work": np.zeros_like(t), "energy.damper": damper}


def tiny(directory: Path, laws: tuple[str, ...] = ("viscoelastic",),
         solvers: tuple[str, ...] = ("radau_iia",), with_rest: bool = False) -> Path:
    """A complete store; with_rest splits every compliant v into a double and a remainder of 1e-20."""
    maker = Maker(directory)
    grids = {epsilon: grid_of(epsilon) for epsilon in EPSILONS}
    everything = np.unique(np.concatenate(list(grids.values())))
    union = maker.grid(everything)
    rigid = rigid_motion(everything)
    rigid["multiplier_tested"] = np.ones((1, 1))  # a flag among the samples, as in the program
    if with_rest:
        rigid["v.rest"] = np.zeros_like(rigid["v"])
    maker.solve("rigid", "radau_iia", union, rigid, steps=40)
    maker.curve("rigid", "sliding", union, 1e-14 * np.ones_like(everything), "radau_iia")
    maker.curve("rigid", "energy_error", union, 1e-15 * everything, "radau_iia")
    ids = {epsilon: maker.grid(times) for epsilon, times in grids.items()}
    rows = []
    for law in laws:
        for solver in solvers:
            rows += error_rows(solver, law)
            for k, (epsilon, times) in enumerate(grids.items()):
                motion = compliant_motion(times, epsilon)
                if with_rest:
                    motion["v.rest"] = np.full_like(motion["v"], 1e-20)
                for tighter in (0, 1):
                    samples = motion | (accounts(times, epsilon) if tighter else {})
                    maker.solve("compliant", solver, ids[epsilon], samples, law=law,
                                epsilon=epsilon, tighter=tighter, steps=100 + 10 * k)
        for epsilon, times in grids.items():
            terms = leading_terms(times, epsilon)
            maker.curve("compliant", "sliding", ids[epsilon], terms["v"][1], solvers[0], law,
                        epsilon)
            maker.curve("compliant", "energy_defect", ids[epsilon], epsilon * 1e-9 * times,
                        solvers[0], law, epsilon)
            for name, values in (terms if law == "viscoelastic" else {}).items():
                maker.curve("predicted", name, ids[epsilon], values, None, law, epsilon)
                maker.curve("predicted", f"composite.{name}", ids[epsilon],
                            values + epsilon**2 * OUTER * times, None, law, epsilon)
    maker.errors(rows)
    return maker.finish("tiny", result_of(rows),
                        "[study]\nname = \"tiny\"\n[time]\nend = 2.0\nlayer_width = 20.0\n")
