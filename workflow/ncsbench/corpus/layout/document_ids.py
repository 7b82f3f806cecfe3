"""Names of methods for other tools: ``owner/repo/path/File.java:12``, file and first line.

A method id is a position in one corpus; a document id tells people and other tools the place of a
method. It has no white space: a character that is not allowed in a path of a TREC file is written
as its UTF-8 bytes in percent-encoding, ``%20`` for a blank, and so is ``%`` itself. Where several
methods start on one line, the second has the suffix ``#2``, the next ``#3``.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import NamedTuple
from urllib.parse import quote, unquote

import pyarrow as pa
import pyarrow.compute as pc

from ncsbench.corpus.layout.documents import MethodList

_PLAIN = "/$@+=,()[]{}!"
"""Signs that represent themselves in a path, beside letters, digits and ``_.-~``."""
_DOCUMENT_ID = re.compile(r"(.+):([0-9]{1,9})(?:#([0-9]{1,6}))?", re.DOTALL)
_COLUMNS = ["id", "filepath", "start_line"]


class Place(NamedTuple):
    """The place of a method.

    Attributes:
        filepath: repository and path, as in ``METHOD_SCHEMA``.
        line: first line of the method, from 1.
        number: position among the methods that start on this line, from 1 by ascending id.
    """

    filepath: str
    line: int
    number: int = 1


def write_document_id(place: Place) -> str:
    """The document id of a method: ASCII without white space, different for each place."""
    suffix = f"#{place.number}" if place.number > 1 else ""
    return f"{quote(place.filepath, safe=_PLAIN)}:{place.line}{suffix}"


def read_document_id(text: str) -> Place | None:
    """The place that a document id names; None where the text is not a document id.

    Letters that are not ASCII may also be written as they are.
    """
    found = _DOCUMENT_ID.fullmatch(text)
    if found is None:
        return None
    path, line, number = found.groups()
    try:
        filepath = unquote(path, errors="strict")
    except UnicodeDecodeError:
        return None
    return Place(filepath, int(line), int(number or 1)) if int(number or 1) else None


def iterate_places(corpus: MethodList) -> Iterator[Place]:
    """The places of all methods, in the order of their ids."""
    tables = corpus.iterate_methods(_COLUMNS)
    return (place for _, place in _number_places(tables))


def find_methods(corpus: MethodList, places: Iterable[Place]) -> dict[Place, int]:
    """The ids of the methods at some places; places where no method starts are left out.

    The corpus is read as a stream, once.
    """
    wanted = set(places)
    paths = pa.array(sorted({place.filepath for place in wanted}), pa.string())
    tables = (
        table.filter(pc.is_in(table["filepath"], paths))
        for table in corpus.iterate_methods(_COLUMNS)
    )
    return {place: id_ for id_, place in _number_places(tables) if place in wanted}


def _number_places(tables: Iterable[pa.Table]) -> Iterator[tuple[int, Place]]:
    """Ids and places of methods in id order, in which those of a file follow each other."""
    current, seen = None, Counter[int]()
    for table in tables:
        columns = (table[name].to_pylist() for name in _COLUMNS)
        for id_, filepath, line in zip(*columns, strict=True):
            if filepath != current:
                current, seen = filepath, Counter()
            seen[line] += 1
            yield id_, Place(filepath, line, seen[line])
