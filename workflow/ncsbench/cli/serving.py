"""The server process, of which the jobs of a run are forks (``pipeline.freshness.job_server``)."""

from __future__ import annotations

import socket  # noqa: TID251  (of this machine, for its owner)
import sys
from importlib import import_module  # noqa: TID251  (of the names below)

from ncsbench.pipeline.freshness.job_server import serve
from ncsbench.pipeline.freshness.stage_command import find_stage

IMPORTS = {
    # pyarrow imports pandas where it first makes an array of a list: once here, not in each fork.
    "": ("ncsbench.cli.start", "pandas", "pyarrow.compute", "pyarrow.parquet"),
    "index": ("scipy.sparse", "ncsbench.corpus.indexes.vector_search", "faiss"),
    "judge": ("ncsbench.evaluation.judge.compiled_code",),
}
"""Modules to import before the first job of a stage, beside its own; ``""``: before any job."""


_prepared: set[str] = set()


def prepare_job(arguments: list[str]) -> None:
    """Import the modules of a job, and load the compiled code of the judge once it exists."""
    stage = "".join(arguments[1:2])
    module = find_stage(stage).partition(":")[0]
    for name in {"", stage} - _prepared:
        _prepared.add(name)
        for imported in IMPORTS.get(name, ()):
            import_module(imported)
    if module:
        import_module(f"ncsbench.{module}")
    if "ncsbench.evaluation.judge.compiled_code" in sys.modules and "compiled" not in _prepared:
        from ncsbench.evaluation.judge.compiled_code import is_compiled, judge_example

        if is_compiled():
            _prepared.add("compiled")
            judge_example()


def run_job() -> None:
    """Run the command of ``sys.argv``."""
    from ncsbench.cli.start import main

    main()


if __name__ == "__main__":
    serve(socket.socket(fileno=int(sys.argv[1])), prepare=prepare_job, run=run_job)
