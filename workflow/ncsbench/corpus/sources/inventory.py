"""Lists the contents of the repositories of a dataset, and divides their files into shards."""

from __future__ import annotations

import itertools
import logging
from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from ncsbench.base.files.storage import iterate_row_groups, write_tables
from ncsbench.corpus.sources.repositories import Repository, RepositoryList
from ncsbench.corpus.sources.source_protocol import ListedFile, Listing, Source, SourceError

if TYPE_CHECKING:  # which has no need of arrays
    from ncsbench.corpus.sources.source_at_hand import CommitMemory

LINE, REPOSITORY, JAVA, LICENCE = "line", "repository", "java", "licence"
"""Kinds of rows: a line of the list that names no repository; a repository; one of its files.

Files of code have the name of their language.
"""
NO_JAVA = "no Java file"
"""The reason of a repository that was read and has nothing to extract."""

INVENTORY_SCHEMA = pa.schema(
    [
        pa.field("repository", pa.string(), nullable=False),
        pa.field("listed", pa.string()),
        pa.field("commit", pa.string()),
        pa.field("kind", pa.string(), nullable=False),
        pa.field("path", pa.string()),
        pa.field("bytes", pa.int64(), nullable=False),
        pa.field("status", pa.string(), nullable=False),
        pa.field("reason", pa.string()),
    ]
)
"""Lines of the list that name no repository (their text as ``repository``), then each repository in
corpus order, followed by its code files and its licence files, by path.

``listed`` is the commit, branch or ``HEAD`` of the list, ``commit`` what it stands for. ``bytes``
of a repository are those of its code files. ``status`` is ``taken`` or ``skipped``, with the
``reason``; the reason of what is taken is a remark."""


_ROWS = 8192
_LOG = logging.getLogger(__name__)


def write_inventory(
    listed: RepositoryList,
    source: Source,
    *,
    output: Path,
    threads: int = 1,
    memory: CommitMemory | None = None,
    language: str = JAVA,
) -> None:
    """List all repositories as a stream and write ``INVENTORY_SCHEMA``.

    Args:
        listed: the repositories, and the lines of the list that name none.
        source: the source of their files; all threads ask it.
        output: Parquet file; it does not depend on the number of threads.
        threads: number of repositories that are listed at a time.
        memory: takes note of all listings before the file is written.
        language: of the code files that the source gives.
    """
    tables = _tables(listed, source, threads, memory, language)
    write_tables(output, tables, INVENTORY_SCHEMA)


@dataclass(frozen=True)
class Part:
    """Files of one repository that lie in one shard.

    Attributes:
        repository: as listed.
        commit: the commit that the listed name means.
        files: its code files by path, also those that are left out.
    """

    repository: Repository
    commit: str | None
    files: list[ListedFile]


def iterate_shard(
    inventory: Path, *, shard: int, shards: int, language: str = JAVA
) -> Iterator[Part]:
    """The files of one shard, repository by repository.

    Shards are contiguous parts of the code files in corpus order with about as many bytes each, so
    that a large repository lies in several. A file that is left out has no bytes.
    """
    numbers = _number_shards(inventory, shards, language)
    rows = _rows_of_shard(inventory, numbers, shard)
    for key, group in itertools.groupby(rows, lambda row: (row["repository"], row["listed"])):
        taken = list(group)
        owner, _, name = key[0].partition("/")
        files = [ListedFile(row["path"], row["bytes"], row["reason"] or "") for row in taken]
        yield Part(Repository(owner, name, key[1]), taken[0]["commit"], files)


def _tables(
    listed: RepositoryList,
    source: Source,
    threads: int,
    memory: CommitMemory | None,
    language: str,
) -> Iterator[pa.Table]:
    rows = [_row(LINE, text, reason=reason, skipped=True) for text, reason in listed.rejected]
    for repository, listing in _list_all(listed.repositories, source, threads):
        rows += _rows_of(repository, listing, language)
        if memory:
            memory.note(repository, listing)
        if len(rows) >= _ROWS:
            yield pa.Table.from_pylist(rows, INVENTORY_SCHEMA)
            rows = []
    if memory:
        memory.finish()
    if rows:
        yield pa.Table.from_pylist(rows, INVENTORY_SCHEMA)


