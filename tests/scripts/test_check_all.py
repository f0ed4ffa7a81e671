"""Tests of scripts/check_all: it repeats only outdated pieces, and its table lists only pieces that ran.

The tools are stubs in a small repository: a word in the source of a test selects its outcome.
"""

import json
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
case $1 in
  --preset) mkdir -p build/$2 && touch build/$2/build.ninja && echo '[]' >build/$2/compile_commands.json ;;
  --build) ! grep -rq BROKEN src ;;
esac
"""
# Reads the module from -R '^module/', and the file to write.
CTEST = """
while [ $# -gt 0 ]; do
  case $1 in
    -R) module=${2#^} && module=${module%/} ;;
    --output-junit) junit=$2 ;;
  esac
  shift
done
said() { grep -q "$1" "tests/$module/"*.cpp; }
said SLOW && sleep 60
tests=3 skipped=0 failures=0
said FAIL && failures=1
said SKIPS && skipped=1
for cut in $(seq $(grep -ho TOO_LONG "tests/$module/"*.cpp | wc -l)); do
  failures=$((failures + 1)) && echo " $cut/3 Test #$cut: core/Number.Adds ....***Timeout 240.02 sec"
done
said ABSENT && skipped=3
said NO_TEST && tests=0
said SWALLOWED && echo 'heap-buffer-overflow' >"${ASAN_OPTIONS##*log_path=}.17"
said NO_RESULT || echo "<testsuite tests='$tests' skipped='$skipped' disabled='0' failures='$failures'/>" >"$junit"
[ $failures = 0 ]
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
grep -q BAD "$@" 2>/dev/null && echo "scripts/x:1:1: warning: bad [SC1]" && exit 1
exit 0
"""


class Repository:
    """Two modules, each with a test; bench includes core."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch,
                 capsys: pytest.CaptureFixture[str]) -> None:
        self.root, self.capsys = folder / "repository", capsys
        tools = folder / "bin"
        self.calls = folder / "calls"
        self.calls.touch()
        for name, text in (("cmake", CMAKE), ("ctest", CTEST), ("clang-tidy", TIDY),
                           ("shellcheck", SHELLCHECK), ("c++", 'echo "c++ 12.2.0"')):
            self._tool(tools / name, text)
        monkeypatch.setenv("PATH", f"{tools}:{os.environ['PATH']}")
        monkeypatch.setenv("CLANG_TIDY", str(tools / "clang-tidy"))
        monkeypatch.delenv("CXX", raising=False)
        self.tools = tools
        for name, text in {
                "src/rigidlimit/core/number.hpp": "struct Number {};\n",
                "src/rigidlimit/core/number.cpp": '#include "rigidlimit/core/number.hpp"\n',
                "src/rigidlimit/bench/time.hpp": '#include "rigidlimit/core/number.hpp"\n',
                "src/rigidlimit/bench/time.cpp": '#include "rigidlimit/bench/time.hpp"\n',
                "tests/core/number_test.cpp": '#include "rigidlimit/core/number.hpp"\n',
                "tests/bench/time_test.cpp": '#include "rigidlimit/bench/time.hpp"\n',
                "scripts/x": "#!/bin/sh\n",
                ".gitignore": "/build/\n",
                "CMakePresets.json": json.dumps({"testPresets": [
                    {"name": "dev", "environment": {"ASAN_OPTIONS": "a=1 b=2"}}, {"name": "tsan"}]}),
        }.items():
            self.write(name, text)
        self.git("init", "-q")
        self.commit()

    def _tool(self, path: Path, text: str) -> None:
        path.parent.mkdir(exist_ok=True)
        path.write_text(f'#!/bin/sh\n[ "$1" = --version ] || echo "{path.name} $*" >>{self.calls}\n{text}')
        path.chmod(0o755)

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
        """The pieces for which the tools were called, in order."""
        found = []
        for call in self.calls.read_text().splitlines():
            if module := re.search(r"ctest .*build/(\w+) -R \^(\w+)/", call):
                found.append(f"{'tsan' if module[1] == 'tsan' else 'asan'}/{module[2]}")
            elif file := re.search(r"clang-tidy .* (\S+)$", call):
                found.append(f"tidy/{file[1]}")
            elif call.startswith("shellcheck"):
                found.append("scripts")
        return found

    def summary(self) -> list[str]:
        """The lines under the table of all pieces."""
        return check_all.summary(*self.state())

    def row(self, piece: str) -> list[str]:
        tree, pieces, record = self.state()
        members = [one for one in pieces if check_all.group_of(one) == piece]
        return check_all.table_row(tree, piece, members, record)[1:]

    def state(self) -> tuple:
        """The current files, their pieces, and their lines in the record of the repository."""
        tree = check_all.Tree(self.root)
        return tree, check_all.all_pieces(tree), check_all.read_record(self.root / check_all.RECORD)


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys) -> Repository:
    monkeypatch.setattr(check_all, "THREADED", ("bench",))  # of its two modules
    return Repository(tmp_path, monkeypatch, capsys)


