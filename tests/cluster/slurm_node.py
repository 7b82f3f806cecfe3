"""A real SLURM of one node on this machine, of Debian's packages, for as long as a test needs it.

Configuration, keys, state and logs lie in a temporary folder; only control groups cannot. Its jobs
have no network: the program of each step runs in a network namespace of its own, in which not even
loopback is up. Only SLURM's own processes talk to each other.
"""

import contextlib
import os
import platform
import pwd
import secrets
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from types import TracebackType
from typing import IO, Self

PROGRAMS = ("munged", "slurmctld", "slurmd", "sbatch", "srun", "squeue")
_PLACES = os.pathsep.join([os.environ.get("PATH", os.defpath), "/usr/sbin", "/sbin"])
_GROUPS = Path("/sys/fs/cgroup/memory")
_PATIENCE = 120  # seconds; a busy machine is no reason to fail
_SRUN = """#!/bin/sh
# The program of a step without a network; srun itself must reach slurmctld, and Snakemake's
# executor hands it no variable that begins with SLURM.
options=
while [ "${{1#-}}" != "$1" ]; do options="$options $1"; shift; done
SLURM_CONF={configuration} exec {srun} $options {unshare} "$@"
"""
_CONFIGURATION = """\
ClusterName=ncsbench
SlurmctldHost={name}(127.0.0.1)
AuthInfo=socket={folder}/munge/socket
SlurmUser={user}
SlurmdUser={user}
SlurmctldPort={ports[0]}
SlurmdPort={ports[1]}
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
AccountingStorageType=accounting_storage/none
ProctrackType=proctrack/linuxproc
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU_Memory
SwitchType=switch/none
MpiDefault=none
ReturnToService=2
MinJobAge=3600
KillWait=2
{limits}
NodeName={name} NodeAddr=127.0.0.1 CPUs={cores} RealMemory={memory}
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""
_BY_GROUPS = """\
TaskPlugin=task/cgroup
JobAcctGatherType=jobacct_gather/none"""
_BY_ACCOUNTING = """\
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/linux
JobAcctGatherFrequency=task=1
JobAcctGatherParams=OverMemoryKill"""
_CGROUP_CONFIGURATION = """\
CgroupPlugin=cgroup/v1
CgroupMountpoint=/sys/fs/cgroup
ConstrainRAMSpace=yes
ConstrainSwapSpace=no
"""


def find_missing() -> list[str]:
    """Programs of SLURM and munge that are not installed."""
    return [name for name in PROGRAMS if shutil.which(name, path=_PLACES) is None]


class SlurmNode:
    """SLURM on this machine while the context lasts.

    Attributes:
        environment: variables under which ``sbatch``, ``squeue`` and ``srun`` are its.
        port: of slurmctld on loopback, which jobs cannot reach.
        by_groups: whether the kernel ends a job at its memory, by a control group; else SLURM looks
            at its jobs every second and ends them (``OverMemoryKill``).
    """

    def __init__(self, *, by_groups: bool | None = None) -> None:
        self.by_groups = self.can_group() if by_groups is None else by_groups
        self._folder = Path(tempfile.mkdtemp(prefix="slurm-"))
        self._processes: list[subprocess.Popen[bytes]] = []
        self.port = 0
        self.environment: dict[str, str] = {}

    @staticmethod
    def can_group() -> bool:
        """Whether this user may make control groups of memory (version 1, as SLURM 22.05 needs)."""
        return os.access(_GROUPS, os.W_OK)

    def __enter__(self) -> Self:
        try:
            self._configure()
            self._start("munged", "--foreground", *self._munge_options())
            self._wait("munge did not start", ["munge", "-n", "-S", self._folder / "munge/socket"])
            self._start("slurmctld", "-D")
            self._start("slurmd", "-D", "-N", _name())
            self._wait("no node got ready", ["srun", "--mem=50", "-n1", "true"])
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        self.stop()

    def read_states(self) -> list[str]:
        """States of all jobs, those that have ended too, in the order they were submitted."""
        done = self._run(["squeue", "--states=all", "--noheader", "--sort=i", "--format=%T"])
        return done.stdout.decode().split()

    def stop(self) -> None:
        """End jobs and daemons and remove their folder; nothing is left, however much had begun."""
        if len(self._processes) > 1:
            self._run(["scancel", "--user", _user()])
            self._wait("", ["sh", "-c", 'test -z "$(squeue --noheader)"'], patience=20)
        for process in reversed(self._processes):
            process.terminate()
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        self._processes.clear()
        if self.by_groups:  # of jobs, empty by now
            self._remove_groups()
        shutil.rmtree(self._folder, ignore_errors=True)

    def _remove_groups(self) -> None:
        """Those that SLURM made for jobs, once their last processes have ended."""
        top, end = _GROUPS / f"slurm_{_name()}", time.monotonic() + 20
        while top.exists() and time.monotonic() < end:
            for folder, _, _ in os.walk(top, topdown=False):
                with contextlib.suppress(OSError):
                    Path(folder).rmdir()
            time.sleep(0.2)

    def _configure(self) -> None:
        self._folder.chmod(0o755)  # munge wants its socket within reach of everybody
        for name in ("munge", "state", "spool", "bin"):
            (self._folder / name).mkdir(mode=0o755)
        key = self._folder / "munge/key"
        key.touch(mode=0o600)
        key.write_bytes(secrets.token_bytes(1024))
        ports = _find_ports(2)
        self.port = ports[0]
        text = _CONFIGURATION.format(
            name=_name(),
            folder=self._folder,
            user=_user(),
            ports=ports,
            limits=_BY_GROUPS if self.by_groups else _BY_ACCOUNTING,
            cores=os.cpu_count(),
            memory=os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") * 9 // 10 // 2**20,
        )
        (self._folder / "slurm.conf").write_text(text)
        (self._folder / "cgroup.conf").write_text(_CGROUP_CONFIGURATION * self.by_groups)
        unshare = f"{_find('unshare')} --net {'--user --map-current-user' * (os.getuid() > 0)}"
        srun = self._folder / "bin/srun"
        configuration = self._folder / "slurm.conf"
        srun.write_text(
            _SRUN.format(srun=_find("srun"), unshare=unshare, configuration=configuration)
        )
        srun.chmod(0o755)
        self.environment = {
            "PATH": f"{self._folder}/bin{os.pathsep}{_PLACES}",
            "SLURM_CONF": str(configuration),
        }

    def _munge_options(self) -> list[str]:
        folder = self._folder / "munge"
        files = ("socket", "key-file", "pid-file", "log-file", "seed-file")
        return [f"--{name}={folder / name.removesuffix('-file')}" for name in files]

    def _start(self, *command: str) -> None:
        """Start a daemon as a child that the kernel ends with this process."""
        with self._log(command[0]) as log:
            self._processes.append(
                subprocess.Popen(
                    ["setpriv", "--pdeathsig=KILL", _find(command[0]), *command[1:]],
                    env={**os.environ, **self.environment},
                    stdin=subprocess.DEVNULL,
                    stdout=log,
                    stderr=log,
                    start_new_session=True,  # an interrupt of the terminal is not for it
                )
            )

    def _log(self, name: str) -> IO[bytes]:
        return (self._folder / f"{name}.out").open("wb")

    def _run(self, command: list[str | Path]) -> subprocess.CompletedProcess[bytes]:
        return subprocess.run(
            command,
            env={**os.environ, **self.environment},
            capture_output=True,
            timeout=_PATIENCE,
            check=False,
        )

    def _wait(self, complaint: str, command: list[str | Path], patience: float = _PATIENCE) -> None:
        """Until a command succeeds; ``RuntimeError`` with what the daemons said where none does."""
        end = time.monotonic() + patience
        while self._run(command).returncode:
            if time.monotonic() > end:
                if not complaint:
                    return
                said = "".join(
                    f"\n{path.name}: {path.read_text(errors='replace')[-2000:]}"
                    for path in sorted(self._folder.rglob("*.[lo][ou][gt]"))
                )
                raise RuntimeError(f"slurm: {complaint}{said}")
            time.sleep(0.5)


def _find(name: str) -> str:
    found = shutil.which(name, path=_PLACES)
    if found is None:
        sys.exit(f"cluster: error: {name} is not installed; make cluster_packages (as root)")
    return found


def _name() -> str:
    return platform.node().split(".")[0]


def _user() -> str:
    return pwd.getpwuid(os.getuid()).pw_name


def _find_ports(number: int) -> list[int]:
    with contextlib.ExitStack() as stack:
        sockets = [stack.enter_context(socket.socket()) for _ in range(number)]
        for one in sockets:
            one.bind(("127.0.0.1", 0))
        return [one.getsockname()[1] for one in sockets]