def _list_all(
    repositories: list[Repository], source: Source, threads: int
) -> Iterator[tuple[Repository, Listing | SourceError]]:
    """The listings in the order of the repositories, a few of them made ahead.

    In place of a listing there may be the error that says why there is no listing.
    """

    def list_one(repository: Repository) -> tuple[Repository, Listing | SourceError]:
        try:
            return repository, source.list_files(repository)
        except SourceError as error:
            return repository, error
        except OSError as error:
            return repository, SourceError(f"cannot be read ({error.strerror})")

    waiting: deque[Future[tuple[Repository, Listing | SourceError]]] = deque()
    with ThreadPoolExecutor(threads) as pool:
        for repository in repositories:
            waiting.append(pool.submit(list_one, repository))
            if len(waiting) > 2 * threads:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()


def _rows_of(
    repository: Repository, listing: Listing | SourceError, language: str
) -> list[dict[str, Any]]:
    name, listed = repository.full_name, repository.commit
    if isinstance(listing, SourceError):
        _LOG.info("%s: %s", name, listing)
        return [_row(REPOSITORY, name, listed, reason=str(listing), skipped=True)]
    commit, files = listing.commit, listing.files
    size = sum(file.bytes for file in files if not file.reason)
    none = NO_JAVA if language == JAVA else f"no {language} file"
    reason = listing.remark if files else none
    _LOG.info("%s: %s", name, reason or f"{len(files)} files, {size} bytes")
    rows = [_row(REPOSITORY, name, listed, commit, size, reason=reason, skipped=not files)]
    for kind, some in ((language, files), (LICENCE, listing.licences)):
        rows += [
            _row(kind, name, listed, commit, file.bytes, file.path, file.reason, bool(file.reason))
            for file in some
        ]
    return rows


def _row(
    kind: str,
    repository: str,
    listed: str | None = None,
    commit: str | None = None,
    size: int = 0,
    path: str | None = None,
    reason: str = "",
    skipped: bool = False,
) -> dict[str, Any]:
    return {
        "repository": repository,
        "listed": listed,
        "commit": commit,
        "kind": kind,
        "path": path,
        "bytes": size,
        "status": "skipped" if skipped else "taken",
        "reason": reason or None,
    }


def _number_shards(inventory: Path, shards: int, language: str) -> list[NDArray[np.int64]]:
    """The shard of every row, by row group; -1 for rows that are not code files."""
    sizes, is_code = [], []
    for _, table in iterate_row_groups(inventory, INVENTORY_SCHEMA, ["kind", "bytes", "status"]):
        code = pc.equal(table["kind"], language)
        read = pc.and_(code, pc.equal(table["status"], "taken"))
        sizes.append(pc.if_else(read, table["bytes"], 0).to_numpy())
        is_code.append(code.to_numpy())
    total = max(sum(int(size.sum()) for size in sizes), 1)
    numbers, start = [], 0
    for size, code in zip(sizes, is_code, strict=True):
        starts = start + np.cumsum(size) - size
        start += int(size.sum())
        numbers.append(np.where(code, np.minimum(starts * shards // total, shards - 1), -1))
    return numbers


def _rows_of_shard(
    inventory: Path, numbers: list[NDArray[np.int64]], shard: int
) -> Iterator[dict[str, Any]]:
    groups = [group for group, of_rows in enumerate(numbers) if (of_rows == shard).any()]
    for group, table in iterate_row_groups(inventory, INVENTORY_SCHEMA, groups=groups):
        yield from table.filter(pa.array(numbers[group] == shard)).to_pylist()
