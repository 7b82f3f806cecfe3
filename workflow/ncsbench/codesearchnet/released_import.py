"""The import of released functions, as its command calls it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Literal

from ncsbench.artifacts.storage import read_json
from ncsbench.codesearchnet.annotated_functions import find_annotated
from ncsbench.codesearchnet.annotations import read_queries
from ncsbench.errors import ConfigurationError
from ncsbench.function_corpus.corpus_options import PARTS, CorpusOptions
from ncsbench.function_corpus.released_corpus import (
    AS_RELEASED,
    find_released_files,
    import_released,
    iterate_released_files,
)
from ncsbench.functions.registry import find_language


def import_files(
    files: Sequence[Path],
    *,
    language: str,
    output: Path,
    annotations: Path | None = None,
    queries: Path | None = None,
    filters: Literal["none", "paper"] = "none",
) -> Iterator[str]:
    """Make a corpus of released files, and say in lines what it has.

    Args:
        files: files, or folders of them.
        language: of all their functions.
        output: folder of the corpus.
        annotations: in the published form; needs ``queries``.
        queries: in the published form.
        filters: ``paper`` removes copies and filters pairs as for a corpus from repositories.

    Raises:
        NcsbenchError: for an unknown language, files that are not there or have no usable line.
    """
    name = find_language(language).name
    if annotations is not None and queries is None:
        raise ConfigurationError("--annotations needs --queries, the file of their queries")
    words = read_queries(queries) if queries else ()
    import_released(
        iterate_released_files(find_released_files(files), name),
        language=name,
        output=output,
        options=AS_RELEASED if filters == "none" else CorpusOptions(),
        annotated=find_annotated(annotations, words, name) if annotations else (),
        queries=words,
    )
    manifest = read_json(output / "manifest.json")
    pairs = ", ".join(f"{part} {manifest['pairs'][part]:,}" for part in PARTS)
    yield f"{output}: {manifest['functions']:,} functions of {name}; pairs: {pairs}"
    for reason, count in manifest["lines_left_out"].items():
        yield f"{count:,} line{'s' * (count > 1)} left out: {reason} ({output}/ledger.parquet)"
