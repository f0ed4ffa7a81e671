"""Systems from Python functions: the same tables as hand-written files, and refusals that name the function."""

import pickle
import tomllib
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rigidlimit as rl
import shipped
from program import ROOT, run, table_of, written

STUDY = """
[study]
name = "comparison"
[contact]
stiffness = 1.0
damping_ratio = 1.0
[epsilon]
from = 1e-2
to = 1e-4
count = 3
[time]
end = 0.7
[solvers]
compliant = ["radau_iia"]
"""
SYSTEMS = ROOT / "experiments"
HAND_WRITTEN = {
    "skate": shipped.SKATE,
    "roller_racer": f'[system]\nfile = "{SYSTEMS}/systems/roller_racer.toml"\n',
    "suslov": f'[system]\nfile = "{SYSTEMS}/systems/suslov.toml"\n',
    "two_wheeled_cart": f'[system]\nfile = "{SYSTEMS}/systems/two_wheeled_cart.toml"\n',
    "switched_blade": rl.System.load(SYSTEMS / "convergence/switched_drive.toml").to_toml(),
}


def test_an_unknown_name_of_the_catalogue_is_refused_at_once_with_a_similar_one() -> None:
    with pytest.raises(rl.InputError, match="did you mean 'rolling_disk'"):
        rl.System.builtin("rollingdisk")
    assert rl.System.builtin("rolling_disk").name == "rolling_disk"


@pytest.mark.parametrize("name", HAND_WRITTEN)
def test_functions_give_the_table_of_the_hand_written_file(name: str, tmp_path: Path) -> None:
    made = getattr(shipped, name)().to_toml()
    if name == "skate":
        made += "[initial]\nq = [0.0, 0.0, 0.0]\nv = [0.7, 0.0, 1.3]\n"
    by_hand = table_of(written(tmp_path / "by_hand.toml", STUDY + HAND_WRITTEN[name]), tmp_path / "a")
    by_functions = table_of(written(tmp_path / "functions.toml", STUDY + made), tmp_path / "b")
    assert by_hand.count(b"\n") > 8 and by_functions == by_hand


def test_solves_of_a_hand_written_file_are_found_in_its_store(tmp_path: Path) -> None:
    initial = shipped.SKATE[shipped.SKATE.index("[initial]"):]
    again = written(tmp_path / "b.toml", STUDY + shipped.skate().to_toml() + initial)
    question = ("run", again, "--results", tmp_path / "results", "--dry-run")
    assert "nothing to do" not in run(*question)
    table_of(written(tmp_path / "a.toml", STUDY + shipped.SKATE), tmp_path / "results")
    assert "nothing to do" in run(*question)


def skate(**changes: Any) -> rl.System:
    keys: dict[str, Any] = {
        "coordinates": ["x", "y", "phi"], "parameters": {"m": 1.0, "J": 0.2},
        "kinetic_coenergy": lambda q, v, p: p.m / 2 * (v.x**2 + v.y**2) + p.J / 2 * v.phi**2,
        "constraint": lambda q, v, p: [rl.cos(q.phi) * v.y - rl.sin(q.phi) * v.x]}
    return rl.System("skate", **{key: value for key, value in (keys | changes).items() if value is not ...})


def test_functions_are_called_once_and_may_take_fewer_arguments() -> None:
    calls = []

    def potential(p: Any, q: Any) -> Any:
        calls.append(1)
        return p.m * q.x

    def force(coordinates: Any, velocities: Any, parameters: Any, time: Any) -> Any:
        return np.array([parameters.m * time, 0, 0])

    system = skate(potential=potential, applied_force=force, dissipation=lambda *all: all[1].x**2,
                   quasi_velocities=lambda q, v, factor=2.0: [factor * v.x, v.phi])
    table = system.to_dict()
    system.to_toml()
    assert calls == [1] and table["potential"] == "m*x" and table["applied_force"] == ["m*t", 0.0, 0.0]
    assert table["dissipation"] == "x'^2" and table["quasi_velocities"] == ["2*x'", "phi'"]


