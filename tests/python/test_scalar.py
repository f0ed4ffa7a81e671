"""Recorded scalars: NumPy's arrays and ufuncs, immutability, and refusals."""

import copy
import math
import pickle
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rigidlimit as rl
from rigidlimit.formulas import write_formulas
from rigidlimit.recording import Arguments

ARGUMENTS = Arguments.of("skate", ["x", "y", "phi"], [], ["m"])
Q, V, P, T = ARGUMENTS.q, ARGUMENTS.v, ARGUMENTS.p, ARGUMENTS.t
OTHER = Arguments.of("sledge", ["x"], [], [])


def texts(values: Any) -> list[str]:
    return write_formulas([0 * Q.x + value for value in np.asarray(values, object).ravel()]).texts


def test_names_are_attributes_items_and_a_sequence() -> None:
    assert Q.x is Q["x"] is Q[0] is list(Q)[0] and len(Q) == 3 and dir(Q) == ["phi", "x", "y"]
    assert texts(np.asarray(V)) == ["x'", "y'", "phi'"] and np.asarray(Q).shape == (3,)
    assert repr(Q) == "<x, y, phi>" and repr(Q.x + 1) == "<scalar x + 1>" and repr(Q.x < 1) == "<condition x < 1>"
    long = rl.sin(Q.x + 12345.678)
    assert repr(long / (1 + long)) == "<scalar part1/(1 + part1) with part1 = sin(x + 12345.678)>"


def test_arrays_of_scalars_behave_as_arrays() -> None:
    q = np.asarray(Q)
    assert texts(np.sin(q)) == ["sin(x)", "sin(y)", "sin(phi)"]
    assert texts(2.0 * q + np.ones(3)) == ["2*x + 1", "2*y + 1", "2*phi + 1"]
    assert texts(q @ np.diag([1.0, 2.0, 0.0]) @ q) == ["x^2 + y*2*y"]
    assert texts(np.eye(3) @ q) == ["x", "y", "phi"]
    assert texts(np.zeros(2) + Q.x) == ["x", "x"] and texts(Q.x - np.array([1, 2])) == ["x - 1", "x - 2"]
    assert texts(np.array([Q.x, 1.0]) * Q.y) == ["x*y", "y"]
    assert texts(np.arctan2(Q.y, np.array([1.0, 2.0]))) == ["atan2(y, 1)", "atan2(y, 2)"]
    assert texts(rl.cos(np.array([Q.x, 0.0]))) == ["cos(x)", "1"]
    assert texts(np.dot(q, q)) == ["x^2 + y^2 + phi^2"] and texts(np.sum(q)) == ["x + y + phi"]
    assert texts(np.cross(q, [0.0, 0.0, 1.0])) == ["y", "-x", "0"]
    positive = np.array([x > 0 for x in q])
    assert texts(rl.where(positive, q, 0)) == ["if(x > 0, x, 0)", "if(y > 0, y, 0)", "if(phi > 0, phi, 0)"]
    assert texts(rl.where(np.logical_and(Q.x > 0, Q.y > 0), 1, 0)) == ["if(x > 0 and y > 0, 1, 0)"]
    store = np.zeros(2, object)
    store[0] = Q.x
    store += Q.y
    assert texts(store) == ["x + y", "y"]


def test_functions_of_numbers_are_numbers() -> None:
    assert rl.sin(0.5) == math.sin(0.5) and isinstance(rl.sqrt(2), float) and rl.pi == math.pi
    assert rl.where(2 > 1, 3.0, 4.0) == 3.0 and rl.where(np.bool_(False), 3.0, 4.0) == 4.0
    assert rl.maximum(1, 2) == 2 and rl.minimum(1, 2) == 1 and rl.atan2(1.0, 2.0) == math.atan2(1.0, 2.0)
    assert list(rl.exp(np.array([0.0, 1.0]))) == [1.0, math.e]
    assert rl.sin.__name__ == "sin" and "Sine" in (rl.sin.__doc__ or "")


def test_scalars_are_immutable_and_not_pickled() -> None:
    x = Q.x
    assert copy.copy(x) is x and copy.deepcopy([x])[0] is x and len({x, x, Q.y}) == 2
    for change in (lambda: setattr(x, "_op", "add"), lambda: setattr(x, "colour", 1), lambda: delattr(x, "_op")):
        with pytest.raises(AttributeError, match="immutable"):
            change()
    with pytest.raises(rl.InputError, match="pickle its System"):
        pickle.dumps(x)


