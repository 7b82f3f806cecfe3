"""The run of a model for the queries of the micro-benchmark.

It is a module of its own, so that a changed ranker repeats the search but not the making of
queries.
"""

from __future__ import annotations

from pathlib import Path

from ncsbench.rankers.model_run import write_model_run
from ncsbench.rankers.ranker_options import RankerSettings, RetrievalSettings
from ncsbench.studies.ncs_2018.micro_queries import read_micro_queries


def search_micro_queries(
    settings: RankerSettings,
    retrieval: RetrievalSettings,
    words: Path,
    index: Path,
    tag: str,
    queries: Path,
    output: Path,
) -> None:
    """Rank the methods for every query of the micro-benchmark and write a TREC run file.

    Args:
        settings: the ranker and its seed.
        retrieval: depth of the rankings.
        words: folder of the corpus as words.
        index: folder of the model's index.
        tag: name of the run in its file.
        queries: queries of the micro-benchmark as Parquet.
        output: file to write.
    """
    asked = read_micro_queries(queries)
    write_model_run(settings, retrieval, words, index, asked, tag, output)