def test_text_numbers_and_functions_may_be_mixed() -> None:
    table = skate(potential="weight", let={"weight": "m*9.81*x"}, applied_force=["m", 0, lambda t: rl.sin(t)],
                  constraint=[{"row": "x'", "name": "along"}, lambda v: v.y]).to_dict()
    assert table["applied_force"] == ["m", 0.0, "sin(t)"] and table["let"] == {"weight": "m*9.81*x"}
    assert table["constraint"] == [{"row": "x'", "name": "along"}, {"row": "y'"}]


def test_shared_parts_of_all_formulas_become_lets(tmp_path: Path) -> None:
    stored = {}

    def rows(q: Any, v: Any, p: Any) -> list[Any]:
        along = rl.cos(q.phi + 0.25 * p.m) * v.x
        return [along + v.y, along + v.phi, along**2 / along]

    system = skate(constraint=rows)
    stored = system.to_dict()
    assert stored["let"] == {"part1": "cos(phi + 0.25*m)*x'"}
    assert stored["constraint"] == ["part1 + y'", "part1 + phi'", "part1^2/part1"]


def test_contacts_are_written_with_their_keys(tmp_path: Path) -> None:
    system = rl.System(
        "wheel_and_wall", ["x", "y", "phi"], {"mass": 2.0, "radius": 0.3, "mu": 0.4, "slope": 0.1},
        mass_matrix=lambda p: np.diag(np.array([p.mass, p.mass, p.mass * p.radius**2 / 2])),
        force=lambda q, v, p: [p.mass * 9.81 * rl.sin(p.slope), -p.mass * 9.81, 0], kinks=lambda q: [q.x - 0.5],
        contacts=[{"name": "ground", "normal": "unilateral", "gap": lambda q, p: q.y - p.radius,
                   "friction": lambda p: p.mu, "restitution": 0.5,
                   "sliding": lambda q, v, p: [v.x - p.radius * v.phi]},
                  {"name": "wall", "normal": "given", "normal_force": lambda t, p: p.mass * t, "friction": 0.1,
                   "sliding": lambda v: [{"row": v.y, "name": "up", "unit": "m/s"}]}])
    table = system.to_dict()
    assert table["contacts"][0] == {"name": "ground", "normal": "unilateral", "gap": "y - radius", "friction": "mu",
                                    "restitution": 0.5, "sliding": ["x' - radius*phi'"]}
    assert table["contacts"][1]["normal_force"] == "mass*t"
    assert "mu" in run("describe", written(tmp_path / "wheel.toml", system.to_toml()))


def test_conditions_and_sliding_starts_are_written_with_their_keys(tmp_path: Path) -> None:
    def block(**changes: Any) -> rl.System:
        return rl.System(
            "block", [{"name": "x", "sliding_start_rate": lambda p: 2 * p.step}], {"mass": 2.0, "step": 0.1},
            kinetic_coenergy=lambda q, v, p: p.mass / 2 * v.x**2,
            contacts=[{"normal": "given", "normal_force": 1, "friction": 0.3, "sliding": lambda v: [v.x]}],
            **{"conditions": ["step < mass", {"holds": "step > 0", "text": "upwards"}], **changes})
    table = block().to_dict()
    assert table["conditions"] == [{"holds": "step < mass"}, {"holds": "step > 0", "text": "upwards"}]
    assert table["coordinates"][0]["sliding_start_rate"] == "2*step"
    assert "needs step > 0: upwards" in run("describe", written(tmp_path / "block.toml", block().to_toml()))
    for conditions, words in ((["step", 3], "condition 2 is a int"), ([{"text": "no"}], "'holds' is missing"),
                              ([{"holds": 1}], "'holds' of condition 1 is a int")):
        with pytest.raises(rl.InputError, match=words):
            block(conditions=conditions)


def test_a_function_may_return_the_contacts() -> None:
    table = skate(constraint=..., contacts=lambda q, v, p: [
        {"normal": "bilateral", "gap": q.y, "sliding": [v.x], "friction": 0.3}]).to_dict()
    assert table["contacts"] == [{"normal": "bilateral", "gap": "y", "sliding": ["x'"], "friction": 0.3}]


