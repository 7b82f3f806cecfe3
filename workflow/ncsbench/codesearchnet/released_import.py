"""The import of released functions, as its command calls it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Literal, NamedTuple

from ncsbench.artifacts.storage import read_json
from ncsbench.errors import ConfigurationError
from ncsbench.function_corpus.annotations import find_annotated, read_queries
from ncsbench.function_corpus.corpus_options import PARTS, CorpusOptions
from ncsbench.function_corpus.released_corpus import AS_DEFINED, AS_RELEASED, import_released
from ncsbench.function_corpus.released_files import (
    ReleasedFiles,
    find_released,
    find_released_files,
    iterate_all,
    iterate_pairs,
    iterate_released_files,
)
from ncsbench.functions.registry import find_language
from ncsbench.published.printed_figures import read_published_cells


class Released(NamedTuple):
    """Released functions that are yet to be read.

    Attributes:
        files: their lines.
        language: name of the language of all.
        options: how a corpus is made of them as they are.
        told: a line for people about how many the paper has; empty for none.
    """

    files: ReleasedFiles
    language: str
    options: CorpusOptions
    told: str = ""


def open_jsonl(files: Sequence[Path], language: str) -> Released:
    """Open released files of pairs, or folders of them.

    Raises:
        NcsbenchError: for an unknown language, and files that are not there.
    """
    name = find_language(language).name
    return Released(iterate_released_files(find_released_files(files), name), name, AS_RELEASED)


def open_zip(
    file: Path, functions: Literal["pairs", "all"], published: Path | None, memory_mb: int
) -> Released:
    """Open a released zip or pickle of definitions.

    Args:
        file: the zip of a language, or its pickle.
        functions: ``pairs`` takes those of the jsonl files, ``all`` the definitions.
        published: ``codesearchnet_tables.csv``; the jsonl files must have as many lines.
        memory_mb: of the process that reads definitions, in megabytes.

    Raises:
        NcsbenchError: for a file that is damaged or none of these.
    """
    released = find_released(file)
    title = find_language(released.language).title
    cells = read_published_cells(published)
    if functions == "all":
        lines = iterate_all(released, memory_mb=memory_mb)
        printed = cells.get(("Table 1", title, "all"))
        told = f"Table 1 of the paper has {int(printed):,} functions" if printed else ""
        return Released(lines, released.language, AS_DEFINED, told)
    counts = {
        part: int(cells["released pairs", title, part])
        for part in PARTS
        if ("released pairs", title, part) in cells
    }
    return Released(iterate_pairs(released, counts), released.language, AS_RELEASED)


def import_functions(
    released: Released,
    output: Path,
    annotations: Path | None,
    queries: Path | None,
    filters: Literal["none", "paper"],
) -> Iterator[str]:
    """Make a corpus of released functions, and say in lines what it has.

    Args:
        released: the functions.
        output: folder of the corpus.
        annotations: in the published form; needs ``queries``.
        queries: in the published form.
        filters: ``paper`` removes copies and filters pairs as for a corpus from repositories.

    Raises:
        NcsbenchError: for files that have no usable line, or other numbers of lines.
    """
    if annotations is not None and queries is None:
        raise ConfigurationError("--annotations needs --queries, the file of their queries")
    words = read_queries(queries) if queries else ()
    name = released.language
    import_released(
        released.files,
        language=name,
        output=output,
        options=released.options if filters == "none" else CorpusOptions(),
        annotated=find_annotated(annotations, words, name) if annotations else (),
        queries=words,
    )
    manifest = read_json(output / "manifest.json")
    pairs = ", ".join(f"{part} {manifest['pairs'][part]:,}" for part in PARTS)
    yield f"{output}: {manifest['functions']:,} functions of {name}; pairs: {pairs}"
    for reason, count in manifest["lines_left_out"].items():
        yield f"{count:,} line{'s' * (count > 1)} left out: {reason} ({output}/ledger.parquet)"
    if released.told:
        yield released.told
