"""The page one can play with, in a browser: its numbers are those of the program, and it needs no network."""

import importlib.util
import json
import os
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from playwright.sync_api import Browser

from browser import Seen, chromium, opened
from programs import PROGRAM, ROOT

NORMS = {"q": ("q", "sup"), "v": ("v", "sup"), "lambda": ("lambda", "sup"), "mean": ("lambda", "l2")}  # of the page
# system, zeta, beta: weak, critical and strong damping, all systems.
CASES = [("knife_edge", 1.0, 1.0), ("chaplygin_sleigh", 0.3, 1.0), ("snakeboard", 1.0, 1.25),
         ("rolling_coin", 3.0, 1.0), ("rolling_disk", 0.3, 1.0), ("rolling_disk", 1.0, 1.5)]
Native = dict[tuple[float, str], tuple[float, float]]
EPSILONS = (1e-1, 1e-2, 1e-3, 1e-4)


def builder() -> ModuleType:
    spec = importlib.util.spec_from_file_location("play_build", ROOT / "play/build.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


BUILD = builder()


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("play") / "index.html"
    environment = os.environ | {"RIGIDLIMIT_PROGRAM": "/no/such/program"}  # the page needs none
    subprocess.run([ROOT / "scripts/play", "-o", path], check=True, env=environment)
    return path


def test_the_equations_of_the_page_are_those_that_the_program_exports() -> None:
    written = BUILD.models(PROGRAM)
    assert BUILD.MODELS.read_text(encoding="utf-8") == written, "write it again: scripts/play --models"
    assert written.count("return { N, t0, y0, rhs, jacobian };") == 2 * len(BUILD.SYSTEMS), "negative control"


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as running:
        yield running


@pytest.fixture(scope="module")
def seen(browser: Browser, page: Path) -> Iterator[Seen]:
    with opened(browser, page, 1440) as shown:
        yield shown


def solved(seen: Seen, **request: Any) -> dict[str, Any]:
    answer = seen.page.evaluate("request => window.rigidlimit.solve(request)", request)
    assert "errors" in answer, answer
    return dict(answer)


def native(folder: Path, system: str, zeta: float, beta: float, start: list[float]) -> Native:
    """The distances of the program and their error bars, by eps and name on the page."""
    half = len(start) // 2
    keys = [f"contact.damping_ratio={zeta}", f"contact.damping_exponent={beta}", f"initial.q={start[:half]}",
            f"initial.v={start[half:]}", "epsilon.count=4", 'solvers.rigid=["radau_iia_reduced"]',
            'solvers.compliant=["radau_iia"]', "expect=[]", "bound=[]"]
    study = ROOT / f"experiments/convergence/{system}.toml"
    command = [str(PROGRAM), "run", str(study), "--quiet", "--results", str(folder)]
    subprocess.run([*command, *(word for key in keys for word in ("--set", key))], check=True, capture_output=True)
    rows = json.loads((folder / system / "result.json").read_text(encoding="utf-8"))["errors"]
    names = {measure: name for name, measure in NORMS.items()}
    found = {}
    for row in rows:
        if (row["quantity"], row["norm"]) in names and row["window"] == "all":
            bar = sum(row[f"{part}_error"] for part in ("solver", "reference", "sampling"))
            found[round(row["epsilon"], 12), names[row["quantity"], row["norm"]]] = (row["model_error"], bar)
    return found


def distances(seen: Seen, expected: Native, **request: Any) -> list[float]:
    """The relative distances of the page's numbers from the program's, beyond the bars of the latter."""
    found = []
    for epsilon in EPSILONS:
        errors = solved(seen, epsilon=epsilon, **request)["errors"]
        for x in NORMS:
            value, bar = expected[epsilon, x]
            found.append(max(abs(errors[x] - value) - bar, 0.0) / value)
    return found


@pytest.mark.parametrize(("system", "zeta", "beta"), CASES)
def test_the_numbers_are_those_of_the_program(seen: Seen, tmp_path: Path, system: str, zeta: float,
                                              beta: float) -> None:
    start = solved(seen, system=system, epsilon=0.1)["start"]
    expected = native(tmp_path, system, zeta, beta, start)
    found = distances(seen, expected, system=system, zeta=zeta, beta=beta)
    assert max(found) < BUILD.TOLERANCE
    # Another damping ratio, by a thousandth.
    assert max(distances(seen, expected, system=system, zeta=1.001 * zeta, beta=beta)) > 5 * BUILD.TOLERANCE


def test_a_loose_tolerance_is_seen(seen: Seen, tmp_path: Path) -> None:
    case: dict[str, Any] = {"system": "knife_edge", "zeta": 1.0, "beta": 1.0}
    expected = native(tmp_path, *case.values(), solved(seen, epsilon=0.1, **case)["start"])[1e-4, "q"][0]
    usual, loose = (abs(solved(seen, epsilon=1e-4, **case, **more)["errors"]["q"] / expected - 1.0)
                    for more in ({}, {"rtol": 1e-8}))
    assert usual < BUILD.TOLERANCE < 1e-4 < loose


def complete(seen: Seen) -> dict[str, Any]:
    """Errors and orders of the plot, once all are solved."""
    end = time.monotonic() + 60.0
    while time.monotonic() < end:
        if shown := seen.page.evaluate("window.rigidlimit.shown()"):
            return dict(shown)
        seen.page.wait_for_timeout(20)
    raise AssertionError("the page did not finish")


def move(seen: Seen, slider: str, value: float) -> None:
    seen.page.evaluate("""([name, value]) => {
        const input = document.getElementById(name);
        input.value = value;
        input.dispatchEvent(new Event("input"));
    }""", [slider, value])


def network(seen: Seen) -> list[str]:
    """Requests but for the worker, which the page makes from its own text."""
    return [request for request in seen.requests if not request.startswith("blob:")]


@pytest.mark.parametrize(("width", "scheme"), [(1440, "light"), (390, "dark")])
def test_the_page_works_on_screens_and_phones(browser: Browser, page: Path, width: int, scheme: str) -> None:
    with opened(browser, page, width, scheme) as seen:
        orders = complete(seen)["orders"]
        assert [round(orders[x], 1) for x in NORMS] == [2.0, 1.0, 0.0, 0.5]
        for system in reversed(BUILD.SYSTEMS):
            seen.page.select_option("#system", system)
            seen.page.wait_for_selector(f"main[data-shown={system}]")
            assert seen.page.is_hidden("#failed")
        assert BUILD.SYSTEMS[0] == "knife_edge"  # solved fast
        move(seen, "beta", 1.5)
        orders = complete(seen)["orders"]
        assert [round(orders[x], 1) for x in ("q", "v", "lambda")] == [2.0, 1.5, 0.0]
        assert orders["mean"] == pytest.approx(0.75, abs=0.02) and seen.page.inner_text("#mean-expected") == "0.75"
        seen.page.check("input[value=overlaid]")
        seen.page.focus("#time")
        seen.page.keyboard.press("ArrowRight")
        assert seen.page.is_visible("#both") and seen.page.is_hidden("#left")
        assert seen.page.evaluate("document.documentElement.scrollWidth") <= width
        assert seen.messages == [] and seen.dialogs == [] and network(seen) == []


def test_a_contact_that_rings_for_too_long_is_refused(browser: Browser, page: Path) -> None:
    with opened(browser, page) as seen:
        seen.page.select_option("#system", "knife_edge")
        for slider, value in (("epsilon", -4.0), ("beta", 0.5), ("zeta", -1.0)):
            move(seen, slider, value)
        seen.page.wait_for_selector("#failed:visible")
        assert seen.page.inner_text("#q-error") == "–" and seen.page.query_selector("#layer path") is None
        move(seen, "epsilon", -2.0)
        seen.page.wait_for_selector("#failed", state="hidden")
        assert seen.page.query_selector("#layer path") is not None and seen.messages == []


def test_the_policy_forbids_the_network(browser: Browser, page: Path) -> None:
    with opened(browser, page) as seen:
        answer = seen.page.evaluate("fetch('https://example.org/').then(() => 'sent', () => 'refused')")
        assert answer == "refused" and "Content Security Policy" in " ".join(seen.messages)
        assert network(seen) == []


def test_the_sliders_begin_at_the_start_of_the_study(seen: Seen) -> None:
    for system in BUILD.SYSTEMS:
        text = BUILD.equations(PROGRAM, system, "--side", "rigid")
        start = seen.page.evaluate("system => window.rigidlimit.solve({ system, epsilon: 0.1 })", system)["start"]
        listed = text.split("y0 = [")[1].split("];")[0]
        expected = [float(line.split(",")[0]) for line in listed.strip().splitlines()]
        assert start == pytest.approx(expected, rel=1e-15, abs=1e-16)
