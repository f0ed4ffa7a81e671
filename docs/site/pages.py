"""The pages of the site: the files of the repository that they come from, and their places in the site."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
OWN_PAGES = "docs/site/pages/"
NOTEBOOK = "docs/tutorial.ipynb"
# Pages outside docs/.
ELSEWHERE = {
    "README.md": "overview.md",
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changes.md",
    "SECURITY.md": "security.md",
    "CODE_OF_CONDUCT.md": "conduct.md",
    "LICENSE": "licence.md",
    "experiments/README.md": "experiments.md",
    "benchmarks/README.md": "benchmarks.md",
    "tests/golden/README.md": "golden.md",
    NOTEBOOK: "tutorials/notebook.md",
}


def place_in_site(file: str) -> str | None:
    """The page of the site that shows a file of the repository.

    Parameters
    ----------
    file : str
        Path from the root of the repository.

    Returns
    -------
    str or None
        Path from the root of the site's sources; None if the file has no page of its own.
    """
    if file in ELSEWHERE:
        return ELSEWHERE[file]
    for folder in (OWN_PAGES, "docs/"):
        if file.startswith(folder) and (ROOT / file).is_file():
            return file.removeprefix(folder)
    return None


def file_of_page(place: str) -> str | None:
    """The file of the repository that a page shows; None if it is generated."""
    for file, known in ELSEWHERE.items():
        if known == place:
            return file
    for folder in (OWN_PAGES, "docs/"):
        if (ROOT / folder / place).is_file():
            return folder + place
    return None


def added_pages() -> dict[str, str]:
    """The pages that do not lie at their places in docs/: file of the repository, place."""
    own = (path.relative_to(ROOT).as_posix() for path in sorted((ROOT / OWN_PAGES).rglob("*.md")))
    return ELSEWHERE | {file: file.removeprefix(OWN_PAGES) for file in own}
