"""The documentation site builds without a warning, is complete, has no dead link, and loads nothing from other hosts."""

import html
import importlib.util
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from urllib.parse import unquote, urlsplit

import pytest
from markdown_it import MarkdownIt
from markdown_it.token import Token

from rigidlimit import analysis
import rigidlimit
from browser import chromium, opened
from programs import PROGRAM, needed_program

ROOT = Path(__file__).resolve().parents[2]


def module_of_site(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, ROOT / f"docs/site/{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


pages = module_of_site("pages")
links = module_of_site("links")
lists = module_of_site("lists")


@dataclass
class Site:
    """A built site, and the text of its HTML pages by their paths in it."""

    folder: Path
    texts: dict[str, str]


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Site:
    needed_program("doxygen", package="doxygen")
    folder = tmp_path_factory.mktemp("site")
    done = subprocess.run([sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(folder)], cwd=ROOT,
                          env=os.environ | {"RIGIDLIMIT_PROGRAM": str(PROGRAM), "NO_MKDOCS_2_WARNING": "1"},
                          capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return Site(folder, {path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8")
                         for path in sorted(folder.rglob("*.html"))})


# A tag that loads something, with the attributes that name it. A link that a reader follows loads nothing.
LOADING = {"script": ("src",), "img": ("src", "srcset"), "iframe": ("src", "srcdoc"), "source": ("src", "srcset"),
           "link": ("href",), "object": ("data",), "embed": ("src",), "video": ("src", "poster"), "audio": ("src",),
           "use": ("href", "xlink:href"), "image": ("href", "xlink:href"), "input": ("src",)}
ELSEWHERE = re.compile(r"(?:[a-z][a-z+.-]*:)?//", re.IGNORECASE)


def loaded_by_html(text: str) -> Iterator[str]:
    """The addresses that a page loads."""
    for tag, attributes in re.findall(r"<(\w+)\s([^>]*)>", text):
        values = dict(re.findall(r'([\w:-]+)="([^"]*)"', attributes))
        yield from (values[name] for name in LOADING.get(tag.lower(), ()) if name in values)
        yield from loaded_by_css(values.get("style", ""))
    for style in re.findall(r"<style[^>]*>(.*?)</style>", text, re.DOTALL):
        yield from loaded_by_css(style)


def loaded_by_css(text: str) -> Iterator[str]:
    for quoted, bare, imported in re.findall(
            r"""url\(\s*(?:(?:"|'|&quot;)([^"')]*)|([^"')][^)]*))|@import\s+["']([^"']+)""", text):
        yield quoted or bare or imported


def test_no_page_loads_anything_from_another_host(site: Site) -> None:
    loaded = [(name, address) for name, text in site.texts.items() for address in loaded_by_html(text)]
    styles = [(path.name, address) for path in site.folder.rglob("*.css")
              for address in loaded_by_css(path.read_text(encoding="utf-8"))]
    assert len(loaded) > 1000 and len(styles) > 5
    assert [found for found in loaded + styles if ELSEWHERE.match(found[1])] == []
    # The theme's script loads these from other hosts if a page has such a block.
    assert [name for name, text in site.texts.items() if 'class="mermaid' in text or "giscus" in text] == []


def test_what_another_host_would_serve_is_found() -> None:
    page = ('<link rel="stylesheet" href="https://a/x.css"><script async src="//b/x.js"></script><a href="https://c/">'
            '<p style="background: url(http://d/x.png)">x</p><style>@import "https://e/x.css"; '
            "p { background: url('https://f/x.png') }</style><img alt=\"x\" src=\"x.png\">")
    assert {address for address in loaded_by_html(page) if ELSEWHERE.match(address)} == {
        "https://a/x.css", "//b/x.js", "http://d/x.png", "https://e/x.css", "https://f/x.png"}
    assert "x.png" in loaded_by_html(page)


def dead_links(site: Site) -> list[tuple[str, str]]:
    anchors = {name: {html.unescape(x) for x in re.findall(r'\b(?:id|name)="([^"]+)"', text)}
               for name, text in site.texts.items()}
    dead = []
    for name, text in site.texts.items():
        for target in set(re.findall(r'<a\s[^>]*?\bhref="([^"]*)"', text)):
            address = urlsplit(html.unescape(target))
            # Doxygen links to the section of private classes, which it leaves out.
            if address.scheme or address.netloc or (name.startswith("cpp/") and target == "#nested-classes"):
                continue
            path = os.path.normpath(os.path.join(os.path.dirname(name), unquote(address.path))) if address.path else name
            fragment = unquote(address.fragment)
            if not (site.folder / path).is_file() or (fragment and path in anchors and
                                                      fragment not in anchors[path] | {"__top"}):
                dead.append((name, target))
    return dead


def test_every_link_leads_to_a_page_and_its_anchor(site: Site) -> None:
    assert sum(text.count("<a ") for text in site.texts.values()) > 10_000
    assert dead_links(site) == []
    wrong = Site(site.folder, {**site.texts, "index.html": '<a class="x" href="nothing.html"><a href="theory.html#1">'})
    assert {found for found in dead_links(wrong) if found[0] == "index.html"} == {
        ("index.html", "nothing.html"), ("index.html", "theory.html#1")}


def test_every_page_of_the_repository_is_in_the_navigation(site: Site) -> None:
    listed = set(re.findall(r'<a href="([^"#]+)" class="md-nav__link', site.texts["index.html"]))
    in_docs = [path.relative_to(ROOT / "docs").with_suffix("").as_posix() for path in (ROOT / "docs").rglob("*.md")
               if "site" not in path.parts]
    others = [place.removesuffix(".md") for place in pages.added_pages().values() if place != "index.md"]
    assert len(in_docs) > 25 and len(others) > 10
    assert [page for page in [*in_docs, *others, "commands"] if f"{page}.html" not in listed] == []


def article(text: str) -> str:
    return text[text.index("<article"):text.index("</article>")]


def counts(tokens_or_html: list[Token] | str, tags: tuple[str, ...] = ("tr", "td", "li", "h2", "h3", "pre")) -> dict[str, int]:
    """How often a page has each element."""
    if isinstance(tokens_or_html, str):
        return {tag: len(re.findall(rf"<{tag}[ >]", tokens_or_html)) for tag in tags}
    found = [token.tag if token.type != "fence" and token.type != "code_block" else "pre" for token in tokens_or_html
             if token.nesting >= 0]
    return {tag: found.count(tag) for tag in tags}


def test_pages_have_the_elements_that_the_repository_shows(site: Site) -> None:
    """Lists, tables and code blocks as CommonMark reads them: the site's Markdown has other rules."""
    parser = MarkdownIt("commonmark").enable("table")
    differing, compared = {}, 0
    for path in [*ROOT.glob("docs/*.md"), *ROOT.glob("docs/tutorials/*.md"),
                 *(ROOT / file for file in pages.ELSEWHERE if file.endswith(".md"))]:
        place = pages.place_in_site(path.relative_to(ROOT).as_posix())
        shown = counts(article(site.texts[place.removesuffix(".md") + ".html"]))
        meant = counts(parser.parse(path.read_text(encoding="utf-8")))
        compared += meant["td"]
        if shown != meant:
            differing[path.name] = {tag: (shown[tag], meant[tag]) for tag in shown if shown[tag] != meant[tag]}
    assert differing == {} and compared > 3000


def test_the_references_are_complete(site: Site) -> None:
    python = site.texts["api/python.html"] + site.texts["api/judge.html"]
    assert [name for name in rigidlimit.__all__ if f'id="rigidlimit.{name}"' not in python] == []
    figures = site.texts["api/analysis.html"]
    assert [name for name in analysis.__all__ if f'id="rigidlimit.analysis.{name}"' not in figures] == []
    said = subprocess.run([PROGRAM, "--help"], capture_output=True, text=True, check=True).stdout
    commands = re.findall(r"^  ([\w-]+) {2,}\w", said.split("Subcommands:")[1].split("Examples:")[0], re.MULTILINE)
    assert len(commands) > 12
    assert [name for name in commands if f'id="rigidlimit-{name}"' not in site.texts["commands.html"]] == []
    for header in ("own__method", "gtest", "problem", "command__line", "entry__of"):
        assert f"cpp/{header}_8hpp.html" in site.texts, header


def test_the_search_knows_every_page_but_sources(site: Site) -> None:
    index = json.loads((site.folder / "search/search_index.json").read_text(encoding="utf-8"))
    places = {entry["location"].split("#")[0] for entry in index["docs"]}
    expected = {name for name in site.texts if not name.startswith(("source/", "cpp/", "play/"))}  # play/: no text page
    assert places == expected
    assert any(name.startswith("source/experiments/") for name in site.texts)


def test_links_are_rewritten_from_the_place_in_the_repository() -> None:
    text = "[a](docs/theory.md#symbols) [b](experiments/README.md) [c](experiments) ![d](docs/pictures/report.png)\n" \
        "[e](LICENSE) [f](https://example.org/x.md) [g](src/rigidlimit/main.cpp)\n```\n[h](docs/theory.md)\n```\n"
    assert links.rewritten("README.md", "overview.md", text) == (
        "[a](theory.md#symbols) [b](experiments.md) c ![d](pictures/report.png)\n[e](licence.md) "
        "[f](https://example.org/x.md) [g](source/src/rigidlimit/main.cpp.md)\n```\n[h](docs/theory.md)\n```\n")
    assert links.rewritten("README.md", "overview.md", "[![a](docs/pictures/cost.png)](docs/cost.md) [`b`](src)") == (
        "[![a](pictures/cost.png)](cost.md) `b`")
    assert links.rewritten("docs/tutorials/table.md", "tutorials/table.md", "[a](ci.md) [b](../theory.md)") == (
        "[a](ci.md) [b](../theory.md)")
    assert list(links.linked_sources("README.md", text)) == ["src/rigidlimit/main.cpp"]


def test_items_of_lists_keep_their_content() -> None:
    text = "* a\n  2. b\n\n      code\n\n  c\n* d\n\nend\n\n    code\n1. e\n   f\n2. g\n\n```\n  h\n```\n"
    assert lists.indented(text) == ("* a\n    2\\. b\n\n        code\n\n    c\n\n* d\n\nend\n\n    code\n"
                                    "1. e\n    f\n2. g\n\n```\n  h\n```\n")


def test_the_start_page_works_in_a_browser(site: Site) -> None:
    with chromium() as browser:
        for width, scheme in ((1440, "light"), (390, "dark")):
            with opened(browser, site.folder / "index.html", width, scheme) as seen:
                seen.page.wait_for_selector(".ways a")
                assert seen.page.evaluate("document.documentElement.scrollWidth") <= width
                assert seen.page.locator("article img").first.evaluate("image => image.naturalWidth") > 500
                if width == 390:
                    seen.page.click("label[for=__search]")
                seen.page.set_default_timeout(60_000)
                seen.page.locator(".md-search__input").press_sequentially("stiffness")  # the search listens to keys
                seen.page.wait_for_selector(".md-search-result__item a")
                assert seen.messages + seen.dialogs == []
                own = site.folder.as_uri()
                assert seen.requests and [url for url in seen.requests if not url.startswith(own)] == []
