"""Joins the ledgers of shards to that of a corpus, as a stream, and counts its lines."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from ncsbench.base.files.storage import iterate_tables
from ncsbench.corpus.layout.ledger_schema import (
    COUNTS,
    LEDGER_SCHEMA,
    LEFT_OUT,
    SYNTAX_ERRORS,
    generalise,
)
from ncsbench.corpus.sources.inventory import INVENTORY_SCHEMA, LINE, NO_JAVA, REPOSITORY

_ROWS = 2**16
_NAMED = 3
_SHOWN = 100


def join_ledgers(
    inventory: Path,
    ledgers: Sequence[Path],
    *,
    schema: pa.Schema = LEDGER_SCHEMA,
    counts: Sequence[str] = COUNTS,
) -> Iterator[pa.Table]:
    """The ledger of a corpus, in pieces that do not depend on the shards.

    First come the lines of the list that name no repository, then each repository with the sums of
    its counts, followed by its files.

    Args:
        inventory: of the dataset (``INVENTORY_SCHEMA``).
        ledgers: lines of files, shard by shard in order.
        schema: of the ledgers.
        counts: columns of numbers, of which a repository has the sums.
    """
    heads, files = _read_heads(inventory, ledgers, schema, counts)
    tables = (table for path in ledgers for table in iterate_tables(path, schema))
    places = np.cumsum(files) - files  # number of files before each head
    start = first = 0
    for table in rebatch(tables, _ROWS):
        end = start + len(table)
        last = int(np.searchsorted(places, end))
        joined = pa.concat_tables([heads.slice(first, last - first), table])
        order = np.concatenate([2 * (places[first:last] - start), 2 * np.arange(len(table)) + 1])
        yield joined.take(pa.array(np.argsort(order, kind="stable"))).combine_chunks()
        start, first = end, last
    if first < len(heads):
        yield heads.slice(first)


def warn_of_lost(inventory: Path, ledger: Path) -> None:
    """Log the lines of the list and the Java that gave nothing: how often, and the first of each.

    Args:
        inventory: table of the listed files (``INVENTORY_SCHEMA``).
        ledger: of the corpus (``LEDGER_SCHEMA``).
    """
    columns = ["repository", "kind", "status", "reason"]
    tables = iterate_tables(inventory, INVENTORY_SCHEMA, columns)
    is_head = pa.array([LINE, REPOSITORY])
    heads = [
        row for one in tables for row in one.filter(pc.is_in(one["kind"], is_head)).to_pylist()
    ]
    listed = [row for row in heads if row["kind"] == REPOSITORY]
    lines = [row for row in heads if row["kind"] == LINE]
    unread = [row for row in listed if row["status"] == "skipped" and row["reason"] != NO_JAVA]
    empty: list[dict[str, Any]] = []
    broken: list[dict[str, Any]] = []
    files = 0
    columns = ["repository", "path", "status", "reason", "methods"]
    for table in iterate_tables(ledger, LEDGER_SCHEMA, columns):
        is_file, taken = pc.is_valid(table["path"]), pc.equal(table["status"], "taken")
        no_java = pc.fill_null(pc.equal(table["reason"], NO_JAVA), False)
        of_none = pc.and_(pc.invert(is_file), pc.equal(table["methods"], 0))
        wrong = pc.fill_null(pc.match_substring(table["reason"], SYNTAX_ERRORS), False)
        files += pc.sum(pc.and_(is_file, taken)).as_py() or 0
        empty += table.filter(pc.and_(of_none, pc.or_(taken, no_java))).to_pylist()
        broken += table.filter(pc.and_(is_file, wrong)).to_pylist()
    log = logging.getLogger("corpus")
    for lost, told in (
        (lines, f"{len(lines)} line{'s' * (len(lines) > 1)} of the list left out"),
        (unread, f"{len(unread)} of {len(listed)} listed repositories could not be read"),
        (empty, f"{len(empty)} of {len(listed)} listed repositories gave no method"),
        (broken, f"in {len(broken)} of {files} files methods may be lost"),
    ):
        if lost:
            more = ", ..." if len(lost) > _NAMED else ""
            first = ", ".join(map(_name_lost, lost[:_NAMED]))
            log.warning("%s: %s%s; %s has them all", told, first, more, ledger)


def _name_lost(row: Mapping[str, Any]) -> str:
    name = "/".join(filter(None, (row["repository"], row.get("path"))))
    reason = f" ({row['reason'][:_SHOWN]})" if row["reason"] else ""
    return f"{name[:_SHOWN]}{reason}"


def summarise(ledger: Iterable[pa.Table]) -> dict[str, Any]:
    """Numbers of repositories, files and methods, with the reasons for those that are left out."""
    counts = count_lines(ledger, COUNTS)
    left_out = {name: counts.pop(name) for name in LEFT_OUT}
    return {**counts, "left_out": left_out}


def count_lines(
    ledger: Iterable[pa.Table], columns: Sequence[str] = (), *, all_remarks: bool = False
) -> dict[str, Any]:
    """Numbers by status of ``repositories`` and ``files``, and by reason of those ``skipped``.

    Args:
        ledger: of a corpus, in pieces.
        columns: of numbers, of which the sums over files are given, too.
        all_remarks: whether ``remarks``, which are those on what was taken, count where they are on
            a repository as those on files do.
    """
    names = ("repositories", "files", "skipped", "remarks")
    counts: dict[str, Counter[str]] = {name: Counter() for name in names}
    sums = dict.fromkeys(columns, 0)
    for table in ledger:
        of_files = pc.is_valid(table["path"])
        files, others = table.filter(of_files), table.filter(pc.invert(of_files))
        counts["repositories"].update(_count(others["status"]))
        counts["files"].update(_count(files["status"]))
        counts["skipped"].update(_count(_reasons(table, "skipped")))
        counts["remarks"].update(_count(_reasons(table if all_remarks else files, "taken")))
        for name in columns:
            sums[name] += pc.sum(files[name]).as_py() or 0
    return {name: dict(sorted(counter.items())) for name, counter in counts.items()} | sums


def _read_heads(
    inventory: Path, ledgers: Sequence[Path], schema: pa.Schema, counts: Sequence[str]
) -> tuple[pa.Table, NDArray[np.int64]]:
    """The lines that do not belong to a file, and how many lines of files follow each."""
    columns = ["repository", "kind", "path", "status", "reason"]
    kinds = pa.array([LINE, REPOSITORY])
    tables = iterate_tables(inventory, INVENTORY_SCHEMA, columns)
    heads = pa.concat_tables([one.filter(pc.is_in(one["kind"], kinds)) for one in tables])
    lines = int(pc.sum(pc.equal(heads["kind"], LINE)).as_py() or 0)
    names = heads["repository"].combine_chunks().slice(lines)
    sums = {name: np.zeros(len(heads), np.int64) for name in ("", *counts)}
    for path in ledgers:
        for table in iterate_tables(path, schema, ["repository", *counts]):
            owners = pc.index_in(table["repository"], names).to_numpy() + lines
            sums[""] += np.bincount(owners, minlength=len(heads))
            for name in counts:
                counted = np.bincount(owners, table[name].to_numpy(), len(heads))
                sums[name] += counted.astype(np.int64)
    filled = {name: heads[name] for name in columns if name in schema.names}
    filled |= {name: pa.array(sums[name]) for name in counts}
    values = [filled.get(field.name, pa.nulls(len(heads), field.type)) for field in schema]
    return pa.table(values, schema.names).cast(schema), sums[""]


def rebatch(tables: Iterable[pa.Table], rows: int) -> Iterator[pa.Table]:
    """Give the same rows in tables of equal size, so that the result does not show the shards.

    Args:
        tables: each of at most so many rows.
        rows: of each table that is given, but for the last.
    """
    waiting: list[pa.Table] = []
    for table in tables:
        waiting.append(table)
        if sum(map(len, waiting)) >= rows:
            joined = pa.concat_tables(waiting)
            yield joined.slice(0, rows).combine_chunks()
            waiting = [joined.slice(rows)]
    joined = pa.concat_tables(waiting) if waiting else None
    if joined is not None and len(joined):
        yield joined.combine_chunks()


def _reasons(table: pa.Table, status: str) -> pa.ChunkedArray:
    return table.filter(pc.equal(table["status"], status))["reason"].drop_null()


def _count(values: pa.ChunkedArray) -> Counter[str]:
    counts: Counter[str] = Counter()
    for value, count in zip(*pc.value_counts(values).flatten(), strict=True):
        counts[generalise(value.as_py())] += count.as_py()
    return counts
