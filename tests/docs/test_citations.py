"""Every citation in the repository exists: files, their sections, papers, links.

Lines of a comment and pieces of a string are joined before the search.
"""

import functools
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("analysis", "benchmarks", "cmake", "docs", "examples", "experiments", "scripts", "src",
           "tests")
TEXTS = {".cpp", ".hpp", ".h", ".toml", ".py", ".md", ".cmake", ".txt", ".sh", ".in", ""}
MONTHS = {"January", "February", "March", "April", "May", "June", "July", "August", "September",
          "October", "November", "December"}


@functools.cache
def texts_of_repository() -> dict[str, str]:
    """Every text file except this one, which holds bad citations. No git is needed."""
    paths = [path for path in ROOT.iterdir() if path.suffix in TEXTS]
    for folder in FOLDERS:
        paths += (ROOT / folder).rglob("*")
    texts = {}
    for path in sorted(paths):
        name = path.relative_to(ROOT).as_posix()
        hidden = any(part.startswith(".") or part.endswith(("cache__", ".egg-info"))
                     for part in path.relative_to(ROOT).parts)
        if path.suffix in TEXTS and path.is_file() and not hidden and path != Path(__file__):
            try:
                texts[name] = path.read_text(encoding="utf-8")
            except UnicodeDecodeError:  # what the fuzzer found
                continue
    return texts


def joined(text: str) -> str:
    """Comment lines and adjacent pieces of a string as one line."""
    text = re.sub(r"\n[ \t]*(///?<?|#|\*)?[ \t]*", " ", text)
    return re.sub(r'" +"', "", text)


def headings(text: str) -> list[str]:
    fenced = re.sub(r"```.*?```", "", text, flags=re.DOTALL)
    return re.findall(r"^#+ +(.*)$", fenced, re.MULTILINE)


def sections(document: str) -> set[str]:
    """The numbers of the headings "7. …" and "10.3 …" of a document of this repository."""
    found = (re.match(r"(\d+(?:\.\d+)?)\.? ", heading) for heading in
             headings((ROOT / document).read_text(encoding="utf-8")))
    return {match[1] for match in found if match}


def cited_sections(text: str) -> Iterator[tuple[str, str]]:
    """(docs/…md, N) of every "docs/….md, section N", "sections N, M.1 and K"."""
    number = r"\d+(?:\.\d+)?"
    pattern = rf"(docs/[\w./-]+\.md)\W{{0,2}},? (?:sections? )?((?:{number}(?:, | and | to )?)+)"
    for document, numbers in re.findall(pattern, joined(text)):
        for cited in re.findall(number, numbers):
            yield document, cited


def complaints(name: str, text: str) -> list[str]:
    """The citations in `text` that do not exist in this repository."""
    one_line = joined(text)
    found = []
    for document in re.findall(r"\bdocs/[\w./-]+\.\w+", one_line):
        if not (ROOT / document).is_file():
            found.append(f"{name}: {document} does not exist")
    for document, number in cited_sections(text):
        if (ROOT / document).is_file() and number not in sections(document):
            found.append(f"{name}: {document} has no section {number}")
    # Names of documents without docs/. Pages of docs/ link each other by name; broken_links()
    # checks links.
    plain = r"(?<![\w/.-])(theory|design|architecture|sources|extending)\.md"
    unlinked = re.sub(r"\[[^\]]*\]\([^)]*\)", "", one_line)
    found += [f"{name}: {match}.md lies nowhere" for match in re.findall(plain, unlinked)]
    numbered = r"\bseeds? 0\d*|(?<!\$)\bseeds/"
    found += [f"{name}: {match}" for match in re.findall(numbered, one_line)]
    return found


def test_every_cited_document_has_its_section() -> None:
    texts = texts_of_repository()
    citing = [name for name, text in texts.items() if "docs/theory.md" in text]
    assert len(citing) > 150, "the test read the repository, not an empty folder"
    assert [line for name, text in texts.items() for line in complaints(name, text)] == []


