"""Documents of a collection in BEIR's layout as a source: each is one file of one repository.

``corpus.jsonl`` has an object a line with ``_id``, ``text`` and, where there is one, ``title``
(Thakur et al., NeurIPS 2021). So documents in any language are searched as methods are.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from ncsbench.base.files.json_lines import read_objects, take_text
from ncsbench.corpus.sources.repositories import Repository, RepositoryList
from ncsbench.corpus.sources.source_protocol import (
    ListedFile,
    Listing,
    SourceFile,
    make_listing,
    make_printable,
)
from ncsbench.errors import DataError

COLLECTION = Repository("collection", "documents", None)
"""The one repository of a collection; the path of a document is its id."""
LISTED = RepositoryList([COLLECTION], [])
_NAMES = ("corpus.jsonl", "corpus.jsonl.gz")


def find_documents(folder: Path) -> Path:
    """Return the file of the documents of a collection.

    Raises:
        DataError: where the folder has no such file.
    """
    for name in _NAMES:
        if (folder / name).is_file():
            return folder / name
    raise DataError(f"{folder}: has no {' or '.join(_NAMES)}; name a folder in BEIR's layout")


@dataclass(frozen=True)
class CollectionSource:
    """The documents of a collection; the first line of a document is its title, often empty."""

    folder: Path

    def list_files(self, repository: Repository) -> Listing:
        """See ``Source``."""
        documents = (ListedFile(id_, len(text)) for id_, text in self._read())
        return make_listing(repository.commit, documents, ("",))

    def read_files(
        self, repository: Repository, commit: str | None, paths: Sequence[str]
    ) -> Iterator[SourceFile]:
        """See ``Source``; the documents asked for are held in memory."""
        del repository, commit
        wanted: dict[str, bytes | None] = dict.fromkeys(paths)
        for id_, text in self._read():
            if id_ in wanted and wanted[id_] is None:
                wanted[id_] = text
        for path in paths:
            yield SourceFile(path, wanted[path], "" if wanted[path] is not None else "is gone")

    def _read(self) -> Iterator[tuple[str, bytes]]:
        path = find_documents(self.folder)
        for number, entry in read_objects(path):
            where = f"{path}, line {number}"
            id_ = make_printable(take_text(where, entry, "_id").encode("utf-8", "replace"))
            title = take_text(where, entry, "title", needed=False).replace("\n", " ")
            text = f"{title}\n{take_text(where, entry, 'text', needed=False)}"
            yield id_, text.encode("utf-8", "replace")