def test_a_system_is_immutable_and_pickled_as_text() -> None:
    system = skate()
    copy = pickle.loads(pickle.dumps(system))
    assert copy == system and hash(copy) == hash(system) and copy.to_toml() == system.to_toml() and system != 1
    with pytest.raises(AttributeError, match="immutable"):
        system.title = "other"  # type: ignore[attr-defined]
    system.to_dict()["coordinates"].clear()
    with pytest.raises(TypeError):
        system.parameters["m"] = 2.0  # type: ignore[index]
    assert system == copy and dict(system.parameters) == {"m": 1.0, "J": 0.2}
    assert system.coordinates == ("x", "y", "phi") and system.velocities == ("x'", "y'", "phi'")
    assert repr(system) == "<System skate: x, y, phi>"


def test_a_system_reaches_another_process() -> None:
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as executor:
        assert executor.submit(rl.System.to_toml, skate()).result() == skate().to_toml()


def test_systems_of_the_catalogue_files_and_dicts(tmp_path: Path) -> None:
    knife = rl.System.builtin("knife_edge", mass=2.0)
    assert knife.to_toml() == '[system]\nname = "knife_edge"\nmass = 2.0\n' and knife.is_builtin
    assert dict(knife.parameters) == {"mass": 2.0} and knife.coordinates == () and "catalogue" in knife._repr_html_()
    path = written(tmp_path / "study.toml", f'[system]\nfile = "{SYSTEMS}/systems/roller_racer.toml"\nmass = 4.0\n')
    racer = rl.System.load(path)
    assert racer.name == "roller_racer" and racer.parameters["mass"] == 4.0 and not racer.is_builtin
    assert tomllib.loads(racer.to_toml())["system"]["mass"] == 4.0
    alone = rl.System.load(SYSTEMS / "systems/suslov.toml")
    assert alone.velocities == ("w1", "w2", "w3")
    assert rl.System.from_dict(alone.to_dict()) == alone == rl.System.from_dict({"system": alone.to_dict()})
    functions = {"name": "skate", "coordinates": ["x", "y", "phi"], "parameters": {"m": 1.0, "J": 0.2},
                 "kinetic_coenergy": lambda q, v, p: p.m / 2 * (v.x**2 + v.y**2) + p.J / 2 * v.phi**2,
                 "constraint": lambda q, v, p: [rl.cos(q.phi) * v.y - rl.sin(q.phi) * v.x]}
    assert rl.System.from_dict(functions) == skate()
    run("describe", written(tmp_path / "again.toml", racer.to_toml()))


@pytest.mark.parametrize("name", HAND_WRITTEN)
def test_html_contains_equations_in_mathml(name: str) -> None:
    html = getattr(shipped, name)()._repr_html_()
    ElementTree.fromstring(html.replace("&#x2061;", "").replace("&#x2062;", ""))
    assert html.count("<math") > 5 and "<mtext>cos" not in html and ("ϕ" in html or "φ" in html) == (
        name in ("skate", "two_wheeled_cart"))


def test_html_shows_other_texts_as_they_are() -> None:
    assert "<mtext>x &lt; </mtext>" in skate(potential="x < ")._repr_html_()


def boom(q: Any, v: Any, p: Any) -> Any:
    raise KeyError("spring")


KEPT: list[Any] = []


def keep(q: Any, v: Any, p: Any) -> Any:
    KEPT.append(q.x)
    return q.x


