"""Methods of a corpus by the names that labels give them: a link with its lines, or a document id.

A labels file stays good when the corpus is built anew, since it holds no method id.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from ncsbench.corpus.document_ids import Place, iterate_places, read_document_id, write_document_id
from ncsbench.corpus.layout import CorpusFolder


def name_methods(corpus: CorpusFolder, ids: Collection[int]) -> dict[int, str]:
    """The names of some methods by id; the corpus is read as a stream, once.

    The link where there is one, as in CodeSearchNet's annotations; the document id for a method
    without, and for all but the first that start on a line, which may share their links.
    """
    wanted = set(ids)
    return {
        id_: url if url and place.number == 1 else write_document_id(place)
        for id_, place, url in _iterate_names(corpus)
        if id_ in wanted
    }


def find_labelled(corpus: CorpusFolder, names: Iterable[str]) -> dict[str, int]:
    """The ids of the methods that some names stand for; a name of none is missing.

    A link must be that of the corpus, with its commit and lines.
    """
    wanted = set(names)
    places: dict[Place, list[str]] = {}
    for name in wanted:
        if place := read_document_id(name):
            places.setdefault(place, []).append(name)
    found: dict[str, int] = {}
    for id_, place, url in _iterate_names(corpus):
        if url in wanted:
            found.setdefault(url, id_)
        for name in places.get(place, ()):
            found.setdefault(name, id_)
    return found


def _iterate_names(corpus: CorpusFolder) -> Iterator[tuple[int, Place, str]]:
    """Id, place and link of every method; the link is empty where there is none."""
    urls = (
        url or "" for table in corpus.iterate_methods(["url"]) for url in table["url"].to_pylist()
    )
    for id_, (place, url) in enumerate(zip(iterate_places(corpus), urls, strict=True)):
        yield id_, place, url