def test_every_piece_runs_once_and_is_not_repeated(repository: Repository) -> None:
    status, _ = repository.check()
    assert status == 0
    assert sorted(repository.done()) == [
        "asan/bench", "asan/core", "scripts", "tidy/src/rigidlimit/bench/time.cpp",
        "tidy/src/rigidlimit/core/number.cpp", "tidy/tests/bench/time_test.cpp",
        "tidy/tests/core/number_test.cpp", "tsan/bench"]
    head = repository.git("rev-parse", "--short=10", "HEAD")
    assert repository.row("asan/core")[1:4] == ["passed", "3 tests", "0"]
    assert repository.row("asan/core")[-1] == head
    assert repository.row("tidy/src/rigidlimit/core/*")[1:4] == ["passed", "1 of 1 file", "0"]
    assert repository.summary() == [f"at commit {head}: 8 pieces, 8 passed, 0 failed, 0 not run"]
    assert not (repository.root / "docs").exists(), "the record is not a documentation page"
    assert repository.check()[0] == 0
    assert repository.done() == []


def test_a_change_repeats_only_dependent_pieces(repository: Repository) -> None:
    repository.check()
    repository.append("src/rigidlimit/bench/time.cpp", "// faster")
    later = repository.commit()
    assert repository.check()[0] == 0
    assert sorted(repository.done()) == ["asan/bench", "tidy/src/rigidlimit/bench/time.cpp", "tsan/bench"]
    assert repository.row("asan/bench")[-1] == later != repository.row("asan/core")[-1]
    repository.append("src/rigidlimit/core/number.hpp", "struct Other {};")
    assert repository.check()[0] == 0
    assert sorted(repository.done()) == [
        "asan/bench", "asan/core", "tidy/src/rigidlimit/bench/time.cpp",
        "tidy/src/rigidlimit/core/number.cpp", "tidy/tests/bench/time_test.cpp",
        "tidy/tests/core/number_test.cpp", "tsan/bench"]
    assert repository.row("asan/core")[-1] == later + "+"  # not the content of a commit


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


@pytest.mark.parametrize("word, findings", [("FAIL", "1"), ("SWALLOWED", "1"), ("NO_TEST", "1"),
                                            ("NO_RESULT", "1"), ("ABSENT", "1")])
def test_a_failing_module_is_shown_as_failed_until_it_passes(
        repository: Repository, word: str, findings: str) -> None:
    repository.append("tests/core/number_test.cpp", f"// {word}")
    status, said = repository.check("--only", "asan/*")
    assert status == 1
    assert "failed  asan/core" in said and "passed  asan/bench" in said
    assert repository.row("asan/core")[1] == "failed" and repository.row("asan/core")[3] == findings
    assert "failed: asan/core: 1 finding" in said.splitlines()
    status, said = repository.check("--only", "asan/*")  # a known failure is not a success
    assert (status, repository.done()) == (1, [])
    repository.write("tests/core/number_test.cpp", "// mended\n")
    status, _ = repository.check("--only", "asan/*")
    assert (status, repository.done()) == (0, ["asan/core"])
    assert repository.row("asan/core")[1] == "passed"


