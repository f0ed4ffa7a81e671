"""A system of rolling bodies: the table `[system]` of a study file."""

from __future__ import annotations

import copy
import re
import tomllib
import warnings
from collections.abc import Mapping, Sequence
from os import PathLike
from pathlib import Path
from types import MappingProxyType
from typing import Any, NoReturn

from .errors import InputError
from .recording import call, place
from .scalar import is_number
from .system_table import (COORDINATE_KEYS, KEYS, VELOCITY_KEYS, Q, T, V, TableMaker, check_names, named_tables,
                           parameter_tables, written_table)
from .toml_text import toml_text

MOST_PARENTS = 16


class System:
    """A mechanical system with rolling contacts.

    Functions are called once, here, with recorded scalars: `lambda q, v, p: ...` with the coordinates `q.x`, the
    velocities `v.x` and the parameters `p.m`. A function may take fewer of these arguments, and `t`, the time [s],
    where the formula may depend on it. Every formula may also be a string of the file's formula language or a number.
    A System is immutable. It is pickled as text.

    Parameters
    ----------
    name : str
        Name of the system: letters, digits and '_'.
    coordinates : list of str or dict
        The nq coordinates. A dict has the keys of the file: name, unit, start, start_rate, sliding_start,
        sliding_start_rate, rate, min, max, above, below.
    parameters : dict, optional
        Values by name, or dicts with the keys default, unit, text, min, max, above, below.
    kinetic_coenergy : function, str or float
        K*(q, v) [J], quadratic in the velocities. Or give `mass_matrix` and `force`.
    mass_matrix : function or list
        M(q), shape (n, n), in place of K*.
    force : function or list
        F(q, v, t), shape (n,), of M v' = F - G^T Lambda.
    constraint : function or list
        Sliding velocities G v + b of rolling contacts [m/s], shape (m,), linear in the velocities; b(q, t) is the
        velocity of a surface that moves. A row may be a dict with the keys row, name and unit.
    contacts : list of dict
        Contacts that can slip, in place of `constraint`. Keys: name, normal, gap, normal_force, friction,
        restitution, gap_scale, sliding, sliding_scale.
    potential : function, str or float, optional
        P(q) [J]; 0 if it is not given.
    dissipation : function, str or float, optional
        R(v) [W], half the dissipated power of linear damping.
    applied_force : function or list, optional
        Q(q, v, t), shape (n,).
    velocities : list of str or dict, optional
        The n generalised velocities, if they are not the rates of the coordinates. The rates are then given by
        `rates` or by the key `rate` of the coordinates.
    rates : function or list, optional
        Rates of the coordinates, shape (nq,), linear in the velocities, of q, v and t. Only with `velocities`.
    exact_constraint : function or list, optional
        Rows E v + b = 0 that stay ideal on both sides, shape (ne,).
    quasi_velocities : function or list, optional
        S v, natural coordinates of rolling, shape (n - ne - m,).
    invariants : function or list, optional
        Functions of the coordinates and t that stay zero.
    kinks : function or list, optional
        Functions of the coordinates and t at whose zeros a gap or a sliding velocity is not smooth.
    conditions : list of str or dict, optional
        Comparisons of parameters that their values must satisfy, as text: "height < radius". A dict has the keys
        holds and text, the meaning for messages.
    let : dict, optional
        Formulas by name, for formulas given as strings.
    units : dict, optional
        Units by name, of coordinates, velocities and parameters. Their numbers (parameters, starts, ranges) are in
        these units and are converted to SI; formulas and results are in SI.
    start : dict or function, optional
        {"q": ..., "v": ...}, each a dict by name or a list; missing values are 0. Numbers are in the unit of
        the component. Values may be functions of p, whose formulas compute in SI.
    title, description, source : str, optional
        For lists and `rigidlimit describe`.

    Raises
    ------
    InputError
        A name, a function or its result is invalid. The message names the function and the system.

    Examples
    --------
    >>> import rigidlimit as rl
    >>> skate = rl.System(
    ...     "skate", coordinates=["x", "y", "phi"], parameters={"m": 1.0, "J": 0.2},
    ...     kinetic_coenergy=lambda q, v, p: p.m / 2 * (v.x**2 + v.y**2) + p.J / 2 * v.phi**2,
    ...     constraint=lambda q, v, p: [rl.cos(q.phi) * v.y - rl.sin(q.phi) * v.x])
    >>> skate.to_dict()["constraint"]
    ["cos(phi)*y' - sin(phi)*x'"]
    """

    __slots__ = ("_table", "__weakref__")
    _table: dict[str, Any]

    def __init__(self, name: str, coordinates: Sequence[str | Mapping[str, Any]],
                 parameters: Mapping[str, Any] | None = None, *, kinetic_coenergy: Any = None, mass_matrix: Any = None,
                 force: Any = None, constraint: Any = None, contacts: Any = None, potential: Any = None,
                 dissipation: Any = None, applied_force: Any = None,
                 velocities: Sequence[str | Mapping[str, Any]] | None = None, rates: Any = None,
                 exact_constraint: Any = None, quasi_velocities: Any = None, invariants: Any = None, kinks: Any = None,
                 conditions: Sequence[str | Mapping[str, str]] | None = None,
                 let: Mapping[str, str | float] | None = None, units: Mapping[str, str] | None = None,
                 start: Any = None, title: str | None = None, description: str | None = None,
                 source: str | None = None) -> None:
        if not isinstance(name, str):
            raise InputError(f"the name of a system is a {type(name).__name__}, but a string was expected")
        whole = f"system '{name}'"
        if not re.fullmatch(r"[A-Za-z][A-Za-z0-9_]{0,79}", name):
            raise InputError("the name must begin with a letter and contain only letters, digits and '_', at most 80 "
                             "characters", whole)
        q = named_tables(coordinates, place(name, "coordinates"), COORDINATE_KEYS)
        v = named_tables(velocities or [], place(name, "velocities"), VELOCITY_KEYS)
        if not q:
            raise InputError("give at least one coordinate", whole)
        p = parameter_tables(parameters, place(name, "parameters"))
        names = [one["name"] for one in (*q, *v)] + list(p)
        check_names(name, [*names, *(let or {})])
        for key in p:
            if key in KEYS or key == "file":
                raise InputError("is a key of [system] and cannot be a parameter", place(name, f"parameters.{key}"))
        if (kinetic_coenergy is None) == (mass_matrix is None) or (mass_matrix is None) != (force is None):
            raise InputError("give kinetic_coenergy, or mass_matrix and force", whole)
        if (constraint is None) == (contacts is None):
            raise InputError("give constraint or contacts", whole)
        if rates is not None and not v:
            raise InputError("rates need velocities", whole)
        maker = TableMaker(name, q, v, p)
        _add_units(maker, units)
        _add_start(maker, start)
        n = maker.velocity_count
        if rates is not None:
            for one, rate in zip(q, maker.formulas(rates, "rates", Q | V | T, len(q))):
                one["rate"] = rate
        table: dict[str, Any] = {"name": name, "coordinates": maker.components(q, "coordinates"), "parameters": p}
        for key, text in (("title", title), ("description", description), ("source", source)):
            if text is not None:
                table[key] = str(text)
        if v:
            table["velocities"] = maker.components(v, "velocities")
        if kinetic_coenergy is not None and potential is None:
            potential = 0
        for key, value, may_depend in (("kinetic_coenergy", kinetic_coenergy, Q | V), ("potential", potential, Q),
                                       ("dissipation", dissipation, V)):
            if value is not None:
                table[key] = maker.formula(value, key, may_depend)
        if mass_matrix is not None:
            table["mass_matrix"] = maker.matrix(mass_matrix, "mass_matrix", Q, n)
        for key, value, may_depend, count in (
                ("applied_force", applied_force, Q | V | T, n), ("force", force, Q | V | T, n),
                ("exact_constraint", exact_constraint, Q | V | T, None), ("invariants", invariants, Q | T, None),
                ("kinks", kinks, Q | T, None)):
            if value is not None:
                table[key] = maker.formulas(value, key, may_depend, count)
        if constraint is not None:
            table["constraint"] = maker.rows(constraint, "constraint")
        if contacts is not None:
            table["contacts"] = maker.contacts(contacts)
        if quasi_velocities is not None:
            table["quasi_velocities"] = maker.formulas(quasi_velocities, "quasi_velocities", Q | V | T,
                                                       n - _row_count(table))
        if conditions:
            table["conditions"] = maker.conditions(conditions)
        if let:
            table["let"] = dict(let)
        if not p:
            del table["parameters"]
        self._keep(written_table(table, names + list(let or {})))

    @classmethod
    def builtin(cls, name: str, **parameters: float) -> System:
        """A system of the catalogue.

        Parameters
        ----------
        name : str
            As in `rigidlimit list systems`.
        **parameters : float
            Values of parameters, as in `rigidlimit describe NAME`.

        Raises
        ------
        InputError
            Unknown name, with similar ones.
        """
        from . import _core

        _core.check_builtin(name)
        return cls._of_table({"name": name, **parameters})

    @classmethod
    def load(cls, path: str | PathLike[str]) -> System:
        """A system from a file: a study or benchmark with a table `[system]`, or the keys of the table alone.

        Parameters
        ----------
        path : path
            A TOML file. A key `file` is resolved, relative to it. A name without ending is that of a file in the
            current folder, or of a system that comes with the package: "suslov".
        """
        path = Path(path)
        if not path.suffix:
            from . import _core  # a path needs no compiled part

            file, notice = _core.named_system(str(path))
            if notice:
                warnings.warn(notice, stacklevel=2)
            path = Path(file)
        return cls._of_table(_table_in_file(path))

    @classmethod
    def from_dict(cls, table: Mapping[str, Any]) -> System:
        """A system from the keys of the table `[system]`.

        Parameters
        ----------
        table : dict
            Keys as in the file. Formulas are strings, numbers, or functions as in `System`.
        """
        table = table["system"] if "system" in table and "name" not in table else table
        if not isinstance(table, Mapping):
            raise InputError(f"a system is a dict with the keys of [system], not a {type(table).__name__}")
        if not _has_function(table):
            return cls._of_table(table)
        try:
            return cls(**table)
        except TypeError as problem:
            raise InputError(str(problem).replace("System.__init__()", "a system with functions"),
                             f"system '{table.get('name', '')}'") from None

    @classmethod
    def _of_table(cls, table: Mapping[str, Any]) -> System:
        if not isinstance(table.get("name"), str) and not isinstance(table.get("file"), str):
            raise InputError("a system needs the key 'name', a string")
        system = cls.__new__(cls)
        system._keep({str(key): copy.deepcopy(value) for key, value in table.items()})
        return system

    @classmethod
    def _from_toml(cls, text: str) -> System:
        return cls._of_table(tomllib.loads(text)["system"])

    def _keep(self, table: dict[str, Any]) -> None:
        toml_text({"system": table})  # refuses values without a text
        object.__setattr__(self, "_table", table)

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError("a System is immutable; create a new one")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError("a System is immutable; create a new one")

    @property
    def name(self) -> str:
        """Name of the system; of its file, without a name."""
        return str(self._table.get("name") or Path(self._table["file"]).stem)

    @property
    def is_builtin(self) -> bool:
        """Whether the system belongs to the catalogue of the program."""
        return "coordinates" not in self._table and "file" not in self._table

    @property
    def coordinates(self) -> tuple[str, ...]:
        """Names of the coordinates, shape (nq,); empty for a system of the catalogue."""
        return tuple(one["name"] for one in self._table.get("coordinates", ()))

    @property
    def velocities(self) -> tuple[str, ...]:
        """Names of the velocities, shape (n,): x', y', ... if the system does not name them."""
        return (tuple(one["name"] for one in self._table.get("velocities", ())) or
                tuple(f"{name}'" for name in self.coordinates))

    @property
    def parameters(self) -> Mapping[str, float]:
        """Values of the parameters by name. For a system of the catalogue, of those that are set."""
        values = {name: table["default"] for name, table in self._table.get("parameters", {}).items()}
        values |= {key: value for key, value in self._table.items() if key not in KEYS and is_number(value)}
        return MappingProxyType(values)

    def to_dict(self) -> dict[str, Any]:
        """The table `[system]`, with formulas as text."""
        return copy.deepcopy(self._table)

    def to_toml(self) -> str:
        """The text of the table `[system]`, for a study file."""
        return toml_text({"system": self._table})

    def __reduce__(self) -> tuple[Any, ...]:
        return System._from_toml, (self.to_toml(),)

    def __copy__(self) -> System:
        return self

    def __deepcopy__(self, memo: object) -> System:
        return self

    def __eq__(self, other: object) -> bool:
        return self.to_toml() == other.to_toml() if isinstance(other, System) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.to_toml())

    def __repr__(self) -> str:
        what = ", ".join(self.coordinates) or "of the catalogue"
        return f"<System {self.name}: {what}>"

    def _repr_html_(self) -> str:
        from .system_html import system_html

        return system_html(self._table)


