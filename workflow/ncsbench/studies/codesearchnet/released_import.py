"""The import of released functions, as its command calls it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Literal

from ncsbench.base.files.storage import read_json
from ncsbench.code.functions.registry import find_language
from ncsbench.corpus.function_corpus.annotations import find_annotated, read_queries
from ncsbench.corpus.function_corpus.corpus_options import PARTS, CorpusOptions
from ncsbench.corpus.function_corpus.released_corpus import AS_DEFINED, AS_RELEASED, import_released
from ncsbench.corpus.function_corpus.released_definitions import MEMORY_MB
from ncsbench.corpus.function_corpus.released_files import (
    ReleasedFiles,
    find_released,
    iterate_all,
    iterate_pairs,
)
from ncsbench.errors import ConfigurationError
from ncsbench.evaluation.published.printed_figures import read_published_cells


def import_zip(
    file: Path,
    *,
    output: Path,
    functions: Literal["pairs", "all"] = "pairs",
    published: Path | None = None,
    memory_mb: int = MEMORY_MB,
    annotations: Path | None = None,
    queries: Path | None = None,
    filters: Literal["none", "paper"] = "none",
) -> Iterator[str]:
    """Make a corpus of a released zip, its files or its definitions, and yield lines about it.

    Args:
        file: the zip of a language, a folder of its files, or its pickle.
        output: folder of the corpus.
        functions: ``pairs`` takes the functions of the jsonl files, ``all`` the definitions.
        published: ``codesearchnet_tables.csv``; the jsonl files must have the printed numbers of
            lines.
        memory_mb: memory of the process that reads definitions, in megabytes.
        annotations: file of annotations in the published form; needs ``queries``.
        queries: file of queries in the published form.
        filters: ``paper`` removes copies and filters pairs as for a corpus from repositories.

    Raises:
        NcsbenchError: for a file that is damaged, of another kind, or has other numbers of lines.
    """
    released = find_released(file)
    title = find_language(released.language).title
    cells = read_published_cells(published)
    if functions == "all":
        lines, options = iterate_all(released, memory_mb=memory_mb), AS_DEFINED
    else:
        counts = {
            part: int(cells["released pairs", title, part])
            for part in PARTS
            if ("released pairs", title, part) in cells
        }
        lines, options = iterate_pairs(released, counts), AS_RELEASED
    chosen = options if filters == "none" else CorpusOptions()
    yield from _import(lines, released.language, output, chosen, annotations, queries)
    if functions == "all" and ("Table 1", title, "all") in cells:
        yield f"Table 1 of the paper has {int(cells['Table 1', title, 'all']):,} functions"


def _import(
    files: ReleasedFiles,
    name: str,
    output: Path,
    options: CorpusOptions,
    annotations: Path | None,
    queries: Path | None,
) -> Iterator[str]:
    if annotations is not None and queries is None:
        raise ConfigurationError("--annotations needs --queries, the file of their queries")
    words = read_queries(queries) if queries else ()
    import_released(
        files,
        language=name,
        output=output,
        options=options,
        annotated=find_annotated(annotations, words, name) if annotations else (),
        queries=words,
    )
    manifest = read_json(output / "manifest.json")
    pairs = ", ".join(f"{part} {manifest['pairs'][part]:,}" for part in PARTS)
    yield f"{output}: {manifest['functions']:,} functions of {name}; pairs: {pairs}"
    for reason, count in manifest["lines_left_out"].items():
        yield f"{count:,} line{'s' * (count > 1)} left out: {reason} ({output}/ledger.parquet)"
