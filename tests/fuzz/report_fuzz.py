"""Feeds changed reports (result.html) to the pages of rigidlimit.analysis: each is shown or refused, in bounded time.

usage: python tests/fuzz/report_fuzz.py [--seconds N] [--runs N] [--seed N] [--found DIR]

An input fails if anything but AnalysisError is raised, if it takes more than a second, or if the part of the page has
a tag or attribute that is not listed. Failing inputs go to DIR. Exit status: 0 none failed; 1 one failed.
"""

from __future__ import annotations

import argparse
import random
import re
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from rigidlimit.analysis.report.fragment import ATTRIBUTES, TAGS, fragment
from rigidlimit.analysis.tables import AnalysisError

SEED = """<section class="rigidlimit"><meta charset="utf-8"/><style>p{color:red}</style><header><h2>a</h2></header>
<p class="good">✓ <strong>a: held</strong></p><details open=""><summary>Errors &amp; orders</summary>
<div class="scroll" role="region" aria-label="Errors" tabindex="0"><table><thead><tr><th class="number">ε</th></tr></thead>
<tbody><tr><td class="number">1·10<sup>−1</sup></td></tr></tbody></table></div></details><ul><li>a</li></ul></section>"""
WORDS = ["<a ", "<![", "<![CDATA[", "]]>", "<!--", "-->", "<?", "<!DOCTYPE a [", "<!ENTITY b 'c'>", "&b;", "&#0;", "&#x202e;",
         "&amp;", "&", "<", ">", '"', "'", "</p>", "<p>", "<script>", "</script>", " onerror='x'", " style='x'", "\0", "\ufeff",
         "javascript:x", "<svg/onload=x>", "<p:p xmlns:p='x'/>", "\ud800"]
PART = re.compile(r'<(/?)([a-z]+)((?: [a-z-]+="[^"<>]*")*)>')
NAME = re.compile(r' ([a-z-]+)="')


def changed(chance: random.Random) -> bytes:
    """The seed after some changes: words put in, parts removed, repeated or exchanged, bytes set."""
    text = SEED
    for _ in range(chance.randint(1, 6)):
        here, there = sorted(chance.randrange(len(text) + 1) for _ in range(2))
        kind = chance.randrange(4)
        if kind == 0:
            text = text[:here] + chance.choice(WORDS) * chance.choice((1, 1, 1, 30_000)) + text[here:]
        elif kind == 1:
            text = text[:here] + text[there:]
        elif kind == 2:
            text = text[:there] + text[here:there] * chance.choice((1, 2, 20)) + text[there:]
        else:
            place = chance.randrange(len(text) + 1)
            text = text[:place] + text[here:there] + text[place:]
        text = text[:200_000] or SEED
    content = bytearray(text.encode("utf-8", errors="surrogatepass"))
    for _ in range(chance.choice((0, 0, 1, 3))):
        content[chance.randrange(len(content))] = chance.randrange(256)
    return bytes(content)


def fault_of(content: bytes) -> str:
    """Why an input fails; empty if it is shown safely or refused."""
    start = time.process_time()
    try:
        page = str(fragment(content))
    except AnalysisError:
        page = ""
    except Exception as problem:
        return f"{type(problem).__name__}: {problem}"
    if time.process_time() - start > 1.0:
        return "more than a second"
    parts = list(PART.finditer(page))
    if len(parts) != page.count("<"):
        return "text that is not escaped"
    strange = {part[2] for part in parts} - TAGS | {name for part in parts for name in NAME.findall(part[3])} - ATTRIBUTES
    return f"not listed: {', '.join(sorted(strange))}" if strange else ""


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(usage=str(__doc__).split("usage: ")[1].split("\n")[0])
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--runs", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--found", type=Path, default=Path("build/fuzz/found"))
    given = parser.parse_args(arguments)
    end, runs, faults = time.monotonic() + given.seconds, 0, 0
    while runs < given.runs and time.monotonic() < end:
        content = changed(random.Random(f"{given.seed} {runs}"))
        if fault := fault_of(content):
            given.found.mkdir(parents=True, exist_ok=True)
            file = given.found / f"report-{given.seed}-{runs}.html"
            file.write_bytes(content)
            print(f"{file}: {fault}", file=sys.stderr)
            faults += 1
        runs += 1
    print(f"{runs} reports, {faults} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
