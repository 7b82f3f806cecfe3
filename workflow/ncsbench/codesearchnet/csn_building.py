"""The stage that makes the corpus of a language."""

from __future__ import annotations

from pathlib import Path

from ncsbench.codesearchnet.csn_settings import FunctionCorpusSettings
from ncsbench.corpus.ledger import join_ledgers
from ncsbench.function_corpus.annotations import find_annotated, read_queries
from ncsbench.function_corpus.function_corpus import Origin, build_function_corpus
from ncsbench.function_corpus.function_repositories import read_function_repositories
from ncsbench.function_corpus.function_schema import COUNTS, FUNCTION_LEDGER_SCHEMA


def build_corpus_of(
    settings: FunctionCorpusSettings, inventory: Path, extracted: Path, output: Path
) -> None:
    """Make the corpus of a language: copies removed, pairs, parts, ids.

    Args:
        settings: language, repositories, annotations and options of the corpus.
        inventory: list of the files.
        extracted: folder of the extracted shards.
        output: folder of the corpus to write.
    """
    name = settings.language
    listed = read_function_repositories(settings.repositories, name, settings.filters)
    queries = read_queries(settings.queries)
    shards = [f"{shard:04}" for shard in range(settings.shards)]
    ledgers = [extracted / f"{shard}.ledger.parquet" for shard in shards]
    build_function_corpus(
        [extracted / f"{shard}.parquet" for shard in shards],
        language=name,
        output=output,
        origin=Origin(
            ranks=listed.ranks,
            parts=listed.parts,
            ledger=join_ledgers(inventory, ledgers, schema=FUNCTION_LEDGER_SCHEMA, counts=COUNTS),
            told={"absent_columns": list(listed.absent), "lines_left_out": listed.left_out},
        ),
        options=settings.corpus,
        annotated=find_annotated(settings.annotations, queries, name),
        queries=queries,
    )
