"""The process that the jobs of a run are forks of (``run_control.job_server``)."""

from __future__ import annotations

import socket  # noqa: TID251  (of this machine, for its owner)
import sys
from importlib import import_module  # noqa: TID251  (of the names below)

from ncsbench.run_control.job_server import serve
from ncsbench.stages import STAGES

_JUDGE = "ncsbench.judge.compiled_code"
IMPORTS = {
    "": ("ncsbench.cli.start", "pyarrow.compute", "pyarrow.parquet"),
    "corpus": ("ncsbench.corpus.extraction", "ncsbench.corpus.assembly"),
    "posts": ("ncsbench.posts.dump_passes",),
    "pairs": ("ncsbench.pairs.post_pairs", "ncsbench.pairs.docstring_pairs"),
    "evaluation.judging": (_JUDGE,),
    "tables.repository_interval_table": (_JUDGE,),
    "rankers": ("ncsbench.rankers.registry", "scipy.sparse", "faiss"),
    "training": ("ncsbench.training.word_vectors",),
    "training.unif_training": ("ncsbench.training.unif_training", "torch._dynamo"),
}
"""What is imported before the first job of all, and of a package or a module of stages, or a group
of commands; the rest by the job."""

_prepared: set[str] = set()


def prepare_job(arguments: list[str]) -> None:
    """Import what a job needs, and load the compiled code of the judge once it is there."""
    group = "".join(arguments[:1])
    if group == "stage":
        group = STAGES.get("".join(arguments[1:2]), "").partition(":")[0]
    for name in ("", group.partition(".")[0], group):
        if name not in _prepared:
            _prepared.add(name)
            for module in IMPORTS.get(name, ()):
                import_module(module)
    if _JUDGE in IMPORTS.get(group, ()) and "compiled" not in _prepared:
        from ncsbench.judge.compiled_code import is_compiled, judge_example

        if is_compiled():
            _prepared.add("compiled")
            judge_example()


def run_job() -> None:
    """Run the command of ``sys.argv``."""
    from ncsbench.cli.start import main

    main()


if __name__ == "__main__":
    serve(socket.socket(fileno=int(sys.argv[1])), prepare=prepare_job, run=run_job)
