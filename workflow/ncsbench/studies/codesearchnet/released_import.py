"""The import of released functions, as its command and the rule of a run call it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Literal

from ncsbench.base.files.storage import read_json
from ncsbench.code.functions.registry import find_language
from ncsbench.corpus.function_corpus.annotations import find_annotated, read_queries
from ncsbench.corpus.function_corpus.corpus_options import (
    PARTS,
    CorpusOptions,
    ReleasedCorpusSettings,
)
from ncsbench.corpus.function_corpus.released_corpus import AS_DEFINED, AS_RELEASED, import_released
from ncsbench.corpus.function_corpus.released_definitions import MEMORY_MB
from ncsbench.corpus.function_corpus.released_files import (
    Released,
    ReleasedFiles,
    find_released,
    iterate_all,
    iterate_pairs,
)
from ncsbench.errors import ConfigurationError, DataError
from ncsbench.evaluation.published.printed_figures import PublishedCells, read_published_cells


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
    counts = _find_counts(released, cells)
    if functions == "all":
        lines, options = iterate_all(released, counts, memory_mb=memory_mb), AS_DEFINED
    else:
        lines, options = iterate_pairs(released, counts), AS_RELEASED
    chosen = options if filters == "none" else CorpusOptions()
    yield from _import(lines, released.language, output, chosen, annotations, queries)
    if functions == "all" and ("Table 1", title, "all") in cells:
        yield f"Table 1 of the paper has {int(cells['Table 1', title, 'all']):,} functions"


def import_corpus(
    settings: ReleasedCorpusSettings, released: Path, output: Path, published: Path | None = None
) -> None:
    """Make the corpus of a language from its released zip: all functions, pairs, parts, ids.

    Args:
        settings: language, annotations and options of the corpus.
        released: the zip.
        output: folder of the corpus to write.
        published: the printed figures; the jsonl files must have the printed numbers of lines.

    Raises:
        DataError: for a zip that is damaged, of another language, or has other numbers of lines.
    """
    found = find_released(released)
    if found.language != settings.language:
        raise DataError(f"{released}: is of {found.language}, not of {settings.language}")
    lines = iterate_all(found, _find_counts(found, read_published_cells(published)))
    given = settings.annotations, settings.queries
    for _ in _import(lines, found.language, output, settings.corpus, *given):
        pass


def _find_counts(released: Released, cells: PublishedCells) -> dict[str, int]:
    """The printed number of lines of each part; empty without printed figures."""
    title = find_language(released.language).title
    names = {part: ("released pairs", title, part) for part in PARTS}
    return {part: int(cells[name]) for part, name in names.items() if name in cells}


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
