"""interrupted_inputs.py PROGRAM [CASE...]: Ctrl-C ends every command within 5 CPU seconds.

Each case has a large valid value of one key. A SIGINT follows after 5 CPU seconds; the script
prints the CPU seconds from there to the end, and ends with status 1 if one case needs more than 5,
or ends with another status than 130. A case that ends before the SIGINT is no failure. Not part of
the gate: it takes some minutes.
"""
import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

BEFORE, MOST, PATIENCE = 5.0, 5.0, 30.0  # CPU seconds

ROLLING = """
study.name = "case"
system.name = "knife_edge"
epsilon.values = [1e-2, 3e-3, 1e-3]
time = {end = 0.5, samples = 11}
solvers = {rigid = ["radau_iia"], compliant = ["radau_iia"], rtol = 1e-8}
"""
FRICTION = """
study.name = "case"
system.name = "wheel"
contact.friction = ["projected"]
epsilon.values = [1e-2, 3e-3]
time = {end = 0.5, samples = 11}
solvers = {rtol = 1e-8, atol = 1e-10, moreau_jean = [1e-3]}
history.outcome = "success"
"""
CHAIN = """
benchmark = {name = "case", kind = "cost_count", methods = ["cvode_bdf"]}
tolerance.rtol = 1e-4
timing.repeats = 1
[[problem]]
chain = [30000]
epsilon = [1e-2]
"""
SWEEP = ROLLING + "\n[sweep]\ncontact.damping_ratio = {from = 0.1, to = 1.0, count = 10000}\n"
LADDER = "epsilon={from=1e-2,to=1e-6,count=10000}"

# Name, file, command, options; --set KEY=VALUE where one has '='.
CASES = [
    ("samples", ROLLING, "run", ["time.samples=1000000"]),
    ("samples_composite", ROLLING, "run", ["time.samples=1000000", 'study.against="composite"']),
    ("samples_friction", FRICTION, "run", ["time.samples=100000"]),
    ("layer_samples", ROLLING, "run", ["time.layer_samples=1000000"]),
    ("layer_per_decade", FRICTION, "run", ["time.layer_per_decade=1000"]),
    ("draws", FRICTION, "run", ["time.samples=100000", "inequality.draws=100000"]),
    ("epsilons", ROLLING, "run", [LADDER]),
    ("epsilons_dry_run", ROLLING, "run", [LADDER, "--dry-run"]),
    ("epsilons_friction", FRICTION, "run", [LADDER]),
    ("chain", CHAIN, "run", []),
    ("chain_dry_run", CHAIN, "run", ["--dry-run"]),
    ("sweep", SWEEP, "run", []),
    ("sweep_dry_run", SWEEP, "run", ["--dry-run"]),
    ("check", ROLLING + 'expect = [{quantity = "q", order = 2.0, within = 0.1}]\n', "check", ["time.samples=1000000"]),
    ("end", ROLLING, "run", ["time.end=1e6"]),
    ("steps", ROLLING, "run", ["time.end=1e3", "solvers.steps=100000000", 'solvers.compliant=["radau_iia_3"]']),
    ("moreau_jean", FRICTION, "run", ["solvers.moreau_jean=[1e-7]"]),
    ("certified", ROLLING, "run", ["time.end=1e6", "solvers.certified=true"]),
    ("prove", ROLLING, "prove", ["time.end=1e9"]),
    ("expand", ROLLING, "expand", ["time.end=1e6"]),
    ("stiffness", ROLLING, "stiffness", ["time.samples=1000000", "--error=q=1e-6"]),
    ("export_problem", ROLLING, "export-problem", ["time.end=1e6"]),
    ("export_problem_epsilon", ROLLING, "export-problem", ["--epsilon", "1e-50"]),
]


def cpu_seconds(pid):
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def wait_for(process, seconds, used=0.0):
    """Waits until the process has used `seconds`, or has ended; the CPU seconds that it has used."""
    while process.poll() is None and used < seconds:
        time.sleep(0.05)
        used = cpu_seconds(process.pid) if process.poll() is None else used
    return used


def judged(program, text, command, options):
    """The faults of the case, and the observations."""
    words = []
    for option in options:
        words += [option] if option.startswith("-") or "=" not in option else ["--set", option]
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "case.toml").write_text(text)
        with open(Path(folder, "err"), "w") as err:
            process = subprocess.Popen([program, command, "case.toml", *words], cwd=folder,
                                       stdout=subprocess.DEVNULL, stderr=err)
        before = wait_for(process, BEFORE)
        if process.poll() is not None:
            last = (Path(folder, "err").read_text().strip().splitlines() or [""])[-1]
            return False, f"ended before, status {process.returncode}  {last[:100]}"
        process.send_signal(signal.SIGINT)
        used = wait_for(process, before + PATIENCE, before) - before
        alive = process.poll() is None
        if alive:
            process.kill()
        status = process.wait()
    seen = "did not end" if alive else f"{used:.1f} s, status {status}"
    return alive or used > MOST or status != 130, seen


def main():
    program, chosen = os.path.abspath(sys.argv[1]), sys.argv[2:]
    wrong = 0
    for name, text, command, options in CASES:
        if chosen and name not in chosen:
            continue
        is_wrong, seen = judged(program, text, command, options)
        wrong += is_wrong
        print(f"{'WRONG' if is_wrong else 'ok':6}{name:24}{seen}", flush=True)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