def _add_units(maker: TableMaker, units: Mapping[str, str] | None) -> None:
    """Adds units by name to coordinates, velocities and parameters."""
    tables = {one["name"]: one for one in (*maker.coordinates, *maker.velocities)} | maker.parameters
    for name, unit in (units or {}).items():
        if name not in tables:
            raise InputError(f"no coordinate, velocity or parameter has the name '{name}'", place(maker.name, "units"))
        if "unit" in tables[name]:
            raise InputError(f"the unit of '{name}' is given twice", place(maker.name, "units"))
        tables[name]["unit"] = str(unit)


def _add_start(maker: TableMaker, start: Any) -> None:
    """Adds start values; 0 where none is given."""
    where = place(maker.name, "start", start)
    if callable(start):
        start = call(start, "start", maker.arguments)
    if not isinstance(start, Mapping | None) or set(start or ()) - {"q", "v"}:
        raise InputError('must be a dict with the keys "q" and "v", each a dict by name or a list', where)
    rate_key = "start" if maker.velocities else "start_rate"
    for part, tables, key in (("q", maker.coordinates, "start"),
                              ("v", maker.velocities or maker.coordinates, rate_key)):
        given = (start or {}).get(part, {})
        names = [one["name"] for one in tables]
        if not isinstance(given, Mapping):
            values = list(given) if hasattr(given, "__iter__") and not isinstance(given, str) else []
            if len(values) != len(names):
                raise InputError(f"'{part}' must be a dict by name, or a list of {len(names)} values", where)
            given = dict(zip(names, values))
        given = {str(name).removesuffix("'"): value for name, value in given.items()}
        for name in given:
            if name not in names:
                raise InputError(f"'{part}' has the unknown name '{name}'; known: {', '.join(names)}", where)
        for one in tables:
            if key in one and one["name"] in given:
                raise InputError(f"the start of '{one['name']}' is given twice", where)
            one.setdefault(key, given.get(one["name"], 0.0))


