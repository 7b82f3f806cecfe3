"""How a corpus differs from a released list of methods: by repository, with reasons."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from heapq import merge
from itertools import groupby
from typing import Any

import pyarrow as pa

from ncsbench.artifacts.storage import iterate_tables, read_table
from ncsbench.corpus.corpus_schemas import PLACE_SCHEMA
from ncsbench.corpus.layout import CorpusFolder
from ncsbench.corpus.ledger_schema import LEDGER_SCHEMA, LEFT_OUT, generalise
from ncsbench.corpus.released_methods import RejectedLines

COMPARISON_COLUMNS = ("repository", "found", "reason", "methods")
"""``found`` is ``both``, ``only here`` or ``only released``; the reason is empty for ``both``."""

_Method = tuple[str, str, int, int, str]  # repository, path, first line, last line, name
_Files = dict[str, dict[str, Any]]


def compare_with_released(corpus: CorpusFolder, released: pa.Table) -> Iterator[dict[str, str]]:
    """Count the methods that a corpus and a released list share, and those that only one has.

    Methods are the same where repository, path and lines are. Methods that another one of the
    corpus stands for count as being here.

    Args:
        corpus: a built corpus.
        released: table of ``RELEASED_SCHEMA``, sorted.

    Yields:
        Rows of ``COMPARISON_COLUMNS``, by repository.
    """
    files = _read_ledger(corpus)
    here = merge(_read_methods(corpus), _read_duplicates(corpus))
    there = _rows(released.to_batches(max_chunksize=8192))
    sides = merge(
        ((method[0], False, method) for method in here),
        ((method[0], True, method) for method in there),
    )
    for repository, found in groupby(sides, key=lambda side: side[0]):
        methods: tuple[list[_Method], list[_Method]] = [], []
        for _, is_released, method in found:
            methods[is_released].append(method)
        counts = _compare(*methods, files.get(repository))
        for (where, reason), count in sorted(counts.items()):
            yield {
                "repository": repository,
                "found": where,
                "reason": reason,
                "methods": str(count),
            }


def summarise_comparison(rows: Iterable[dict[str, str]]) -> list[tuple[str, str, int]]:
    """Sums over all repositories as (found, reason, methods)."""
    sums: Counter[tuple[str, str]] = Counter()
    for row in rows:
        sums[row["found"], row["reason"]] += int(row["methods"])
    return [(found, reason, count) for (found, reason), count in sorted(sums.items())]


def format_comparison(rows: Iterable[dict[str, str]], rejected: RejectedLines) -> list[str]:
    """Lines for people: the sums, and the lines of the list that name no method."""
    sums = [
        f"{count:>10,}  {found}{f': {reason}' if reason else ''}"
        for found, reason, count in summarise_comparison(rows)
    ]
    if rejected.count:
        sums.append(f"{rejected.count:>10,}  lines name no method (the first: {rejected.first})")
    return sums


def _rows(batches: Iterable[pa.RecordBatch | pa.Table]) -> Iterator[_Method]:
    for batch in batches:
        names = (
            batch["method_name"].to_pylist()
            if "method_name" in batch.schema.names
            else [""] * len(batch)
        )
        columns = (batch[name].to_pylist() for name in PLACE_SCHEMA.names[1:])
        yield from zip(*columns, names, strict=True)


def _read_methods(corpus: CorpusFolder) -> Iterator[_Method]:
    methods = _rows(corpus.iterate_methods([*PLACE_SCHEMA.names[1:], "method_name"]))
    for _, file in groupby(methods, key=lambda method: method[:2]):
        yield from sorted(file)  # an inner method ends before the one around it


def _read_duplicates(corpus: CorpusFolder) -> Iterator[_Method]:
    if not corpus.duplicates_path.exists():
        return iter(())  # as in a generated corpus
    return iter(sorted(_rows(iterate_tables(corpus.duplicates_path, PLACE_SCHEMA))))


def _read_ledger(corpus: CorpusFolder) -> dict[str, _Files]:
    """What the ledger says of every file, and of a repository under the path ``""``."""
    files: dict[str, _Files] = defaultdict(dict)
    for line in read_table(corpus.ledger_path, LEDGER_SCHEMA).to_pylist():
        files[line["repository"]][line["path"] or ""] = line
    return files


def _compare(
    ours: list[_Method], theirs: list[_Method], files: _Files | None
) -> Counter[tuple[str, str]]:
    places = Counter(method[:4] for method in ours), Counter(method[:4] for method in theirs)
    shared = places[0] & places[1]
    only_here, only_there = (
        [method for method in side if method[:4] not in shared] for side in (ours, theirs)
    )
    # A place that one list has twice is one method more.
    extra = sum((places[0] - shared).values()) - len(only_here)
    missing = sum((places[1] - shared).values()) - len(only_there)
    names_here = {(path, name) for _, path, _, _, name in only_here if name}
    names_there = {(path, name) for _, path, _, _, name in only_there}
    paths_there = {path for _, path, _, _, _ in theirs}
    counts: Counter[tuple[str, str]] = Counter()
    for _, path, _, _, name in only_here:
        counts["only here", _why_only_here(path, name, paths_there, names_there)] += 1
    for _, path, _, _, name in only_there:
        counts["only released", _why_only_there(path, name, files, names_here)] += 1
    counts["both", ""] = sum(shared.values())
    counts["only here", "the place is listed once"] = extra
    counts["only released", "the place is listed twice"] = missing
    return +counts


def _why_only_here(path: str, name: str, paths: set[str], names: set[tuple[str, str]]) -> str:
    if not paths:
        return "the list does not have the repository"
    if path not in paths:
        return "the list does not have the file"
    return "other lines" if (path, name) in names else "the list does not have the method"


def _why_only_there(path: str, name: str, files: _Files | None, names: set[tuple[str, str]]) -> str:
    if files is None:
        return "the repository is not listed"
    repository, file = files.get("", {}), files.get(path)
    if repository.get("status") == "skipped":
        return f"repository: {generalise(repository['reason'])}"
    if file is None:
        return "there is no such file"
    if file["status"] == "skipped":
        return f"file: {generalise(file['reason'])}"
    if (path, name) in names:
        return "other lines"
    left_out = any(file[count] for count in LEFT_OUT)
    return "the file has methods that are left out" if left_out else "there is no such method"
