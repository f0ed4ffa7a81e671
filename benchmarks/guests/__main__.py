"""Sets integrators of other projects beside ours: experiments/benchmarks/guests.toml with their methods.

    scripts/guests [options] [GUEST...]

Writes errors.csv, the figures and table.md to results/guests. A guest that is not installed is a row with the reason.
"""

from __future__ import annotations

import argparse
import importlib
import os
import sys
import tomllib
from pathlib import Path

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ[variable] = "1"
os.environ["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"

import rigidlimit as rl

from .table import table

ROOT = Path(__file__).resolve().parents[2]
STUDY = ROOT / "experiments/benchmarks/guests.toml"
GUESTS = sorted(path.stem.removesuffix("_guest") for path in Path(__file__).parent.glob("*_guest.py"))


def invited(guests: list[str]) -> tuple[dict[str, list[str]], dict[str, str]]:
    """The methods of each guest, whose names begin with its own, and the reason for each guest without."""
    methods: dict[str, list[str]] = {}
    missing: dict[str, str] = {}
    for guest in guests:
        try:
            importlib.import_module(f".{guest}_guest", __package__)
        except (ImportError, OSError) as reason:
            missing[guest] = str(reason).splitlines()[0]
        else:
            methods[guest] = [name for name in rl.methods() if name.startswith(f"{guest}_")]
    return methods, missing


def parse(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="scripts/guests", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("guests", nargs="*", metavar="GUEST", help=f"default: all of {', '.join(GUESTS)}")
    parser.add_argument("--study", type=Path, default=STUDY, metavar="FILE",
                        help="a benchmark of kind work_precision (default: experiments/benchmarks/guests.toml)")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="override a key of the study")
    parser.add_argument("--unit", default="radau_iia", metavar="METHOD",
                        help="the method of time 1 (default: radau_iia)")
    parser.add_argument("--errors", type=float, nargs="+", default=[1e-4, 1e-8], metavar="X",
                        help="errors of the table, at the end (default: 1e-4 1e-8)")
    parser.add_argument("--results", type=Path, default=Path("results"), metavar="DIR",
                        help="the folder of results/NAME (default: results)")
    options = parser.parse_args(arguments)
    if unknown := sorted(set(options.guests) - set(GUESTS)):
        parser.error(f"no guest '{unknown[0]}'; there are: {', '.join(GUESTS)}")
    return options


def main(arguments: list[str] | None = None) -> int:
    options = parse(arguments)
    try:
        study = rl.Study.load(options.study, options.set)
        ours = tomllib.loads(study.resolved)["benchmark"]["methods"]
        methods, missing = invited(options.guests or GUESTS)
        for guest, reason in missing.items():
            print(f"{guest}: {reason}", file=sys.stderr)
        if options.unit not in ours:
            raise rl.InputError(f"{options.unit} is not among the methods of the study", "--unit")
        study = study.with_(benchmark={"methods": ours + [name for names in methods.values() for name in names]})
        result = study.run(results=options.results)
    except rl.InputError as error:
        print(f"guests: {error}", file=sys.stderr)
        return 2
    text = table(result, options.unit, options.errors, missing)
    (options.results / study.name / "table.md").write_text(text, encoding="utf-8")
    print(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
