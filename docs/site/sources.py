"""Pages with the text of files that other pages link to."""

from pathlib import Path

_LANGUAGES = {".toml": "toml", ".py": "python", ".hpp": "cpp", ".cpp": "cpp", ".c": "c", ".md": "markdown",
              ".cmake": "cmake", ".json": "json", ".sh": "bash"}


def source_page(file: str, text: str) -> str:
    """Markdown that shows a file of the repository, and that the search leaves out.

    Parameters
    ----------
    file : str
        Path from the root of the repository.
    text : str
        Its content.
    """
    fence = "`" * 6  # longer than any in a file
    language = _LANGUAGES.get(Path(file).suffix, "text")
    return (f"---\nsearch: {{exclude: true}}\nhide: [toc]\n---\n# {Path(file).name}\n\n`{file}`\n\n"
            f"{fence}{language}\n{text.rstrip()}\n{fence}\n")
