"""Pairs of commands: Snakemake beside an empty workflow, a search beside the start of Python."""

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from tests.bench.made_up import ROOT, write_java
from tests.bench.paired import Pair, run_command

from ncsbench.apps.shown_tables.stage_usage import read_jobs

METHODS = 10_000
TABLE = "results/table1.csv"
EMPTY = 'rule all:\n    output: "x"\n    shell: "touch x"\n'


def compare_commands() -> Iterator[Pair]:
    """In a clone of the last commit, with this environment."""
    with tempfile.TemporaryDirectory() as temporary:
        clone, empty = Path(temporary, "clone"), Path(temporary, "empty")
        subprocess.run(["git", "clone", "--quiet", str(ROOT), str(clone)], check=True)
        Path(clone, ".venv").symlink_to(ROOT / ".venv")
        empty.mkdir()
        Path(empty, "Snakefile").write_text(EMPTY)
        settings = {"PYTHONPATH": str(clone / "workflow")}
        snakemake = str(Path(sys.executable).parent / "snakemake")

        def make_table() -> float:
            clean = ("git", "clean", "-fdxq", "-e", ".venv", "-e", "__pycache__")
            run_command(*clean, folder=clone)
            return run_command(snakemake, "--cores", "2", TABLE, folder=clone, settings=settings)

        def count_jobs() -> float:
            jobs = read_jobs(clone / "data/sample/logs")
            return sum(job.processor_seconds for job in jobs)

        yield Pair(f"{TABLE} of the sample", 925, make_table, count_jobs, "its jobs' own work", "")
        yield Pair(
            "snakemake -n, all made", 925,
            lambda: run_command(snakemake, "-n", "--cores", "1", TABLE,
                                folder=clone, settings=settings),
            lambda: run_command(snakemake, "-n", "--cores", "1", folder=empty),
            "an empty workflow", "1.0 s above",
        )  # fmt: skip
        write_java(clone / "java", "sample", METHODS)
        ncsbench = (sys.executable, "-m", "ncsbench")
        run_command(*ncsbench, "index", "java", folder=clone, settings=settings)
        yield Pair(
            "ncsbench search, cold", METHODS,
            lambda: run_command(*ncsbench, "search", "read a file line by line", "--index",
                                "java/.ncsbench", folder=clone, settings=settings),
            lambda: run_command(sys.executable, "-c", "import numpy", folder=clone),
            "a start of Python that imports NumPy", "0.35 s",
        )  # fmt: skip


STAGES = {"commands": compare_commands}
