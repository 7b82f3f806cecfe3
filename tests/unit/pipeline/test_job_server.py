"""Jobs as forks of one process end, print and fail as they do by themselves."""

import errno
import os
import re
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from ncsbench.pipeline.freshness import job_server

Run = Callable[..., "subprocess.Popen[str]"]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    monkeypatch.setenv(job_server.SOCKET, "")  # both are given back after the test
    monkeypatch.setenv(job_server.PYTHON, "")
    return tmp_path


@pytest.fixture
def server(folder: Path) -> Iterator[subprocess.Popen[bytes]]:
    process = job_server.start_server(Path(), "ncsbench.cli.serving")
    assert process is not None and process.stdin is not None
    yield process
    process.stdin.close()
    assert process.wait(60) in (0, -signal.SIGKILL)  # it ends when its standard input does
    assert list(folder.glob("ncsbench.jobs.*")) == []


@pytest.fixture
def run(root: Path) -> Run:
    command = str(root / "workflow" / "bin" / "ncsbench")
    return lambda *arguments, **environment: subprocess.Popen(
        [command, *arguments],
        env={**os.environ, **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def jobs_of(server: subprocess.Popen[bytes]) -> list[int]:
    path = Path(f"/proc/{server.pid}/task/{server.pid}/children")
    return [int(word) for word in path.read_text().split()]


def wait_for(condition: Callable[[], object]) -> None:
    for _ in range(600):
        if condition():
            return
        time.sleep(0.1)
    raise AssertionError("waited for a minute")


def is_read(fifo: Path) -> bool:
    """Whether a process reads it, which then finds its end; never waits for one."""
    try:
        os.close(os.open(fifo, os.O_WRONLY | os.O_NONBLOCK))
    except OSError as error:
        assert error.errno == errno.ENXIO  # nobody does yet
        return False
    return True


@pytest.mark.parametrize(
    "arguments", [["--version"], ["tables", "show", "missing.csv"], ["tables"], ["no", "command"]]
)
def test_a_fork_says_and_ends_as_a_process_does(
    server: subprocess.Popen[bytes], run: Run, arguments: list[str]
) -> None:
    one, other = run(*arguments), run(*arguments, NCSBENCH_JOBS="")
    assert one.communicate(timeout=60) == other.communicate(timeout=60)
    assert one.returncode == other.returncode


def test_a_job_is_a_fork_in_the_folder_of_its_client(
    server: subprocess.Popen[bytes], run: Run, folder: Path
) -> None:
    os.mkfifo(folder / "table.csv")
    client = run("tables", "show", "table.csv")
    wait_for(lambda: jobs_of(server))
    (job,) = jobs_of(server)
    assert Path(f"/proc/{job}/cwd").resolve() == folder.resolve()
    os.kill(job, signal.SIGKILL)
    client.communicate(timeout=60)
    assert client.returncode == -signal.SIGKILL


def test_a_job_ends_with_its_client_and_the_server_goes_on(
    server: subprocess.Popen[bytes], run: Run, folder: Path
) -> None:
    os.mkfifo(folder / "table.csv")
    clients = [run("tables", "show", "table.csv") for _ in range(2)]
    wait_for(lambda: len(jobs_of(server)) == 2)
    for client in clients:
        client.kill()
        client.communicate(timeout=60)
    wait_for(lambda: not jobs_of(server))
    assert run("--version").wait(60) == 0


def test_jobs_end_with_the_server(server: subprocess.Popen[bytes], run: Run, folder: Path) -> None:
    os.mkfifo(folder / "table.csv")
    client = run("tables", "show", "table.csv")
    wait_for(lambda: jobs_of(server))
    (job,) = jobs_of(server)
    assert server.stdin is not None
    server.stdin.close()
    assert "run snakemake again" in client.communicate(timeout=60)[1]
    assert client.returncode == 1
    wait_for(lambda: not Path(f"/proc/{job}").exists())


@pytest.mark.parametrize(
    "environment", [{"OMP_NUM_THREADS": "2"}, {job_server.PYTHON: "/another/python"}]
)
def test_jobs_that_the_server_cannot_run_start_python(
    server: subprocess.Popen[bytes], run: Run, folder: Path, environment: dict[str, str]
) -> None:
    os.mkfifo(folder / "table.csv")
    client = run("tables", "show", "table.csv", **environment)
    wait_for(lambda: is_read(folder / "table.csv"))
    client.communicate(timeout=60)
    assert client.returncode == 1
    assert jobs_of(server) == []


def test_without_an_answer_python_is_started(folder: Path, run: Run) -> None:
    process = job_server.start_server(Path(), "ncsbench.cli.serving")
    assert process is not None
    process.kill()
    process.communicate()
    client = run("--version")
    assert client.communicate(timeout=60)[0].startswith("ncsbench ")
    assert client.returncode == 0


def test_only_the_owner_may_ask(server: subprocess.Popen[bytes], folder: Path) -> None:
    (path,) = folder.glob("ncsbench.jobs.*")
    assert path.stat().st_mode & 0o077 == 0


def test_the_socket_of_a_killed_server_is_removed_by_the_next(
    folder: Path, server: subprocess.Popen[bytes]
) -> None:
    server.kill()
    server.wait()
    (left,) = folder.glob("ncsbench.jobs.*")
    next_one = job_server.start_server(Path(), "ncsbench.cli.serving")
    assert next_one is not None
    (path,) = folder.glob("ncsbench.jobs.*")
    next_one.communicate()
    assert left == path
    assert not path.exists()


def test_every_import_of_the_server_exists() -> None:
    from importlib.util import find_spec

    from ncsbench.cli.serving import IMPORTS

    assert all(find_spec(name) for names in IMPORTS.values() for name in names)


def test_no_rule_has_a_benchmark_which_would_measure_the_client(root: Path) -> None:
    rules = sorted((root / "workflow" / "rules").glob("*.smk"))
    assert rules
    assert [path.name for path in rules if re.search(r"(?m)^ +benchmark:$", path.read_text())] == []
