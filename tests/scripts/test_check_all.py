"""Tests of scripts/check_all: it repeats only outdated pieces, and names those that failed or did not run.

The tools are stubs in a small repository: a word in the source of a test selects its outcome.
"""

import os
import re
import shutil
import signal
import subprocess
import time
from pathlib import Path

import pytest

from script_module import script

REPOSITORY = Path(__file__).resolve().parents[2]

check_all = script("check_all")

CMAKE = """
case "$*" in
  *--build*) ! grep -rq BROKEN src ;;
  *) for name; do :; done && mkdir -p build/$name && touch build/$name/build.ninja ;;
esac
"""
# Reads the module from -R ^module/, and prints the end of ctest's output.
CTEST = """
while [ $# -gt 0 ]; do
  case $1 in
    -R) module=${2#^} && module=${module%/} ;;
  esac
  shift
done
said() { cat "tests/$module/"*.cpp 2>/dev/null | grep -q "$1"; }
said SLOW && sleep 60
said NO_RESULT && exit
total=3 ended=
end() { ended="$ended\n  1 - core/Number.Adds ($1)"; }
said FAIL && end Failed && failed=8
said SKIPS && end Skipped
said GONE && end "Not Run" && failed=8
said TOO_LONG && end Timeout && failed=8
said ALL_TOO_LONG && end Timeout && end Timeout
said ABSENT && end Skipped && end Skipped && end Skipped
said NO_TEST && total=0
said SWALLOWED && echo 'heap-buffer-overflow' >"${ASAN_OPTIONS##*log_path=}.17"
printf "90%% tests passed, 1 tests failed out of $total\n$ended\n"
exit ${failed:-0}
"""
TIDY = """
[ "$1" = --version ] && echo "version ${TIDY_VERSION:-1.2}" && exit
for file; do :; done
grep -q LOST "$file" && echo "/usr/include/boost/number.hpp:5:1: error: lost [clang-analyzer-core.Word,-warnings-as-errors]" && exit 1
grep -q UNREADABLE "$file" && echo "/usr/include/boost/number.hpp:5:1: error: what [clang-diagnostic-error]" && exit 1
grep -q EDITED "$file" && echo "// more" >>"$file"
if grep -q BAD "$file"; then
  echo "$PWD/$file:7:3: error: as said [bugprone-word,-warnings-as-errors]"
  echo "$PWD/$file:7:3: error: as said [bugprone-word,-warnings-as-errors]"
  echo "$PWD/$file:9:1: warning: also [misc-word]"
  exit 1
fi
"""
SHELLCHECK = """
[ "$1" = --version ] && echo "version 0.9" && exit
for file; do :; done
grep -q BAD "$file" && echo "scripts/x:1:1: warning: bad [SC1]" && exit 1
exit 0
"""


