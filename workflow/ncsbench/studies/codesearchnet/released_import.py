"""The import of the released zip of a language, as the rule of a run calls it."""

from __future__ import annotations

from pathlib import Path

from ncsbench.code.functions.registry import find_language
from ncsbench.corpus.function_corpus.annotations import find_annotated, read_queries
from ncsbench.corpus.function_corpus.corpus_options import PARTS, ReleasedCorpusSettings
from ncsbench.corpus.function_corpus.released_corpus import import_released
from ncsbench.corpus.function_corpus.released_files import find_released, iterate_all
from ncsbench.errors import DataError
from ncsbench.evaluation.published.printed_figures import read_published_cells


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
    cells, title = read_published_cells(published), find_language(found.language).title
    names = {part: ("released pairs", title, part) for part in PARTS}
    counts = {part: int(cells[name]) for part, name in names.items() if name in cells}
    queries = read_queries(settings.queries)
    import_released(
        iterate_all(found, counts),
        language=found.language,
        output=output,
        options=settings.corpus,
        annotated=find_annotated(settings.annotations, queries, found.language),
        queries=queries,
    )
