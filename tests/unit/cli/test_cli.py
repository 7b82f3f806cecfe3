"""The command line: one line for a user's mistake, a traceback only on demand."""

import os
import pty
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import ncsbench


def run(root: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(root / "workflow" / "bin" / "ncsbench"), *arguments],
        env={"PATH": f"{Path(sys.executable).parent}:/usr/bin:/bin"},
        capture_output=True,
        text=True,
        check=False,
    )


def test_a_mistake_ends_in_one_line(root: Path) -> None:
    done = run(root, "tables", "show", "no/such.csv")
    assert done.returncode == 1
    assert done.stderr.startswith("ncsbench: error: no/such.csv: ")
    assert done.stderr.count("\n") == 1
    assert done.stdout == ""


def test_an_error_whose_log_lies_on_a_full_disk_is_said_on_the_other_stream(root: Path) -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [str(root / "workflow" / "bin" / "ncsbench"), "tables", "show", "no/such.csv"],
            env={"PATH": f"{Path(sys.executable).parent}:/usr/bin:/bin"},
            stdout=subprocess.PIPE, stderr=full, text=True, check=False,
        )  # fmt: skip
    assert done.returncode != 0
    assert done.stdout.startswith("ncsbench: error: no/such.csv: ")


def test_a_comparison_without_a_corpus_says_how_to_make_one(root: Path, tmp_path: Path) -> None:
    done = run(root, "corpus", "compare", "--corpus", str(tmp_path), "--released", "x.jsonl")
    assert (
        f"{tmp_path}: holds no built corpus; make one in data/NAME/corpus: snakemake "
        in done.stderr
    )


def test_the_version_is_that_of_the_library(root: Path) -> None:
    assert run(root, "--version").stdout == f"ncsbench {ncsbench.__version__}\n"


def test_debug_shows_the_traceback(root: Path) -> None:
    assert "Traceback" in run(root, "--debug", "tables", "show", "no/such.csv").stderr


def test_a_reader_who_leaves_ends_a_command_quietly(root: Path) -> None:
    """As ``| head`` does: what is printed at once, and what waits until the end."""
    for arguments in (["--help"], ["labels", "sheet", "--help"], ["--version"]):
        read, write = os.pipe()
        os.close(read)
        done = subprocess.run(
            [str(root / "workflow" / "bin" / "ncsbench"), *arguments],
            env={"PATH": f"{Path(sys.executable).parent}:/usr/bin:/bin"},
            stdout=write, stderr=subprocess.PIPE, text=True, check=False,
        )  # fmt: skip
        os.close(write)
        assert (done.returncode, done.stderr) == (128 + signal.SIGPIPE, ""), arguments


def test_a_wrong_call_exits_with_2(root: Path) -> None:
    done = run(root, "corpus", "extrakt")
    assert done.returncode == 2
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("group", ["corpus", "labels", "evidence", "tables"])
def test_every_group_explains_itself(root: Path, group: str) -> None:
    done = run(root, group, "--help")
    assert done.returncode == 0
    assert "Commands" in done.stdout


def write_published_table(root: Path, output: Path) -> subprocess.CompletedProcess[str]:
    return run(
        root, "stage", "published_table1",
        "--printed", str(root / "config/published/ncsed_table1.csv"),
        "--sheet", str(root / "config/published/score_sheet.csv"),
        "--output", str(output),
    )  # fmt: skip


def test_a_command_logs_its_time_and_peak_memory(root: Path, tmp_path: Path) -> None:
    done = write_published_table(root, tmp_path / "t.csv")
    assert done.returncode == 0
    assert "usage: seconds=" in done.stderr
    assert "peak_mib=" in done.stderr


def test_at_a_terminal_it_logs_no_usage(root: Path, tmp_path: Path) -> None:
    ours, theirs = pty.openpty()
    command = [
        *(sys.executable, "-m", "ncsbench", "stage", "published_table1"),
        *("--printed", str(root / "config/published/ncsed_table1.csv")),
        *("--sheet", str(root / "config/published/score_sheet.csv")),
        *("--output", str(tmp_path / "t.csv")),
    ]
    environment = {**os.environ, "PYTHONPATH": str(root / "workflow")}
    subprocess.run(command, stderr=theirs, env=environment, check=True)
    os.write(theirs, b"end")
    assert os.read(ours, 10_000) == b"end"


def test_help_starts_without_the_heavy_packages(root: Path) -> None:
    code = (
        "import sys; sys.argv = ['ncsbench', '--help']\n"
        "import ncsbench.cli.main\n"
        "print(sorted({'torch', 'faiss', 'fasttext', 'tree_sitter', 'numpy', 'pandas'}"
        " & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={"PYTHONPATH": str(root / "workflow"), "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == "[]"


def test_a_full_or_forbidden_place_ends_in_one_line(root: Path) -> None:
    done = write_published_table(root, Path("/dev/null/t.csv"))
    assert done.returncode == 1
    assert done.stderr.startswith("ncsbench: error: ")
    assert "Traceback" not in done.stderr
