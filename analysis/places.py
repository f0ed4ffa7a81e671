"""Folders of results and of pages: no link is followed, and no file of a user is replaced or removed.

A folder of pages follows the rule of ResultsFolder (src/rigidlimit/report/results_folder.hpp): `.files` lists what
rigidlimit has written there, one name a line, sorted. Other files are refused. Files are complete or not there.
"""

from __future__ import annotations

import errno
import fcntl
import os
import re
import secrets
import stat
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path, PurePosixPath

from .tables import AnalysisError

LIST = ".files"
LONGEST_LIST = 1 << 20  # bytes
UNFINISHED = re.compile(r"(.+)\.[0-9a-f]{8}\.unfinished", re.DOTALL)


def refuse_links_in(directory: Path) -> None:
    """AnalysisError for a link among the files of a folder of results, which itself may be one.

    A folder of a stranger (a tar keeps links) could otherwise publish a file of the reader.
    """
    if directory.is_dir():
        for one in sorted(directory.iterdir()):
            if one.is_symlink():
                refuse_link(one)


def refuse_link(place: Path) -> None:
    raise AnalysisError(f"{place}: is a link, and pages are neither read from nor written through links: remove it")


class PagesFolder:
    """A folder for pages: new, empty, or with a list of the files that rigidlimit has written there."""

    def __init__(self, path: Path) -> None:
        """AnalysisError for a link, for something else than a folder, and for a folder with files of others. Writes
        nothing, and removes the unfinished files of killed processes."""
        self.path = path
        self._listed: set[str] = set()
        self._written: set[str] = set()
        kind = kind_of(path)
        if kind == stat.S_IFLNK:
            refuse_link(path)
        if kind not in (0, stat.S_IFDIR):
            raise AnalysisError(f"{path}: is not a folder: choose another one with -o DIR")
        if kind_of(path / LIST) == stat.S_IFLNK:
            refuse_link(path / LIST)
        if kind == stat.S_IFDIR:
            self._listed = self._names_in_list()
            self._remove_unfinished()
            self._refuse_others()

    def refuse(self, names: Iterable[str]) -> None:
        """AnalysisError for each of these names that cannot be written: a link, no file, or a file of a user."""
        others = []
        for name in names:
            place, kind = self._below(name)
            if kind == stat.S_IFLNK:
                refuse_link(place)
            if kind not in (0, stat.S_IFREG):
                raise AnalysisError(f"{place}: cannot be replaced: it is not a regular file")
            if kind == stat.S_IFREG and name not in self._listed:
                others.append(str(place))
        if others:
            raise AnalysisError(f"{', '.join(others)}: not replaced, because no report of rigidlimit has written "
                                f"{'it' if len(others) == 1 else 'them'}: move "
                                f"{'it' if len(others) == 1 else 'them'} away and repeat the command")

    def write(self, files: dict[str, bytes]) -> None:
        """Adds names to the list, then writes each file beside its place and renames it.

        Nothing is written if one of them is refused. OSError with the file on failure.
        """
        self.refuse(files)
        for folder in sorted({(self.path / name).parent for name in files}):
            folder.mkdir(parents=True, exist_ok=True)
        if not self._listed.issuperset(files):
            self._listed.update(files)
            self._write_list()  # first: a killed process leaves no file that the next one refuses
        for name, content in files.items():
            write_renamed(self.path / name, content)
            self._written.add(name)

    def has(self, name: str) -> bool:
        """Whether a report has listed the file and it is there."""
        return name in self._listed and self._below(name)[1] == stat.S_IFREG

    def remove_others(self, kept: Callable[[str], bool]) -> None:
        """Removes the listed files that were neither written since the construction nor are `kept`, and their empty
        folders."""
        for name in sorted(name for name in self._listed - self._written if not kept(name)):
            place, kind = self._below(name)
            if kind == stat.S_IFREG:
                place.unlink()
                with suppress(OSError):  # it has other files
                    if place.parent != self.path:
                        place.parent.rmdir()
            self._listed.discard(name)
        self._write_list()

    def _below(self, name: str) -> tuple[Path, int]:
        """The first part that is not a plain folder, or the whole, and its kind: S_IFREG only for a plain file below
        plain folders."""
        place = self.path
        *above, last = PurePosixPath(name).parts
        for part in above:
            place = place / part
            if (kind := kind_of(place)) != stat.S_IFDIR:
                return place, -1 if kind == stat.S_IFREG else kind
        return place / last, kind_of(place / last)

    def _names_in_list(self) -> set[str]:
        if kind_of(self.path / LIST) != stat.S_IFREG:
            return set()
        with os.fdopen(os.open(self.path / LIST, os.O_RDONLY | os.O_NOFOLLOW), "rb") as file:
            content = file.read(LONGEST_LIST + 1)
        if len(content) > LONGEST_LIST:
            raise AnalysisError(f"{self.path / LIST}: more than {LONGEST_LIST} bytes")
        return {name for name in os.fsdecode(content).split("\n") if stays_inside(name)}

    def _refuse_others(self) -> None:
        names = {one.name for one in self.path.iterdir()}
        if LIST in names:
            return
        others = sorted(name for name in names if name_of_unfinished(name) != LIST)
        if others:
            shown = ", ".join(others[:3]) + (", …" if len(others) > 3 else "")
            raise AnalysisError(f"{self.path}: has {len(others)} file{'s' * (len(others) > 1)} that no report of rigidlimit "
                                f"has written ({shown}): choose another folder with -o DIR")

    def _remove_unfinished(self) -> None:
        for folder in {"", *(str(PurePosixPath(name).parent) for name in self._listed)}:
            if folder not in ("", ".") and self._below(folder)[1] != stat.S_IFDIR:
                continue
            for one in sorted((self.path / folder).iterdir()):
                finished = name_of_unfinished(one.name)
                name = str(PurePosixPath(folder) / finished)
                if finished and (name == LIST or name in self._listed):
                    remove_unless_written(one)

    def _write_list(self) -> None:
        self.path.mkdir(parents=True, exist_ok=True)
        write_renamed(self.path / LIST, os.fsencode("\n".join(sorted(self._listed)) + "\n"))


