"""Corpora of functions, built without Snakemake."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa

from ncsbench.base.files.storage import read_json, read_table, write_table
from ncsbench.corpus.function_corpus.annotations import Place
from ncsbench.corpus.function_corpus.corpus_options import CorpusOptions
from ncsbench.corpus.function_corpus.function_corpus import Origin, build_function_corpus
from ncsbench.corpus.function_corpus.function_schema import (
    EXTRACTED_SCHEMA,
    FUNCTION_SCHEMA,
    REMOVED_SCHEMA,
)

SHA = "5" * 40
DOCUMENTED = "Reads all of a file"


def make_function(repo: str, number: int, **cells: Any) -> dict[str, Any]:
    """An extracted function of twelve identifiers that is like no other, with documentation."""
    tokens = [f"word{number}_{place}" for place in range(12)]
    return {
        "name": f"read{number}",
        "repo": repo,
        "sha": SHA,
        "path": "a.go",
        "start_line": 10 * number,
        "end_line": 10 * number + 4,
        "identifier": f"read{number}",
        "docstring": DOCUMENTED,
        "summary": DOCUMENTED,
        "docstring_tokens": DOCUMENTED.split(),
        "code": " ".join(cells.get("code_tokens", tokens)),
        "code_tokens": tokens,
    } | cells


def build_corpus_of(
    folder: Path,
    shards: Sequence[Sequence[Mapping[str, Any]]],
    *,
    parts: Mapping[str, str] | None = None,
    ranks: Mapping[str, int] | None = None,
    options: Mapping[str, Any] | None = None,
    annotated: Sequence[Place] = (),
    language: str = "go",
    **others: Any,
) -> tuple[list[dict[str, Any]], list[dict[str, Any]], dict[str, Any]]:
    """The functions, those that were removed, and the manifest of a corpus, of Go by default."""
    paths = []
    for number, rows in enumerate(shards):
        path = folder / f"{number}.parquet"
        write_table(path, pa.Table.from_pylist(list(rows), EXTRACTED_SCHEMA), EXTRACTED_SCHEMA)
        paths.append(path)
    build_function_corpus(
        paths,
        language=language,
        output=folder / "corpus",
        origin=Origin(ranks=ranks or {}, parts=parts or {}),
        options=CorpusOptions.parse(options or {}, where="test"),
        annotated=annotated,
        **others,
    )
    corpus = folder / "corpus"
    return (
        read_table(corpus / "functions.parquet", FUNCTION_SCHEMA).to_pylist(),
        read_table(corpus / "duplicates.parquet", REMOVED_SCHEMA).to_pylist(),
        read_json(corpus / "manifest.json"),
    )