def test_the_log_contains_the_report_of_a_sanitizer(repository: Repository) -> None:
    repository.append("tests/core/number_test.cpp", "// SWALLOWED")
    repository.check("--only", "asan/core")
    assert "heap-buffer-overflow" in (repository.root / "build/checks/log/asan/core.txt").read_text()


def test_a_module_that_does_not_build_fails_without_tests(repository: Repository) -> None:
    repository.append("src/rigidlimit/core/number.cpp", "BROKEN")
    assert repository.check("--only", "asan/core")[0] == 1
    assert repository.done() == []
    assert repository.row("asan/core")[1:3] == ["failed", "0 tests"]


def test_a_finding_in_several_files_counts_once(repository: Repository) -> None:
    repository.append("src/rigidlimit/core/number.cpp", "// BAD")
    assert repository.check("--only", "tidy/*")[0] == 1
    assert repository.row("tidy/src/rigidlimit/core/*")[1:4] == ["failed", "1 of 1 file", "2"]
    assert "failed: tidy/src/rigidlimit/core/number.cpp: 2 findings" in repository.summary()


def test_analyzer_findings_in_external_headers_are_ignored(repository: Repository) -> None:
    repository.append("src/rigidlimit/core/number.cpp", "// LOST")
    assert repository.check("--only", "tidy/src/rigidlimit/core/*")[0] == 0
    repository.write("src/rigidlimit/core/number.cpp", "// UNREADABLE\n")  # an unreadable file is a failure
    assert repository.check("--only", "tidy/src/rigidlimit/core/*")[0] == 1


def test_pieces_that_were_not_selected_are_shown_as_not_run(repository: Repository) -> None:
    status, said = repository.check("--only", "tidy/src/rigidlimit/core/number.cpp")
    assert status == 0 and "left:" not in said
    assert repository.row("asan/core")[1:] == ["not run", "", "", "", ""]
    assert repository.row("tidy/tests/core/*")[1:] == ["not run", "0 of 1 file", "", "", ""]
    assert "8 pieces, 1 passed, 0 failed, 7 not run" in repository.summary()[-1]


def test_pieces_that_changed_are_shown_as_not_run(repository: Repository) -> None:
    repository.check()
    repository.append("src/rigidlimit/bench/time.cpp", "// faster")
    repository.check("--only", "scripts")
    assert repository.row("asan/bench")[1].startswith("not run")
    assert "passed" in repository.row("asan/bench")[1] and repository.row("asan/bench")[2:] == [""] * 4
    assert repository.row("asan/core")[1] == "passed"


def test_skipped_tests_are_reported(repository: Repository) -> None:
    repository.append("tests/core/number_test.cpp", "// SKIPS")
    assert repository.check("--only", "asan/core")[0] == 0
    assert repository.row("asan/core")[1:3] == ["passed", "3 tests, 1 skipped"]


@pytest.mark.parametrize("words, state, counted", [
    ("TOO_LONG", "passed", "3 tests, 1 cut short"),
    ("TOO_LONG TOO_LONG TOO_LONG", "failed", "3 tests, 3 cut short"),  # no test finished
    ("TOO_LONG FAIL", "failed", "3 tests, 1 cut short"),
    ("TOO_LONG SWALLOWED", "failed", "3 tests, 1 cut short")])
def test_tests_cut_short_are_reported_and_hide_no_failure(
        repository: Repository, words: str, state: str, counted: str) -> None:
    repository.append("tests/core/number_test.cpp", "// " + words.replace(" ", "\n// "))
    assert repository.check("--only", "asan/core")[0] == (state == "failed")
    assert repository.row("asan/core")[1:3] == [state, counted]