def kind_of(place: Path) -> int:
    """The kind of a file, of a link itself (stat.S_IFMT); 0 if there is none."""
    try:
        return stat.S_IFMT(place.lstat().st_mode)
    except (FileNotFoundError, NotADirectoryError):
        return 0


def stays_inside(name: str) -> bool:
    """Whether a relative name stays below its folder."""
    return name not in ("", ".") and "\0" not in name and not name.startswith("/") and ".." not in name.split("/")


def name_of_unfinished(name: str) -> str:
    """NAME of "NAME.xxxxxxxx.unfinished"; otherwise empty."""
    found = UNFINISHED.fullmatch(name)
    return found[1] if found else ""


def write_renamed(file: Path, content: bytes) -> None:
    """Writes a file under an unfinished name and renames it, so that it is complete or not there. OSError with its name."""
    with named(file):
        place = file.with_name(f"{file.name}.{secrets.token_hex(4)}.unfinished")
        number = os.open(place, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o666)
        try:
            with os.fdopen(number, "wb") as out:
                fcntl.flock(out, fcntl.LOCK_EX | fcntl.LOCK_NB)  # see remove_unless_written
                out.write(content)
                out.flush()
                place.replace(file)
        except BaseException:
            place.unlink(missing_ok=True)
            raise


def remove_unless_written(unfinished: Path) -> None:
    """Removes the unfinished file of a killed process. Another process locks one that it is writing."""
    with suppress(OSError):
        number = os.open(unfinished, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        try:
            if stat.S_ISREG(os.fstat(number).st_mode):
                fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
                unfinished.unlink()
        finally:
            os.close(number)


@contextmanager
def named(file: Path) -> Iterator[None]:
    """An OSError, which has no name for a full disk, gets that of the file."""
    try:
        yield
    except OSError as problem:
        raise OSError(problem.errno or errno.EIO, problem.strerror or str(problem), str(file)) from None
