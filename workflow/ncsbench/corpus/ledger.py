"""Joins the ledgers of shards to that of a corpus, as a stream, and counts what it says."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from ncsbench.artifacts.csv_tables import name_cells, write_rows
from ncsbench.artifacts.storage import iterate_tables
from ncsbench.corpus.layout import CorpusFolder
from ncsbench.corpus.ledger_schema import COUNTS, LEDGER_SCHEMA, LEFT_OUT, SYNTAX_ERRORS, generalise
from ncsbench.sources.inventory import INVENTORY_SCHEMA, LINE, NO_JAVA, REPOSITORY

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
    places = np.cumsum(files) - files  # how many files stand before each head
    start = first = 0
    for table in _iterate_files(ledgers, schema):
        end = start + len(table)
        last = int(np.searchsorted(places, end))
        joined = pa.concat_tables([heads.slice(first, last - first), table])
        order = np.concatenate([2 * (places[first:last] - start), 2 * np.arange(len(table)) + 1])
        yield joined.take(pa.array(np.argsort(order, kind="stable"))).combine_chunks()
        start, first = end, last
    if first < len(heads):
        yield heads.slice(first)


def find_reason(inventory: Path, reasons: Sequence[str]) -> str:
    """The first repository that is left out for one of some reasons; empty where none is."""
    for table in iterate_tables(inventory, INVENTORY_SCHEMA, ["repository", "kind", "reason"]):
        is_head = pc.equal(table["kind"], REPOSITORY)
        found = table.filter(pc.and_(is_head, pc.is_in(table["reason"], pa.array(reasons))))
        if len(found):
            return str(found["repository"][0].as_py())
    return ""


def warn_of_lost(inventory: Path, ledger: Path) -> None:
    """Log what of the list and of its Java gave nothing, how often, and the first of each.

    Args:
        inventory: what was listed (``INVENTORY_SCHEMA``).
        ledger: of the corpus (``LEDGER_SCHEMA``).
    """
    lines, unread, empty, broken = _Lost(), _Lost(), _Lost(), _Lost()
    listed = files = 0
    columns = ["repository", "kind", "status", "reason"]
    for table in iterate_tables(inventory, INVENTORY_SCHEMA, columns):
        heads = table.filter(pc.equal(table["kind"], REPOSITORY))
        skipped = heads.filter(pc.equal(heads["status"], "skipped"))
        listed += len(heads)
        lines.add(table.filter(pc.equal(table["kind"], LINE)))
        unread.add(skipped.filter(pc.not_equal(skipped["reason"], NO_JAVA)))
    columns = ["repository", "path", "status", "reason", "methods"]
    for table in iterate_tables(ledger, LEDGER_SCHEMA, columns):
        is_file, taken = pc.is_valid(table["path"]), pc.equal(table["status"], "taken")
        of_none = pc.and_(pc.invert(is_file), pc.equal(table["methods"], 0))
        no_java = pc.fill_null(pc.equal(table["reason"], NO_JAVA), False)
        files += pc.sum(pc.and_(is_file, taken)).as_py() or 0
        empty.add(table.filter(pc.and_(of_none, pc.or_(taken, no_java))))
        wrong = pc.fill_null(pc.match_substring(table["reason"], SYNTAX_ERRORS), False)
        broken.add(table.filter(pc.and_(is_file, wrong)))
    log = logging.getLogger("corpus")
    for lost, told in (
        (lines, f"{lines.count} line{'s' * (lines.count > 1)} of the list left out"),
        (unread, f"{unread.count} of {listed} listed repositories could not be read"),
        (empty, f"{empty.count} of {listed} listed repositories gave no method"),
        (broken, f"in {broken.count} of {files} files methods may be lost"),
    ):
        if lost.count:
            more = ", ..." if lost.count > len(lost.first) else ""
            log.warning("%s: %s%s; %s has them all", told, ", ".join(lost.first), more, ledger)


@dataclass
class _Lost:
    """How many lines of a table say that something is lost, and the first of them."""

    count: int = 0
    first: list[str] = field(default_factory=list)

    def add(self, rows: pa.Table) -> None:
        self.count += len(rows)
        for row in rows.slice(0, _NAMED - len(self.first)).to_pylist():
            name = "/".join(filter(None, (row["repository"], row.get("path"))))
            reason = f" ({row['reason'][:_SHOWN]})" if row["reason"] else ""
            self.first.append(f"{name[:_SHOWN]}{reason}")


def summarise(ledger: Iterable[pa.Table]) -> dict[str, Any]:
    """Numbers of repositories, files and methods, with the reasons of what is left out."""
    counts: dict[str, Counter[str]] = {}
    sums: Counter[str] = Counter(dict.fromkeys(COUNTS, 0))
    for table in ledger:
        of_files = pc.is_valid(table["path"])
        files, others = table.filter(of_files), table.filter(pc.invert(of_files))
        for key, values in (
            ("repositories", others["status"]),
            ("files", files["status"]),
            ("skipped", _reasons(table, "skipped")),
            ("remarks", _reasons(files, "taken")),
        ):
            counts.setdefault(key, Counter()).update(_count(values))
        sums.update({name: pc.sum(files[name]).as_py() or 0 for name in COUNTS})
    return {
        **{key: dict(sorted(counter.items())) for key, counter in counts.items()},
        "methods": sums["methods"],
        "left_out": {name: sums[name] for name in LEFT_OUT},
    }


def _read_heads(
    inventory: Path, ledgers: Sequence[Path], schema: pa.Schema, counts: Sequence[str]
) -> tuple[pa.Table, NDArray[np.int64]]:
    """The lines that are of no file, and how many files follow each."""
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


def _iterate_files(ledgers: Sequence[Path], schema: pa.Schema) -> Iterator[pa.Table]:
    """The lines of all shards, as many at a time whatever the shards."""
    waiting = schema.empty_table()
    for path in ledgers:
        for table in iterate_tables(path, schema):
            waiting = pa.concat_tables([waiting, table])
            if len(waiting) >= _ROWS:
                yield waiting.slice(0, _ROWS)
                waiting = waiting.slice(_ROWS)
    if len(waiting):
        yield waiting


def _reasons(table: pa.Table, status: str) -> pa.ChunkedArray:
    return table.filter(pc.equal(table["status"], status))["reason"].drop_null()


def _count(values: pa.ChunkedArray) -> Counter[str]:
    counts: Counter[str] = Counter()
    for value, count in zip(*pc.value_counts(values).flatten(), strict=True):
        counts[generalise(value.as_py())] += count.as_py()
    return counts


FILE = "ledger.csv"
COLUMNS = ("repository", "commit", "status", "reason", "files", "files_left_out", *COUNTS)
"""``commit`` is the one that was read, ``files`` are the Java files that were taken. ``methods``
are those that were extracted, before any goes as a duplicate; the other ``COUNTS`` were not."""


def write_repository_ledger(folder: Path, corpus: CorpusFolder) -> None:
    """Write ``ledger.csv``: ``COLUMNS`` of every line of the list in corpus order, atomically."""
    commits = _read_commits(corpus.inventory_path)
    columns = ["repository", "path", "status", "reason", *COUNTS]
    rows: list[dict[str, Any]] = []
    for table in iterate_tables(corpus.ledger_path, LEDGER_SCHEMA, columns):
        for line in table.to_pylist():
            if line.pop("path") is None:
                rows.append(line | {"commit": next(commits), "files": 0, "files_left_out": 0})
            else:
                rows[-1]["files" if line["status"] == "taken" else "files_left_out"] += 1
    cells = ([row[name] for name in COLUMNS] for row in rows)
    write_rows(folder / FILE, COLUMNS, name_cells(COLUMNS, cells))


def _read_commits(inventory: Path) -> Iterator[str | None]:
    """Commits that were read, for every line of the list in corpus order."""
    for table in iterate_tables(inventory, INVENTORY_SCHEMA, ["kind", "commit"]):
        heads = table.filter(pc.is_in(table["kind"], pa.array([LINE, REPOSITORY])))
        yield from heads["commit"].to_pylist()
