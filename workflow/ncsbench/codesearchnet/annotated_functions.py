"""The functions that the annotations of a language name."""

from __future__ import annotations

from pathlib import Path

from ncsbench.errors import DataError
from ncsbench.function_corpus.annotations import read_annotations
from ncsbench.function_corpus.unseen_functions import Place, find_places


def find_annotated(annotations: Path, queries: tuple[str, ...], language: str) -> list[Place]:
    """The annotated functions of a language, each once, in the order of the queries.

    Args:
        annotations: file in the published form.
        queries: as ``read_queries`` gave them.
        language: its name, such as ``go``.

    Raises:
        DataError: naming the file, where an address is none of a function.
    """
    by_query = read_annotations(annotations, queries).grades.get(language, {})
    try:
        return find_places(url for urls in by_query.values() for url in urls)
    except DataError as error:
        raise DataError(f"{annotations}: {error}") from error
