"""TOML text, read back by the standard library."""

import math
import tomllib
from typing import Any

import numpy as np
import pytest

from rigidlimit import InputError
from rigidlimit.toml_text import toml_text


@pytest.mark.parametrize("document", [
    {"a": 1, "b": True, "c": -1.5e-300, "d": "a \"b\" \\ \n\t\x01\x7f é", "e": [], "f": {}},
    {"a": {"b": {"c": {"d": {"e": 1}}}}, "x": 1}, {"a": [{"b": 1}, {"c": [{"d": {"e": 2.5}}]}], "z": [1, "a", [True]]},
    {"study": {"name": "a"}, "expect": [{"quantity": "q", "where": {"contact.damping": 1}}], "with space": 1, "": 2},
    {"long": ["formula " * 10] * 5, "nested": {"rows": [{"a": 1}], "one": {"b": 0.1}}},
    {"inf": math.inf, "minus": -math.inf, "large": 2**63 - 1, "small": -2**63, "denormal": 5e-324, "zero": -0.0}])
def test_documents_are_read_back(document: dict[str, Any]) -> None:
    assert repr(tomllib.loads(toml_text(document))) == repr({**document}) or tomllib.loads(
        toml_text(document)) == document


def test_arrays_and_numbers_of_numpy_become_lists() -> None:
    document = {"a": np.array([1.5, 2]), "b": np.eye(2, dtype=int), "c": np.float64(0.1), "d": np.int8(3),
                "e": np.bool_(True), "f": np.array(0.3), "g": (1, 2), "h": range(3), "i": np.array(["a", "b"])}
    assert tomllib.loads(toml_text(document)) == {
        "a": [1.5, 2.0], "b": [[1, 0], [0, 1]], "c": 0.1, "d": 3, "e": True, "f": 0.3, "g": [1, 2], "h": [0, 1, 2],
        "i": ["a", "b"]}


def test_nan_is_written() -> None:
    assert math.isnan(tomllib.loads(toml_text({"a": math.nan}))["a"])


CIRCLE: list[Any] = []
CIRCLE.append(CIRCLE)


@pytest.mark.parametrize("value, words", [
    (None, "table.key: a value of type NoneType"), (2**63, "more than 64 bits"), (1j, "type complex"),
    ({1: 2}, "keys must be strings"), (CIRCLE, "nests more than 60 deep"), ("\ud800", "not valid Unicode"),
    (np.array([1j]), "type complex"), (len, "type builtin_function")])
def test_other_values_are_refused(value: Any, words: str) -> None:
    with pytest.raises(InputError, match=words):
        toml_text({"table": {"key": value}})