class Repository:
    """Two modules, each with a test; bench includes core and starts threads."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch,
                 capsys: pytest.CaptureFixture[str]) -> None:
        self.root, self.capsys, self.calls, self.tools = folder / "repository", capsys, folder / "calls", folder / "bin"
        for name, text in (("cmake", CMAKE), ("ctest", CTEST), ("clang-tidy", TIDY),
                           ("shellcheck", SHELLCHECK), ("c++", 'echo "c++ 12.2.0"')):
            self._tool(name, text)
        monkeypatch.setenv("PATH", f"{self.tools}:{os.environ['PATH']}")
        monkeypatch.setenv("CLANG_TIDY", str(self.tools / "clang-tidy"))
        monkeypatch.delenv("CXX", raising=False)
        for name, text in {
                "src/CMakeLists.txt": "rigidlimit_module(core)\nrigidlimit_module(bench rigidlimit_core)\n",
                "src/rigidlimit/core/number.hpp": "struct Number {};\n",
                "src/rigidlimit/core/number.cpp": '#include "rigidlimit/core/number.hpp"\n',
                "src/rigidlimit/bench/time.hpp": '#include "rigidlimit/core/number.hpp"\n',
                "src/rigidlimit/bench/time.cpp": '#include "rigidlimit/bench/time.hpp"\n#include <thread>\n',
                "tests/core/number_test.cpp": '#include "rigidlimit/core/number.hpp"\n',
                "tests/bench/time_test.cpp": '#include "rigidlimit/bench/time.hpp"\n',
                "scripts/x": "#!/bin/sh\n",
                ".gitignore": "/build/\n",
                "CMakePresets.json": "{}",
        }.items():
            self.write(name, text)
        self.git("init", "-q")
        self.commit()

    def _tool(self, name: str, text: str) -> None:
        self.tools.mkdir(exist_ok=True)
        (self.tools / name).write_text(
            f'#!/bin/sh\n[ "$1" = --version ] || echo "{name} $*" >>{self.calls}\n{text}')
        (self.tools / name).chmod(0o755)

    def write(self, name: str, text: str) -> None:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def append(self, name: str, text: str) -> None:
        self.write(name, (self.root / name).read_text(encoding="utf-8") + text + "\n")

    def git(self, *arguments: str) -> str:
        return subprocess.run(["git", "-C", str(self.root), "-c", "user.name=A", "-c", "user.email=a@b",
                               *arguments], check=True, capture_output=True, text=True).stdout.strip()

    def commit(self) -> str:
        self.git("add", "-A")
        self.git("commit", "-qm", "changed", "--allow-empty")
        return self.git("rev-parse", "--short=10", "HEAD")

    def check(self, *arguments: str) -> tuple[int, str]:
        self.capsys.readouterr()
        self.calls.write_text("")
        status = check_all.main(list(arguments), self.root)
        said = self.capsys.readouterr()
        return status, said.out + said.err

    def done(self) -> list[str]:
        """The pieces for which the tools were called."""
        found = []
        for call in self.calls.read_text().splitlines():
            if module := re.match(r"ctest --preset (dev|tsan) -R \^(\w+)/", call):
                found.append(f"{'tsan' if module[1] == 'tsan' else 'asan'}/{module[2]}")
            elif file := re.match(r"clang-tidy .* (\S+)$", call):
                found.append(f"tidy/{file[1]}")
            elif call.startswith("shellcheck"):
                found.append("scripts")
        return sorted(found)

    def states(self) -> dict[str, str]:
        """The state of each piece for the current files, by the command."""
        _, said = self.check("--list")
        return dict(reversed(re.match(r"(\w[\w ]*?)  +(\S+)", line).groups()) for line in said.splitlines()[:-2])

    def line(self, piece: str) -> list[str]:
        """State, commit and tests of a piece in the record."""
        rows = [row.split("\t") for row in (self.root / "tests/checks.tsv").read_text().splitlines()]
        return next([row[1], row[3], row[4]] for row in rows if row[0] == piece)


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys) -> Repository:
    return Repository(tmp_path, monkeypatch, capsys)


PROGRAM = ["asan/consumer", "asan/extension", "asan/python", "asan/use", "tsan/use"]
BENCH = ["asan/bench", "tsan/bench", *PROGRAM]
ALL = sorted([*BENCH, "asan/core", "scripts", "tidy/src/rigidlimit/bench/time.cpp",
              "tidy/src/rigidlimit/core/number.cpp", "tidy/tests/bench/time_test.cpp", "tidy/tests/core/number_test.cpp"])


def test_every_piece_runs_once_and_is_not_repeated(repository: Repository) -> None:
    status, said = repository.check()
    assert (status, repository.done()) == (0, ALL)
    head = repository.git("rev-parse", "--short=10", "HEAD")
    assert repository.line("asan/core") == ["passed", head, "3 tests"]
    assert said.endswith(f"at commit {head}: 13 pieces, 13 passed, 0 failed, 0 not run\n")
    assert repository.check()[0] == 0
    assert repository.done() == []
    assert repository.check("--redo", "--only", "asan/core")[0] == 0
    assert repository.done() == ["asan/core"]


def test_a_change_repeats_only_dependent_pieces(repository: Repository) -> None:
    repository.check()
    repository.append("src/rigidlimit/bench/time.cpp", "// faster")
    later = repository.commit()
    assert repository.check()[0] == 0
    assert repository.done() == sorted([*BENCH, "tidy/src/rigidlimit/bench/time.cpp"])
    assert repository.line("asan/bench")[1] == later != repository.line("asan/core")[1]
    repository.append("src/rigidlimit/core/number.hpp", "struct Other {};")
    assert repository.check()[0] == 0
    assert repository.done() == [name for name in ALL if name != "scripts"]
    assert repository.line("asan/core")[1] == later + "+"  # not the content of a commit
    repository.append("CMakePresets.json", "")
    assert repository.check()[0] == 0
    assert repository.done() == [name for name in ALL if name != "scripts"]


def test_a_build_file_repeats_modules_but_no_lints(repository: Repository) -> None:
    """Control: the checks of clang-tidy repeat its pieces alone."""
    repository.check()
    repository.append("src/CMakeLists.txt", "# a comment")
    assert repository.check()[0] == 0
    assert {name.split("/")[0] for name in repository.done()} == {"asan", "tsan"}
    repository.write(".clang-tidy", "Checks: '*'\n")
    assert repository.check()[0] == 0
    assert {name.split("/")[0] for name in repository.done()} == {"tidy"}


def test_one_line_counts_the_current_pieces_of_each_kind(repository: Repository) -> None:
    def current() -> dict[str, list[int]]:
        line, = (line for line in repository.check("--list")[1].splitlines() if line.startswith("current: "))
        return {kind.split()[0]: [int(n) for n in re.findall(r"\d+", kind)] for kind in line[9:].split("; ")}

    assert current() == {"asan": [0, 0, 6], "scripts": [0, 0, 1], "tidy": [0, 0, 4], "tsan": [0, 0, 2]}
    repository.append("src/rigidlimit/core/number.cpp", "// BAD")
    repository.check()
    assert current() == {"asan": [6, 0, 0], "scripts": [1, 0, 0], "tidy": [3, 1, 0], "tsan": [2, 0, 0]}
    repository.append("src/rigidlimit/bench/time.cpp", "// faster")
    assert current()["tidy"] == [2, 1, 1]


def test_a_new_version_of_a_tool_repeats_its_pieces(repository: Repository, monkeypatch) -> None:
    repository.check()
    monkeypatch.setenv("TIDY_VERSION", "2.0")
    repository.check()
    assert {name.split("/")[0] for name in repository.done()} == {"tidy"}


def test_another_clone_uses_the_committed_record(repository: Repository, tmp_path: Path) -> None:
    repository.check()
    repository.commit()
    subprocess.run(["git", "clone", "-q", repository.root, tmp_path / "clone"], check=True)
    repository.root = tmp_path / "clone"
    assert repository.check()[0] == 0
    assert repository.done() == []


@pytest.mark.parametrize("word", ["FAIL", "SWALLOWED", "NO_TEST", "NO_RESULT", "ABSENT", "GONE"])
def test_a_failing_module_is_shown_as_failed_until_it_passes(repository: Repository, word: str) -> None:
    repository.append("tests/core/number_test.cpp", f"// {word}")
    status, said = repository.check("--only", "asan/*")
    assert status == 1
    assert "failed  asan/core" in said and "passed  asan/bench" in said
    assert repository.line("asan/core")[0] == "failed" and repository.states()["asan/core"] == "failed"
    status, said = repository.check("--only", "asan/*")  # a known failure is not a success
    assert (status, repository.done()) == (1, []) and re.search("^failed +asan/core", said, re.MULTILINE)
    repository.write("tests/core/number_test.cpp", "// mended\n")
    assert repository.check("--only", "asan/*")[0] == 0
    assert repository.done() == ["asan/core"]
    assert repository.line("asan/core")[0] == "passed"


def test_the_report_of_a_sanitizer_is_beside_the_log(repository: Repository) -> None:
    repository.append("tests/core/number_test.cpp", "// SWALLOWED")
    _, said = repository.check("--only", "asan/core")
    log = Path(re.search(r"see (\S+)\*", said)[1])
    assert "heap-buffer-overflow" in log.with_name("core.txt.17").read_text()


def test_a_module_that_does_not_build_fails_without_tests(repository: Repository) -> None:
    repository.append("src/rigidlimit/core/number.cpp", "BROKEN")
    assert repository.check("--only", "asan/core")[0] == 1
    assert repository.done() == []
    assert repository.line("asan/core")[::2] == ["failed", "0 tests"]


def test_a_finding_fails_its_file(repository: Repository) -> None:
    repository.append("src/rigidlimit/core/number.cpp", "// BAD")
    assert repository.check("--only", "tidy/*")[0] == 1
    assert repository.line("tidy/src/rigidlimit/core/number.cpp")[0] == "failed"
    assert repository.line("tidy/src/rigidlimit/bench/time.cpp")[0] == "passed"
    repository.append("scripts/x", "# BAD")
    assert repository.check("--only", "scripts")[0] == 1


def test_analyzer_findings_in_external_headers_are_ignored(repository: Repository) -> None:
    repository.append("src/rigidlimit/core/number.cpp", "// LOST")
    assert repository.check("--only", "tidy/src/rigidlimit/core/*")[0] == 0
    repository.write("src/rigidlimit/core/number.cpp", "// UNREADABLE\n")  # an unreadable file is a failure
    assert repository.check("--only", "tidy/src/rigidlimit/core/*")[0] == 1


def test_pieces_that_were_not_selected_or_changed_are_shown_as_not_run(repository: Repository) -> None:
    status, said = repository.check("--only", "tidy/src/rigidlimit/core/number.cpp")
    assert status == 0 and "not run " not in said
    assert repository.states() == {name: "not run" for name in ALL} | {"tidy/src/rigidlimit/core/number.cpp": "passed"}
    repository.check()
    repository.append("src/rigidlimit/bench/time.cpp", "// faster")
    states = repository.states()
    assert states["asan/bench"] == "not run since it passed" and states["asan/core"] == "passed"
    assert repository.check("--list")[1].endswith("13 pieces, 5 passed, 0 failed, 8 not run\n")


@pytest.mark.parametrize("word, state, tests", [
    ("SKIPS", "passed", "3 tests, 1 skipped"),
    ("TOO_LONG", "passed", "3 tests, 1 cut short"),
    ("ALL_TOO_LONG, TOO_LONG", "failed", "3 tests, 3 cut short"),  # no test finished
    ("TOO_LONG, FAIL", "failed", "3 tests, 1 cut short"),
    ("TOO_LONG, SWALLOWED", "failed", "3 tests, 1 cut short")])
def test_tests_skipped_or_cut_short_are_reported_and_hide_no_failure(
        repository: Repository, word: str, state: str, tests: str) -> None:
    repository.append("tests/core/number_test.cpp", f"// {word}")
    status, said = repository.check("--only", "asan/core")
    assert status == (state == "failed") and tests in said
    assert repository.line("asan/core")[::2] == [state, tests]


def test_the_time_limit_stops_a_piece_and_the_next_run_continues(repository: Repository) -> None:
    text = (repository.root / "tests/bench/time_test.cpp").read_text()
    repository.write("tests/bench/time_test.cpp", text + "// SLOW\n")
    start = time.monotonic()
    status, said = repository.check("--minutes", "0.04")
    assert time.monotonic() - start < 30
    assert status == 3
    assert "stopped asan/bench" in said
    for left in ("asan/bench", "tsan/bench", "tidy/src/rigidlimit/core/number.cpp"):
        assert re.search(f"^not run +{left}$", said, re.MULTILINE)
    assert repository.states()["asan/core"] == "passed"
    repository.write("tests/bench/time_test.cpp", text)
    assert repository.check()[0] == 0
    assert "asan/core" not in repository.done() and "asan/bench" in repository.done()


def test_a_file_that_changes_during_its_check_has_no_result(repository: Repository) -> None:
    repository.append("src/rigidlimit/core/number.cpp", "// EDITED")
    status, said = repository.check("--only", "tidy/src/*")
    assert status == 2
    assert re.search(r"tidy/src/rigidlimit/core/number.cpp: .*changed", said)
    states = repository.states()
    assert states["tidy/src/rigidlimit/core/number.cpp"] == "not run"
    assert states["tidy/src/rigidlimit/bench/time.cpp"] == "passed"


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_ends_child_processes_and_keeps_results(
        repository: Repository, number: int) -> None:
    repository.append("tests/bench/time_test.cpp", "// SLOW")
    shutil.copy(REPOSITORY / "scripts/check_all", repository.root / "scripts")
    repository.calls.write_text("")
    with subprocess.Popen([repository.root / "scripts/check_all", "--only", "asan/*"],
                          stdout=subprocess.PIPE, text=True) as process:
        while "-R ^bench/" not in repository.calls.read_text():
            time.sleep(0.05)
        process.send_signal(number)
        assert process.wait(timeout=30) == 130
    for _ in range(200):  # a killed process needs a moment to disappear
        left = subprocess.run(["pgrep", "-f", f"^/bin/sh {repository.tools}/ctest"], check=False,
                              capture_output=True, text=True).stdout
        if not left:
            break
        time.sleep(0.05)
    assert left == ""
    states = repository.states()
    assert states["asan/core"] == "passed" and states["asan/bench"] == "not run"


def test_a_missing_tool_gives_no_result(repository: Repository, monkeypatch) -> None:
    monkeypatch.setenv("CLANG_TIDY", "no_such_tidy")
    status, said = repository.check("--only", "tidy/src/rigidlimit/core/number.cpp")
    assert status == 2
    assert "error: tidy/src/rigidlimit/core/number.cpp: a tool is missing" in said
    assert repository.states()["tidy/src/rigidlimit/core/number.cpp"] == "not run"


@pytest.mark.parametrize("arguments, words", [
    (["--only", "asan/cores"], "--only asan/cores: no such piece"),
    (["--minutes", "0"], "take a number above 0"),
    (["--jobs", "0"], "take a number above 0"),
])
def test_wrong_options_are_refused(repository: Repository, arguments: list[str], words: str) -> None:
    status, said = repository.check(*arguments)
    assert status == 2 and words in said
    assert repository.done() == []


def test_an_invalid_record_is_refused(repository: Repository) -> None:
    repository.check("--only", "scripts")
    repository.append("tests/checks.tsv", "scripts\tpassed")
    status, said = repository.check("--list")
    assert status == 2 and "tests/checks.tsv:3: " in said


def test_the_list_runs_nothing_and_writes_nothing(repository: Repository) -> None:
    status, _ = repository.check("--list")
    assert status == 0 and repository.done() == []
    assert not (repository.root / "tests/checks.tsv").exists() and not (repository.root / "build").exists()


# --- This repository

def test_every_module_and_every_source_has_a_piece_and_tidy_reads_every_header() -> None:
    tree = check_all.Tree(REPOSITORY)
    pieces = {piece.name: piece for piece in (*check_all.sanitizer_pieces(tree), *check_all.tidy_pieces(tree))}
    for name in tree.under("src/rigidlimit"):
        assert name.count("/") == 2 or f"asan/{name.split('/')[2]}" in pieces
    assert {f"tidy/{name}" for name in tree.files if name.endswith(".cpp")} <= set(pieces)
    assert {"tsan/experiment", "tsan/use"} <= set(pieces) and "tsan/convergence" not in pieces
    read = set().union(*(piece.inputs for piece in pieces.values() if piece.name.startswith("tidy/")))
    assert {name for name in tree.files if name.endswith(".hpp")} <= read