REFUSALS: dict[str, tuple[Callable[[], Any], str]] = {
    "raises": (lambda: skate(potential=boom), r"potential \(boom at test_system.py:\d+\): .*raised KeyError: 'spring'"),
    "no return": (lambda: skate(potential=lambda q: None), r"potential \(<lambda> at .*None.*add `return`"),
    "no scalar": (lambda: skate(potential=lambda q: "x"), "returned a str, but a recorded scalar or a number"),
    "array": (lambda: skate(potential=lambda q: np.asarray(q)), r"an array of shape \(3,\)"),
    "list": (lambda: skate(potential=lambda q: [q.x]), "returned a list"),
    "condition": (lambda: skate(potential=lambda q: q.x > 0), "returned a condition"),
    "nan": (lambda: skate(potential=lambda q: float("nan")), "nan, but constants must be finite"),
    "row not a list": (lambda: skate(constraint=lambda v: v.x), "constraint .*list of rows was expected"),
    "row of an array": (lambda: skate(constraint=lambda v: np.eye(3)), r"row 1 returned an array of shape \(3,\)"),
    "number of rows": (lambda: skate(applied_force=lambda t: [t, 0]), "applied_force .*2 rows, but 3 were expected"),
    "number of quasi-velocities": (lambda: skate(quasi_velocities=lambda v: [v.x]),
                                   "quasi_velocities .*1 rows, but 2 were expected"),
    "mass matrix": (lambda: skate(kinetic_coenergy=..., mass_matrix=lambda p: [[p.m, 0], [0, p.J]],
                                  force=lambda: [0, 0, 0]), "mass_matrix .*2 rows, but 3 were expected"),
    "row of the mass matrix": (lambda: skate(kinetic_coenergy=..., mass_matrix=[["m"], [0, 1, 0], [0, 0, 1]],
                                             force=[0, 0, 0]), "row 1: returned 1 entries"),
    "velocity": (lambda: skate(potential=lambda q, v: v.x), "potential .*depends on velocities, but may depend only on "
                                                             "coordinates, parameters"),
    "time": (lambda: skate(potential=lambda t: t), "depends on time"),
    "coordinate": (lambda: skate(dissipation=lambda q, v: q.x * v.x**2), "depends on coordinates"),
    "if": (lambda: skate(potential=lambda q: q.x if q.x > 0 else 0), "potential .*rl.where"),
    "math": (lambda: skate(potential=lambda q: __import__("math").sin(q.x)), "potential .*rl.sin"),
    "name": (lambda: skate(potential=lambda q: q.z), "potential .*unknown coordinate 'z'"),
    "arguments": (lambda: skate(potential=lambda a, b, c, d, e: 0), "must take the arguments q, v, p"),
    "keyword argument": (lambda: skate(potential=lambda q, *, k: 0), "must take the arguments q, v, p"),
    "scalar of another system": (lambda: (skate(potential=keep), skate(potential=lambda q: KEPT[0])),
                                 "another system, 'skate'"),
    "mixed systems": (lambda: (skate(potential=keep), skate(potential=lambda q: KEPT[0] + q.x)), "different systems"),
    "reserved name": (lambda: skate(coordinates=["x", "y", "phi", "sin"]), "'sin' is a reserved word"),
    "time as a name": (lambda: skate(parameters={"t": 1.0}), "'t' is a reserved word"),
    "two names": (lambda: skate(coordinates=["x", "y", "phi", "m"]), "'m' is defined twice"),
    "no name": (lambda: skate(coordinates=["x", "y", "2phi"]), "'2phi' is not a name"),
    "key": (lambda: skate(parameters={"force": 1.0}), "is a key of"),
    "parameter": (lambda: skate(parameters={"m": "1"}), "parameters.m: is a str"),
    "infinite parameter": (lambda: skate(parameters={"m": float("inf")}), "parameters.m: the default is inf"),
    "key of a parameter": (lambda: skate(parameters={"m": {"default": 1.0, "unti": "kg"}}), "unknown key 'unti'"),
    "key of a coordinate": (lambda: skate(coordinates=[{"name": "x", "strat": 0}]), "unknown key 'strat'"),
    "no coordinates": (lambda: skate(coordinates=[]), "at least one coordinate"),
    "name of the system": (lambda: rl.System("skate 2", ["x"], constraint=["x'"], kinetic_coenergy="x'^2"),
                           "system 'skate 2': the name must begin"),
    "coordinates": (lambda: skate(coordinates="xyz"), "list of names"),
    "no energy": (lambda: skate(kinetic_coenergy=...), "give kinetic_coenergy, or mass_matrix and force"),
    "no force": (lambda: skate(kinetic_coenergy=..., mass_matrix=[[1]]), "give kinetic_coenergy, or"),
    "no constraint": (lambda: skate(constraint=...), "give constraint or contacts"),
    "rates": (lambda: skate(rates=lambda v: list(v)), "rates need velocities"),
    "unit": (lambda: skate(units={"z": "m"}), "units: no coordinate.*'z'"),
    "start": (lambda: skate(start={"q": {"z": 1}}), "start: 'q' has the unknown name 'z'"),
    "size of the start": (lambda: skate(start={"q": [1.0]}), "a list of 3 values"),
    "key of the start": (lambda: skate(start={"x": 1.0}), 'keys "q" and "v"'),
    "start of coordinates": (lambda: skate(start=lambda q: {"q": {"x": q.y}}), "depends on coordinates"),
    "contact": (lambda: skate(constraint=..., contacts=[{"normal": "given"}]), "contacts.0.*'sliding' is missing"),
    "rows of a contact": (lambda: skate(constraint=..., contacts=[
        {"normal": "given", "normal_force": 1, "sliding": lambda v: [v.x, v.y, v.phi]}]), "sliding.*3 rows"),
    "friction": (lambda: skate(constraint=..., contacts=[
        {"normal": "given", "normal_force": 1, "friction": lambda q: q.x, "sliding": ["x'"]}]),
        "contacts.0..friction .*depends on coordinates"),
    "no such file": (lambda: rl.System.load("missing.toml"), "missing.toml: cannot be read: No such file"),
    "dict without a name": (lambda: rl.System.from_dict({"coordinates": []}), "needs the key 'name'"),
    "unknown key": (lambda: rl.System.from_dict({"name": "a", "potental": lambda q: 0}), "potental"),
    "value of a dict": (lambda: rl.System.from_dict({"name": "a", "mass": {1, 2}}), "system.mass: a value of type set"),
}