def test_a_missing_citation_is_reported() -> None:
    assert complaints("x", "// docs/theory.md, sections 1, 7 and 11, docs/theory.md, 10") == []
    assert complaints("x", "see docs/theory.md,\n/// section 90") == [
        "x: docs/theory.md has no section 90"]
    assert complaints("x", "docs/theory.md, sections 10.3 and 10.99") == [
        "x: docs/theory.md has no section 10.99"]
    assert complaints("x", '"(docs/theory.md, "\n    "sections 3 and 99)"') == [
        "x: docs/theory.md has no section 99"]
    assert complaints("x", "docs/attic.md") == ["x: docs/attic.md does not exist"]
    assert complaints("x", "theory.md, section 7") == ["x: theory.md lies nowhere"]
    assert complaints("x", "(design.md, section 4)") != []
    assert complaints("x", "the wheel of seed 004") == ["x: seed 004"]


def entries(text: str) -> list[str]:
    """The entries of docs/sources.md: a bullet, or a section of its own."""
    return re.split(r"\n(?=\* |#)", text)


def cited_papers(text: str) -> Iterator[tuple[frozenset[str], str]]:
    """(names, year) of every "Author 1999", "Author and Other (1999)", "Author et al. 1999"."""
    name = r"[A-ZŚŠČ][A-Za-zÀ-žö’'-]+"
    pattern = rf"({name}(?:,? (?:&|and) {name}| et al\.)?),? \(?((?:18|19|20)\d\d)\b(?!-)"
    for names, year in re.findall(pattern, joined(text)):
        words = frozenset(re.findall(name, names))
        if not words & MONTHS:
            yield words, year


def unlisted(name: str, text: str, listed: list[str]) -> list[str]:
    return [f"{name}: {' '.join(sorted(words))} {year}" for words, year in cited_papers(text)
            if not any(year in entry and any(word.lower() in entry.lower() for word in words)
                       for entry in listed)]


def test_every_cited_paper_is_listed() -> None:
    listed = entries((ROOT / "docs/sources.md").read_text(encoding="utf-8"))
    texts = {name: text for name, text in texts_of_repository().items()
             if name.startswith(("src/", "experiments/", "docs/", "README"))
             and name != "docs/sources.md"}
    assert sum(len(list(cited_papers(text))) for text in texts.values()) > 100
    assert [line for name, text in texts.items() for line in unlisted(name, text, listed)] == []


def test_an_unlisted_paper_is_reported() -> None:
    listed = ["* **Kozlov 1983**: V. V. Kozlov", "* **Kane 1982**: T. R. Kane and D. A. Levinson"]
    assert unlisted("x", "Kozlov (1983); Kane and Levinson 1982; since April 2000", listed) == []
    assert unlisted("x", "Kozlov (1984)", listed) == ["x: Kozlov 1984"]
    assert unlisted("x", "Nobody et al. 1983", listed) == ["x: Nobody 1983"]


def anchor(heading: str) -> str:
    """As GitHub makes it: lower case, no punctuation, blanks as hyphens."""
    plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).lower()
    return re.sub(r"[^\w\- ]", "", plain).replace(" ", "-")


def broken_links(name: str, text: str) -> list[str]:
    found = []
    fenced = re.sub(r"```.*?```", "", text, flags=re.DOTALL)
    for target in re.findall(r"\]\(([^)\s]+)\)", fenced):
        if re.match(r"[a-z]+:", target):
            continue
        path, _, fragment = target.partition("#")
        file = (ROOT / name).parent / path if path else ROOT / name
        if not file.exists():
            found.append(f"{name}: {target}")
        elif fragment and fragment not in {anchor(h) for h in
                                           headings(file.read_text(encoding="utf-8"))}:
            found.append(f"{name}: {target}")
    return found


def test_every_link_between_pages_leads_somewhere() -> None:
    pages = {name: text for name, text in texts_of_repository().items() if name.endswith(".md")}
    assert {"README.md", "docs/theory.md", "docs/architecture.md", "docs/sources.md"} <= set(pages)
    assert [line for name, text in pages.items() for line in broken_links(name, text)] == []
    assert broken_links("README.md", "[a](docs/attic.md) [b](docs/theory.md#nothing)") == [
        "README.md: docs/attic.md", "README.md: docs/theory.md#nothing"]
    assert broken_links("README.md", "[b](docs/theory.md#4-the-layer)") == []
