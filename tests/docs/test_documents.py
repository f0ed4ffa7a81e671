"""README and docs/: every page is linked, listings are compiled, named files exist."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGES = {page.relative_to(ROOT).as_posix(): page.read_text(encoding="utf-8")
         for page in [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]}


def unlinked(readme: str, questions: str) -> list[str]:
    """The pages that neither the README nor the page of questions links."""
    return [page for page in PAGES if page != "README.md" and f"]({page})" not in readme
            and f"]({page.removeprefix('docs/')})" not in questions]


def test_the_readme_or_the_questions_link_every_page() -> None:
    assert len(PAGES) >= 20
    assert unlinked(PAGES["README.md"], PAGES["docs/questions.md"]) == []
    assert "docs/questions.md" in unlinked("", PAGES["docs/questions.md"]), "negative control"


def test_the_readme_is_short_and_has_few_links() -> None:
    readme = PAGES["README.md"]
    assert len(readme.splitlines()) <= 110
    assert readme.count("](") <= 20


def listings(text: str) -> list[str]:
    return re.findall(r"^```cpp\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)


def test_every_listing_is_part_of_a_built_file() -> None:
    built = [path for folder in ("examples", "src", "tests")
             for suffix in ("cpp", "hpp") for path in (ROOT / folder).rglob(f"*.{suffix}")]
    sources = [path.read_text(encoding="utf-8") for path in built]
    shown = [(page, listing) for page, text in PAGES.items() for listing in listings(text)]
    assert len(shown) >= 4
    for page, listing in shown:
        assert any(listing in source for source in sources), f"{page}:\n{listing}"
    example = (ROOT / "examples/bowl_skate/bowl_skate.cpp").read_text(encoding="utf-8")
    assert example in listings(PAGES["docs/extending.md"]), "the whole example, not a part"
    for file in ("sdirk3.hpp", "own_method.cpp", "CMakeLists.txt"):
        method = (ROOT / "examples/own_method" / file).read_text(encoding="utf-8")
        assert f"\n{method}```\n" in PAGES["docs/extending.md"], file
    for file in ("unicycle/unicycle.toml", "slider_crank/slider_crank.toml"):  # run by tests/cli
        written = (ROOT / "examples" / file).read_text(encoding="utf-8")
        assert f"```toml\n{written}```\n" in PAGES["docs/extending.md"], file
    changed = listings(PAGES["docs/extending.md"])[0].replace("9", "8", 1)
    assert not any(changed in source for source in sources), "negative control"


def missing_files(text: str) -> list[str]:
    """Named files, such as `module/file.hpp`, that exist neither here nor in a module."""
    return [name for name in re.findall(r"`([\w./-]+/[\w.-]+\.(?:hpp|cpp|toml|py))`", text)
            if "NAME" not in name and not any((ROOT / place / name).is_file()
                                              for place in (".", "src", "src/rigidlimit"))]


def test_every_named_file_exists() -> None:
    assert sum("`" in text for text in PAGES.values()) > 8
    assert [(page, name) for page, text in PAGES.items() for name in missing_files(text)] == []
    assert missing_files("`core/problem.hpp`, `tests/attic.cpp`") == ["tests/attic.cpp"]


def unknown_tests(page: str, sources: str) -> list[str]:
    """The tests that SECURITY.md names in the last column of a table and that do not exist."""
    named = [name for line in page.splitlines() if line.startswith("| ") and line.count("|") in (3, 4)
             for name in re.findall(r"`([^`]+)`", line.split("|")[-2])]
    assert len(named) > 10
    return [name for name in named if not (
        (ROOT / name).is_file() if "/" in name else
        re.search(r"TEST\w*\(" + name.replace(".*", ", ").replace(".", ", "), sources))]


def test_every_promise_of_the_security_page_names_a_test() -> None:
    page = (ROOT / "SECURITY.md").read_text(encoding="utf-8")
    sources = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "tests").rglob("*_test.cpp"))
    assert unknown_tests(page, sources) == []
    broken = page.replace("`StrangersStore.*`", "`StrangersStore.DoesNotExist`")
    assert unknown_tests(broken, sources) == ["StrangersStore.DoesNotExist"], "negative control"
    limits = page.replace("`RoomForSteps.*`", "`RoomForSteps.DoesNotExist`")
    assert unknown_tests(limits, sources) == ["RoomForSteps.DoesNotExist"], "negative control: three columns"