@pytest.mark.parametrize("case", REFUSALS)
def test_refusal_names_system_and_function(case: str) -> None:
    refused, words = REFUSALS[case]
    with pytest.raises(rl.InputError, match=words) as error:
        refused()
    assert "skate" in str(error.value) or case in ("no such file", "dict without a name", "unknown key",
                                                   "value of a dict")
    assert "\n" not in str(error.value) and error.value.where or case == "dict without a name"
    again = pickle.loads(pickle.dumps(error.value))
    assert str(again) == str(error.value) and again.where == error.value.where


def test_the_exception_of_a_function_is_the_cause() -> None:
    with pytest.raises(rl.InputError) as error:
        skate(potential=boom)
    assert isinstance(error.value.__cause__, KeyError)


def test_an_interrupt_passes() -> None:
    def interrupted(q: Any) -> Any:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        skate(potential=interrupted)


def test_rows_on_a_surface_that_moves_contain_the_time(tmp_path: Path) -> None:
    """A wheel on a belt by functions is the wheel of the file; it keeps the belt's speed and has a clock."""
    wheel = rl.System("belt_wheel", ["x", "phi"], parameters={"U": 0.3}, mass_matrix=[[1, 0], [0, 0.02]],
                      force=[1, 0], constraint=lambda v, p, t: [v.x - 0.2 * v.phi - p.U * rl.sin(4 * t)])
    by_hand = """[system]
name = "belt_wheel"
coordinates = [{name = "x", start = 0, start_rate = 0}, {name = "phi", start = 0, start_rate = 0}]
mass_matrix = [[1, 0], [0, 0.02]]
force = [1, 0]
constraint = ["x' - 0.2*phi' - U*sin(4*t)"]
parameters.U.default = 0.3
"""
    tables = [table_of(written(tmp_path / f"{name}.toml", STUDY + text), tmp_path / name)
              for name, text in (("a", by_hand), ("b", wheel.to_toml()))]
    assert tables[0].count(b"\n") > 8 and tables[0] == tables[1]
