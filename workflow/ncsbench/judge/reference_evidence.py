"""The texts that files of reference values refer to, from questions and a corpus."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa

from ncsbench.corpus.layout import CorpusFolder
from ncsbench.judge.reference_check import Evidence, MethodKey, wanted_methods


def read_evidence(folder: Path, questions: pa.Table | None, corpus: Path | None) -> Evidence:
    """Read what the files of a folder can be checked by.

    Args:
        folder: the files of reference values.
        questions: a table of ``QUESTION_SCHEMA``; None where answers are not at hand.
        corpus: folder of a built corpus; None where there is none.
    """
    rows = [] if questions is None else questions.to_pylist()
    return Evidence(
        answers={row["stackoverflow_id"]: row["answer"] for row in rows},
        methods=_read_code(corpus, wanted_methods(folder)) if corpus else {},
    )


def _read_code(corpus: Path, wanted: set[MethodKey]) -> dict[MethodKey, str]:
    """Text of the wanted methods; of several on the same lines the first."""
    columns = ["repository", "path", "start_line", "end_line", "code"]
    found: dict[MethodKey, str] = {}
    for table in CorpusFolder(corpus).iterate_methods(columns):
        for repository, path, start, end, code in zip(
            *(table[name].to_pylist() for name in columns), strict=True
        ):
            key = (repository, path, str(start), str(end))
            if key in wanted:
                found.setdefault(key, code)
    return found