def test_the_time_limit_stops_a_piece_and_the_next_run_continues(repository: Repository) -> None:
    text = (repository.root / "tests/bench/time_test.cpp").read_text()
    repository.write("tests/bench/time_test.cpp", text + "// SLOW\n")
    start = time.monotonic()
    status, said = repository.check("--minutes", "0.04")
    assert time.monotonic() - start < 30
    assert status == 3
    assert "stopped asan/bench" in said
    assert re.search(r"left: 6 pieces: asan/bench, tsan/bench, tidy/\S+", said)
    assert repository.row("asan/bench")[1].startswith("not run (stopped")
    assert repository.row("asan/core")[1] == "passed"
    repository.write("tests/bench/time_test.cpp", text)
    assert repository.check()[0] == 0
    assert "asan/core" not in repository.done() and "asan/bench" in repository.done()
    assert repository.row("asan/bench")[1] == "passed"


def test_a_file_that_changes_during_its_check_has_no_result(repository: Repository) -> None:
    repository.append("src/rigidlimit/core/number.cpp", "// EDITED")
    status, said = repository.check("--only", "tidy/src/*")
    assert status == 2
    assert re.search(r"tidy/src/rigidlimit/core/number.cpp: .*changed", said)
    assert repository.row("tidy/src/rigidlimit/core/*")[1] == "not run"
    assert repository.row("tidy/src/rigidlimit/bench/*")[1] == "passed"


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_ends_child_processes_and_keeps_results(
        repository: Repository, number: int) -> None:
    repository.append("tests/bench/time_test.cpp", "// SLOW")
    shutil.copy(REPOSITORY / "scripts/check_all", repository.root / "scripts")
    with subprocess.Popen([repository.root / "scripts/check_all", "--only", "asan/*"],
                          stdout=subprocess.PIPE, text=True) as process:
        while "build/dev -R ^bench/" not in repository.calls.read_text():
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
    assert repository.row("asan/core")[1] == "passed"
    assert repository.row("asan/bench")[1].startswith("not run")


def test_a_missing_tool_gives_no_result(repository: Repository, monkeypatch) -> None:
    monkeypatch.setattr(check_all.shutil, "which", lambda name: None)
    status, said = repository.check("--only", "scripts")
    assert status == 2
    assert "not found: shellcheck (Debian's package shellcheck)" in said
    assert repository.row("scripts")[1] == "not run"


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
    status, said = repository.check("--list")
    assert status == 0 and re.search(r"^asan/core +\S.* not run$", said, re.MULTILINE)
    assert repository.done() == [] and not (repository.root / check_all.RECORD).exists()


# --- This repository

def test_every_module_with_tests_and_every_source_has_a_piece() -> None:
    tree = check_all.Tree(REPOSITORY)
    names = {piece.name for piece in check_all.all_pieces(tree)}
    for module in tree.modules():
        assert f"asan/{module}" in names
    for file in tree.files:
        if file.endswith(".cpp"):
            assert f"tidy/{file}" in names
    assert {"asan/consumer", "asan/python", "scripts"} <= names


def test_every_header_is_checked_by_the_lint() -> None:
    tree = check_all.Tree(REPOSITORY)
    read = set().union(*(tree.closure([name]) for name in check_all.cpp_files(tree)))
    assert {name for name in tree.files if name.endswith(".hpp")} <= read


def test_modules_with_threads_or_locks_use_the_thread_sanitizer() -> None:
    tree = check_all.Tree(REPOSITORY)
    threads = re.compile(r'#include (<(mutex|thread|shared_mutex)>|"rigidlimit/experiment/(plan/parallel|plan/solve_plan|experiment).hpp")')
    modules = {name.split("/")[2] for name in tree.under("src/rigidlimit")
             if name.count("/") > 2 and threads.search((REPOSITORY / name).read_text(encoding="utf-8"))}
    assert modules == set(check_all.THREADED)