def _row_count(table: dict[str, Any]) -> int:
    """Rows of constraints, of exact rows and of bilateral contacts."""
    rows = len(table.get("constraint", ())) + len(table.get("exact_constraint", ()))
    for contact in table.get("contacts", ()):
        rows += len(contact["sliding"]) + (contact["normal"] == "bilateral")
    return rows


def _has_function(value: object) -> bool:
    if isinstance(value, Mapping):
        return any(map(_has_function, value.values()))
    if isinstance(value, (list, tuple)):
        return any(map(_has_function, value))
    return callable(value)


def _table_in_file(path: Path, parents: int = 0) -> dict[str, Any]:
    """The table in the file. Parameter values beside the key `file` are added to the table of that file."""
    if parents > MOST_PARENTS:
        raise InputError(f"the key `file` leads through more than {MOST_PARENTS} files", str(path))
    try:
        with path.open("rb") as file:
            document = tomllib.load(file)
    except OSError as problem:
        raise InputError(f"cannot be read: {problem.strerror}", str(path)) from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as problem:
        raise InputError(f"is not TOML: {problem}", str(path)) from None
    table = document.get("system", document)
    if not isinstance(table, dict) or not ("name" in table or "file" in table):
        raise InputError("contains no system: neither a table [system] nor the key 'name'", str(path))
    if isinstance(table.get("file"), str):
        values = {key: value for key, value in table.items() if key != "file"}
        return _table_in_file(path.parent / table["file"], parents + 1) | values
    return table
