"""docs/gallery.md shows the pictures and commands of analysis/gallery.py; two of them are run here."""

import re
import shlex
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from rigidlimit.analysis import __main__ as command
from rigidlimit.analysis import gallery
from rigidlimit.analysis.gallery import GALLERY, Entry
from programs import PROGRAM, ROOT

PAGE = (ROOT / "docs/gallery.md").read_text(encoding="utf-8")
PICTURES = ROOT / "docs/pictures/gallery"


def sections() -> list[tuple[list[str], str, str]]:
    """Commands, lines of Python and picture of each section of the page."""
    found = []
    for section in PAGE.split("\n## ")[1:]:
        commands = re.findall(r"^ {4}(\S.*)$", re.sub(r"```.*?```", "", section, flags=re.DOTALL), re.MULTILINE)
        python = re.findall(r"```py\n(.*?)\n```", section, re.DOTALL)
        pictures = re.findall(r"!\[[^\]]{20,}\]\(pictures/gallery/([\w.]+)\)", section)
        assert len(pictures) == 1, section.splitlines()[0]
        found.append((commands, "".join(python), pictures[0]))
    return found


def test_the_page_has_the_commands_and_pictures_of_the_list() -> None:
    wanted = [([*e.makes] if e.is_python else [*e.makes, e.plot], e.plot if e.is_python else "", e.picture)
              for e in GALLERY]
    assert sections() == wanted
    assert len({entry.name for entry in GALLERY}) == len(GALLERY) >= 16


def test_every_picture_exists_and_is_small() -> None:
    """At most 80 kB each, 1.5 MB together without the animation, and no picture is left over."""
    sizes = {entry.picture: (PICTURES / entry.picture).stat().st_size for entry in GALLERY}
    assert {path.name for path in PICTURES.iterdir()} == set(sizes)
    assert max(size for name, size in sizes.items() if name.endswith(".png")) <= gallery.MOST_BYTES
    assert sum(size for name, size in sizes.items() if name.endswith(".png")) <= 1_500_000
    assert sizes["disc.gif"] <= 1_500_000
    for name in sizes:
        with Image.open(PICTURES / name) as image:
            assert image.width >= 300 and len(image.convert("RGB").getcolors(1 << 20) or ()) > 3, f"{name} is empty"


@pytest.mark.parametrize("entry", GALLERY, ids=lambda entry: entry.name)
def test_every_command_can_be_given(entry: Entry) -> None:
    """Options parse, experiments exist, and the results are those that the first commands make."""
    made = set()
    for line in entry.makes:
        program, verb, file, *options = shlex.split(line)
        assert program == "rigidlimit" and verb in ("run", "expand") and (ROOT / file).is_file(), line
        named = re.search(r'benchmark.name="(\w+)"', line)
        made |= {named[1] if named else Path(file).stem + ("_quick" if "--quick" in options else "")}
        made |= {Path(word).stem for word in options if word.endswith(".csv")}
    used = set(re.findall(r'results/(\w+)"' if entry.is_python else r"results/(\w+)(?= |$)", entry.plot))
    if entry.is_python:
        compile(entry.plot, entry.name, "exec")
    else:
        options = command.parser().parse_args(shlex.split(entry.plot)[1:])
        used = {path.stem for path in options.directory}
    assert used and used <= made


def test_the_command_makes_pictures_again(tmp_path: Path, capsys: pytest.CaptureFixture[str],
                                          monkeypatch: pytest.MonkeyPatch) -> None:
    """A command and lines of Python: from the study to a picture with the size of that of the page."""
    if not PROGRAM.exists():
        pytest.skip("the program is not built (scripts/test builds it)")
    monkeypatch.setattr(gallery.matplotlib, "use", lambda backend: None)
    with gallery.matplotlib.rc_context():
        assert gallery.main(["--results", str(tmp_path / "results"), "-o", str(tmp_path / "pictures"), "--program",
                             str(PROGRAM), "--only", "one_column", "--only", "own_axes"]) == 0
    made = [Path(line) for line in capsys.readouterr().out.splitlines()]
    assert [path.name for path in made] == ["one_column.png", "own_axes.png"]
    for path in made:
        with Image.open(path) as found, Image.open(PICTURES / path.name) as shown:
            assert found.size == shown.size
            difference = np.asarray(found.convert("L"), float) - np.asarray(shown.convert("L"), float)
            assert np.mean(np.abs(difference) > 60.0) < 0.01, "the same lines, to a change of the fonts"


def test_a_failing_command_is_named(tmp_path: Path) -> None:
    shop = gallery.Workshop(ROOT, tmp_path, Path("/bin/false") if Path("/bin/false").exists() else Path("false"))
    shop.make("rigidlimit run experiments/any.toml")  # status 1: not held, but there is a result to draw
    broken = tmp_path / "program"
    broken.write_text("#!/bin/sh\necho no such file >&2\nexit 2\n", encoding="utf-8")
    broken.chmod(0o755)
    with pytest.raises(gallery.AnalysisError, match="`rigidlimit run x.toml`: exit status 2: no such file"):
        gallery.Workshop(ROOT, tmp_path, broken).make("rigidlimit run x.toml")
    wrong = Entry("wrong", (), "scripts/plot drift results/x", "layer.png")
    with pytest.raises(gallery.AnalysisError, match="wrong: .* wrote no layer.png"):
        list(gallery.draw(wrong, shop, tmp_path, shop.make, lambda line: [Path("drift.png")]))
