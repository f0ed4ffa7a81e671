"""Events of MkDocs: pages from outside docs/, generated pages, links between the pages."""

import json
import re
import shutil
from pathlib import Path
from typing import Literal

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.plugins import event_priority
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

from command_line import commands_page
from doxygen import CPP, run_doxygen, written_files
from links import linked_sources, place_of_source, rewritten
from lists import indented
from notebook import markdown_of
from pages import NOTEBOOK, ROOT, added_pages, file_of_page
from play import play_page
from sources import source_page


PACKAGE = ROOT / "build/site_package/rigidlimit"  # the package as installed, for mkdocstrings (mkdocs.yml)


def link_package() -> None:
    """rigidlimit.analysis is a folder beside python/ in the repository."""
    shutil.rmtree(PACKAGE.parent, ignore_errors=True)
    PACKAGE.mkdir(parents=True)
    for place in (*(ROOT / "python/rigidlimit").glob("*.py"), ROOT / "analysis"):
        (PACKAGE / place.name).symlink_to(place)


def on_startup(*, command: Literal["build", "gh-deploy", "serve"], dirty: bool) -> None:
    """Runs Doxygen once, also if the pages are then served and built many times."""
    link_package()
    try:
        run_doxygen()
    except RuntimeError as error:
        raise PluginError(str(error)) from error


def on_config(config: MkDocsConfig, /) -> MkDocsConfig:
    """Leaves out 404.html: its links would need the address of the site."""
    config.theme.static_templates.discard("404.html")
    return config


def _text(file: str) -> str:
    text = (ROOT / file).read_text(encoding="utf-8")
    return f"# Licence\n\n```text\n{text}```\n" if file == "LICENSE" else text


def on_files(files: Files, /, *, config: MkDocsConfig) -> Files:
    """Adds the pages that are not in docs/, the text of linked files, the page to play with, and the C++ reference."""
    texts = {file: _text(file) for file in added_pages() if file != NOTEBOOK}
    generated = {place: texts[file] for file, place in added_pages().items() if file != NOTEBOOK}
    notebook_place = added_pages()[NOTEBOOK]
    generated |= {notebook_place: markdown_of(ROOT / NOTEBOOK), "commands.md": commands_page()}
    texts |= {f"docs/{file.src_uri}": file.content_string for file in files.documentation_pages()}
    sources = {source for file, text in texts.items() for source in linked_sources(file, text)}
    generated |= {place_of_source(file): source_page(file, (ROOT / file).read_text(encoding="utf-8"))
                  for file in sorted(sources)}
    for place, content in generated.items():
        files.append(File.generated(config, place, content=content))
    files.append(File.generated(config, "play/index.html", content=play_page()))
    for path in written_files():
        files.append(File.generated(config, path.relative_to(CPP).as_posix(), abs_src_path=str(path)))
    return files


def on_page_markdown(markdown: str, /, *, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Rewrites the links and the lists of a page that is a file of the repository."""
    file = file_of_page(page.file.src_uri)
    return markdown if file is None else indented(rewritten(file, page.file.src_uri, markdown))


NUMBER = re.compile(r"(?<![A-Za-z_])[-+−]?\d[\d.,]*(?:e[-+]?\d+)?(?![A-Za-z_])")


@event_priority(-100)  # after the plugins of the search
def on_post_build(*, config: MkDocsConfig) -> None:
    """Leaves numbers out of the index of the search. lunr joins sets of words whose endings differ in digits, so that it
    finds words that no page has, and fails; and a search for 0.00957 is rare."""
    folder = Path(config.site_dir) / "search"
    index = json.loads((folder / "search_index.json").read_text(encoding="utf-8"))
    for page in index["docs"]:
        page["text"] = NUMBER.sub(" ", page["text"])
    text = json.dumps(index, ensure_ascii=False, separators=(",", ":"))
    (folder / "search_index.json").write_text(text, encoding="utf-8")
    (folder / "search_index.js").write_text(f"var __index = {text}", encoding="utf-8")
