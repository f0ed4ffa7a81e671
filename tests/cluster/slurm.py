"""A private Slurm on this machine: a controller and two nodes, started and stopped by a test."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

PROGRAMS = ("munged", "slurmctld", "slurmd", "sbatch", "scontrol")
PACKAGES = "slurmctld slurmd slurm-client munge"
NODES = ("n1", "n2")
CONF = """ClusterName=test
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={ports[0]}
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket={place}/munge.socket
CredType=cred/munge
MpiDefault=none
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
SchedulerParameters=sched_interval=1,batch_sched_delay=0
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
StateSaveLocation={place}/state
SlurmdSpoolDir={place}/spool.%n
SlurmctldPidFile={place}/slurmctld.pid
SlurmdPidFile={place}/slurmd.%n.pid
SlurmctldLogFile={place}/slurmctld.log
SlurmdLogFile={place}/slurmd.%n.log
SlurmdParameters=config_overrides
ReturnToService=2
JobRequeue=0
SlurmdTimeout=10
KillWait=2
NodeName=n1 NodeHostname={host} NodeAddr=127.0.0.1 Port={ports[1]} CPUs=2 RealMemory=4000
NodeName=n2 NodeHostname={host} NodeAddr=127.0.0.1 Port={ports[2]} CPUs=2 RealMemory=4000
PartitionName=all Nodes=n[1-2] Default=YES MaxTime=INFINITE State=UP
"""


def not_tested(why: str) -> None:
    pytest.skip(f"NOT TESTED: {why}")


def free_ports(count: int) -> list[int]:
    with contextlib.ExitStack() as stack:
        sockets = [stack.enter_context(socket.socket()) for _ in range(count)]
        for one in sockets:
            one.bind(("127.0.0.1", 0))
        return [one.getsockname()[1] for one in sockets]


def variables(process: Path) -> list[str]:
    """The environment of a process of /proc, empty for a process that has ended."""
    try:
        return (process / "environ").read_text(errors="replace").split("\0")
    except OSError:
        return []


def status(process: Path, key: str) -> str:
    """A line of /proc/PID/status, empty for a process that has ended."""
    with contextlib.suppress(OSError):
        for line in (process / "status").read_text().splitlines():
            if line.startswith(f"{key}:"):
                return line.split(":", 1)[1].strip()
    return ""


class Slurm:
    def __init__(self, place: Path) -> None:
        self.place = place
        self.environment = {**os.environ, "SLURM_CONF": str(place / "slurm.conf")}
        for name in ("state", *(f"spool.{node}" for node in NODES)):
            (place / name).mkdir()
        (place / "munge.key").write_bytes(os.urandom(1024))
        (place / "munge.key").chmod(0o400)
        (place / "slurm.conf").write_text(
            CONF.format(place=place, host=socket.gethostname().split(".")[0], ports=free_ports(3)))

    def start(self) -> None:
        self._daemon("munged", f"--key-file={self.place}/munge.key", "--num-threads=10",
                     f"--socket={self.place}/munge.socket", f"--pid-file={self.place}/munged.pid",
                     f"--log-file={self.place}/munged.log", f"--seed-file={self.place}/munge.seed")
        self._daemon("slurmctld", "-c")
        for node in NODES:
            self.start_node(node)
        self.wait(lambda: self.run("sinfo", "-hNo", "%T").split() == ["idle"] * len(NODES), 30)

    def start_node(self, node: str) -> None:
        self._daemon("slurmd", "-N", node)

    def kill_node(self, node: str) -> None:
        """Ends the node's daemon, and then its jobs: a lost node leaves no process behind that completes its part."""
        os.kill(self._process(f"slurmd.{node}"), signal.SIGKILL)
        jobs = [process for process in Path("/proc").glob("[0-9]*") if f"SLURMD_NODENAME={node}" in variables(process)]
        parents = {Path("/proc") / status(process, "PPid") for process in jobs}
        for process in (*(parent for parent in parents if status(parent, "Name") == "slurmstepd"), *jobs):
            with contextlib.suppress(OSError):
                os.kill(int(process.name), signal.SIGKILL)

    def stop(self) -> None:
        with contextlib.suppress(subprocess.SubprocessError):
            self.run("scancel", "--me")
            self.wait(lambda: not self.queue(), 10)
        for name in (*(f"slurmd.{node}" for node in NODES), "slurmctld", "munged"):
            with contextlib.suppress(OSError, ValueError):
                process = self._process(name)
                os.kill(process, signal.SIGTERM)
                end = time.monotonic() + 5
                while time.monotonic() < end and Path(f"/proc/{process}").exists():
                    time.sleep(0.1)
                os.kill(process, signal.SIGKILL)

    def run(self, *command: str, folder: Path | None = None) -> str:
        return subprocess.run(command, env=self.environment, cwd=folder, check=True, text=True,
                              capture_output=True, timeout=20).stdout

    def queue(self) -> list[str]:
        return self.run("squeue", "-hro", "%i").split()

    def wait(self, condition, seconds: float) -> None:
        end = time.monotonic() + seconds
        while not condition():
            if time.monotonic() > end:
                pytest.fail(f"no success within {seconds} s:\n" + self.run("squeue") + self.logs())
            time.sleep(0.3)

    def try_a_job(self) -> None:
        """Not tested if this machine runs daemons but no jobs."""
        self.run("sbatch", "--wrap", "true", "--output", "/dev/null", folder=self.place)
        end = time.monotonic() + 60
        while self.queue():
            if time.monotonic() > end:
                not_tested(f"no job ends here:\n{self.run('squeue')}{self.logs()}")
            time.sleep(0.3)

    def facts(self, job: str) -> dict[str, str]:
        """The fields of `scontrol show job`."""
        words = self.run("scontrol", "-o", "show", "job", job).splitlines()[0].split()
        return dict(word.split("=", 1) for word in words if "=" in word)

    def logs(self) -> str:
        return "".join(f"== {log.name}\n{log.read_text()[-1500:]}"
                       for log in sorted(self.place.glob("*.log")))

    def _process(self, name: str) -> int:
        return int((self.place / f"{name}.pid").read_text())

    def _daemon(self, *command: str) -> None:
        done = subprocess.run(command, env=self.environment, text=True, timeout=10, check=False,
                              stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL)
        if done.returncode != 0:
            not_tested(f"{command[0]} does not start here:\n{self.logs()}")


@contextlib.contextmanager
def private_slurm() -> Iterator[Slurm]:
    """munged accepts only a folder that every user may enter."""
    missing = [name for name in PROGRAMS if shutil.which(name) is None]
    if missing:
        words = f"no {missing[0]} in the PATH; on Debian: apt-get install {PACKAGES}"
        if os.environ.get("CI"):
            pytest.fail(f"NOT TESTED: {words}")
        not_tested(words)
    if os.geteuid() != 0:
        not_tested("the daemons of Slurm need root")
    place = Path(tempfile.mkdtemp(prefix="slurm-"))
    place.chmod(0o755)
    slurm = Slurm(place)
    try:
        slurm.start()
        slurm.try_a_job()
        yield slurm
    finally:
        slurm.stop()
        shutil.rmtree(place, ignore_errors=True)