REFUSALS: dict[str, tuple[Callable[[], Any], str]] = {
    "if": (lambda: 1 if Q.x > 0 else 2, "rl.where"),
    "if of a scalar": (lambda: 1 if Q.x else 2, "rl.where"),
    "and": (lambda: Q.x > 0 and Q.y > 0, "a & b"),
    "chained": (lambda: 0 < Q.x < 1, r"chained comparison 0 < x < 1"),
    "max": (lambda: max(0, Q.x), "rl.maximum"),
    "array if": (lambda: bool(np.any(np.asarray(Q) > 0)), "rl.where"),
    "float": (lambda: float(Q.x), "converted to a number"),
    "int": (lambda: int(Q.x), "converted to a number"),
    "round": (lambda: round(Q.x), "converted to a number"),
    "complex": (lambda: complex(Q.x), "converted to a number"),
    "math.sin": (lambda: math.sin(Q.x), "rl.sin or np.sin instead of math.sin"),
    "math.floor": (lambda: math.floor(Q.x), "converted to a number"),
    "math.atan2": (lambda: math.atan2(Q.x, 1), "math.sin"),
    "array of floats": (lambda: np.array([Q.x, 1.0], float), "dtype=object"),
    "into an array": (lambda: np.zeros(2).__setitem__(0, Q.x), "dtype=object"),
    "in place": (lambda: np.zeros(2).__iadd__(Q.x), "dtype=object"),
    "nan": (lambda: Q.x + math.nan, "nan, but constants must be finite"),
    "infinite": (lambda: np.float64("inf") * Q.x, "inf, but constants must be finite"),
    "large integer": (lambda: Q.x * 10**400, "exceeds the range"),
    "division by zero": (lambda: Q.x / 0, "divided by the constant 0"),
    "unknown ufunc": (lambda: np.floor(Q.x), "np.floor .* no counterpart"),
    "modulo ufunc": (lambda: np.mod(Q.x, 2), "np.remainder .* no counterpart"),
    "reduction": (lambda: np.add.reduce(Q.x), "np.add.reduce"),
    "outer": (lambda: np.multiply.outer(Q.x, Q.y), "np.multiply.outer"),
    "where of a ufunc": (lambda: np.add(Q.x, 1, where=np.array(True)), "no argument where"),
    "modulo": (lambda: Q.x % 2, "no operator %"),
    "floor division": (lambda: 2 // Q.x, "no operator //"),
    "divmod": (lambda: divmod(Q.x, 2), "no operator divmod"),
    "exponent": (lambda: 2**Q.x, r"rl.exp\(y\*rl.log\(x\)\)"),
    "exponent of power": (lambda: np.power(Q.x, Q.y), r"rl.exp\(y\*rl.log\(x\)\)"),
    "other system": (lambda: Q.x + OTHER.q.x, "different systems.*'skate' and 'sledge'"),
    "other system, times zero": (lambda: Q.x * (0 * OTHER.q.x + OTHER.q.x), "different systems"),
    "other condition": (lambda: rl.where(Q.x > 0, OTHER.q.x, 1), "different systems"),
    "where of a scalar": (lambda: rl.where(Q.x, 1, 0), "needs a comparison"),
    "where of text": (lambda: rl.where(Q.x > 0, "a", 0), "needs recorded scalars or numbers, but got a str"),
    "atan2 of text": (lambda: rl.atan2(Q.x, "a"), "but got a str"),
    "table": (lambda: rl.interpolate(Q.x, [0, 1], [1]), "2 points and 1 values"),
    "decreasing table": (lambda: rl.interpolate(Q.x, [1, 0], [1, 1]), "must increase"),
    "moving table": (lambda: rl.interpolate(Q.x, [0, Q.y], [1, 1]), "only on numbers and parameters"),
    "ufunc of a condition": (lambda: np.sin(Q.x) + np.add(Q.x > 0, Q.x), "not defined"),
    "assignment": (lambda: setattr(Q, "x", 1), "cannot be assigned"),
    "unknown name": (lambda: Q.phy, "unknown coordinate 'phy'; did you mean 'phi'"),
    "unknown parameter": (lambda: P["zeta"], "unknown parameter 'zeta'; known: m"),
}


@pytest.mark.parametrize("case", REFUSALS)
def test_refusal_says_what_to_write(case: str) -> None:
    refused, words = REFUSALS[case]
    with pytest.raises(rl.InputError, match=words) as error:
        refused()
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("wrong", [lambda: Q.x + "a", lambda: Q.x * None, lambda: (Q.x > 0) & 1, lambda: Q.x < "a",
                                   lambda: Q.x + 1j, lambda: (Q.x > 0) * 2])
def test_other_types_are_type_errors(wrong: Callable[[], Any]) -> None:
    with pytest.raises(TypeError):
        wrong()


def test_has_attribute_answers() -> None:
    assert not hasattr(Q, "missing") and not hasattr(Q, "__array_interface__") and hasattr(V, "phi")


def test_package_works_without_numpy(tmp_path: Path) -> None:
    program = (
        "import sys; sys.modules['numpy'] = None; import rigidlimit as rl; "
        "s = rl.System('a', ['x'], {'m': 1}, kinetic_coenergy=lambda v, p: p.m*v.x**2 + rl.sin(0.0)*v.x, "
        "constraint=lambda v: [v.x]); print(s.to_toml())")
    root = Path(__file__).resolve().parents[2] / "python"
    done = subprocess.run([sys.executable, "-c", program], env={"PYTHONPATH": str(root)}, capture_output=True,
                          text=True, check=False)
    assert "kinetic_coenergy = \"m*x'^2\"" in done.stdout, done.stderr
