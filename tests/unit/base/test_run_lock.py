"""One run at a time; jobs end with their run."""

import errno
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from unittest.mock import Mock

import pytest

from ncsbench.base.files.run_lock import RunIsBusyError, lock_folder
from ncsbench.errors import DataError
from tests.patience import LONGEST, guard_against_hanging

RUN = f"""
import subprocess, sys, time
from ncsbench.base.files.run_lock import announce_run
announce_run()
job = subprocess.Popen([sys.executable, "-c", sys.argv[1]])
print(job.pid, flush=True)
time.sleep({LONGEST})
"""
JOB = (
    "import time; from ncsbench.base.files.run_lock import end_with_run;"
    f"end_with_run(); print('belongs to the run', flush=True); time.sleep({LONGEST})"
)


def start(root: Path, *arguments: str) -> subprocess.Popen[str]:
    environment = {**os.environ, "PYTHONPATH": str(root / "workflow")}
    environment.pop("NCSBENCH_RUN", None)
    return subprocess.Popen(
        [sys.executable, "-c", *arguments], env=environment, stdout=subprocess.PIPE, text=True
    )


def is_alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_a_second_run_in_the_folder_is_refused_with_one_line(tmp_path: Path) -> None:
    with lock_folder(tmp_path):
        with pytest.raises(RunIsBusyError, match=rf"process {os.getpid()} on .*; wait for its end"):
            lock_folder(tmp_path)
    lock_folder(tmp_path).close()


def test_a_folder_without_a_lock_is_refused_with_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(DataError, match=r"file/state/ncsbench\.lock: cannot be written \("):
        lock_folder(tmp_path / "file" / "state")
    no_locks = OSError(errno.ENOLCK, "No locks available")
    monkeypatch.setattr("fcntl.flock", Mock(side_effect=no_locks))
    with pytest.raises(DataError, match=r"cannot be locked \(No locks available\)"):
        lock_folder(tmp_path)


def test_the_lock_of_a_killed_run_and_snakemakes_files_of_it_are_gone(
    root: Path, tmp_path: Path
) -> None:
    code = (
        "import sys, time; from pathlib import Path\n"
        "from ncsbench.base.files.run_lock import lock_folder\n"
        "lock = lock_folder(Path(sys.argv[1])); print('locked', flush=True)\n"
        f"time.sleep({LONGEST})"
    )
    with start(root, code, str(tmp_path)) as run:
        assert run.stdout is not None and run.stdout.readline() == "locked\n"
        with pytest.raises(RunIsBusyError):
            lock_folder(tmp_path)
        run.send_signal(signal.SIGKILL)
    lock_folder(tmp_path).close()


def test_a_job_ends_with_its_run(root: Path) -> None:
    with start(root, RUN, JOB) as run:
        assert run.stdout is not None
        job = int(run.stdout.readline())
        assert run.stdout.readline() == "belongs to the run\n"
        assert is_alive(job)
        run.send_signal(signal.SIGKILL)
    with guard_against_hanging():
        while is_alive(job):
            time.sleep(0.05)


@pytest.mark.parametrize("run", ["", "elsewhere 1 2", "nonsense"])
def test_a_command_called_by_hand_or_on_another_machine_belongs_to_no_run(
    root: Path, run: str
) -> None:
    code = "from ncsbench.base.files.run_lock import end_with_run; end_with_run()"
    environment = {**os.environ, "PYTHONPATH": str(root / "workflow"), "NCSBENCH_RUN": run}
    assert (
        subprocess.run([sys.executable, "-c", code], env=environment, check=False).returncode == 0
    )
