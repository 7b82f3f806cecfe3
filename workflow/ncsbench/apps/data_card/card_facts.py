"""Counts for a data card: from inventory, ledger, licences and the corpus itself."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from ncsbench.base.files.csv_tables import name_cells, write_rows
from ncsbench.base.files.storage import iterate_tables
from ncsbench.corpus.layout.layout import CorpusFolder
from ncsbench.corpus.layout.ledger_schema import (
    LEDGER_SCHEMA,
    LICENCE_SCHEMA,
    generalise,
    name_licence,
)
from ncsbench.corpus.sources.inventory import INVENTORY_SCHEMA, LINE, REPOSITORY
from ncsbench.pairs.training_pairs.pair_schema import PAIR_SCHEMA
from ncsbench.posts.questions.question_schema import QUESTION_SCHEMA

QUANTILES = (0.0, 0.1, 0.25, 0.5, 0.75, 0.9, 0.99, 1.0)
"""Quantiles of lengths that a data card shows; the value of each is a length that occurs."""


@dataclass(frozen=True)
class RepositoryFacts:
    """A repository that was read.

    Attributes:
        name: ``owner/name``.
        commit: the commit that was read; empty where its source has no versions.
        committed: day of the commit; None where it is not known.
        licence: the licence, as ``name_licence`` has it.
        licence_files: paths of the licence files.
        methods: number of its methods in the corpus.
    """

    name: str
    commit: str
    committed: date | None
    licence: str
    licence_files: tuple[str, ...]
    methods: int


@dataclass(frozen=True)
class CardFacts:
    """The counts of a data card.

    Attributes:
        listed: repositories of the list.
        unusable_lines: lines of the list that name no repository, by reason.
        repositories: the repositories that were read, in corpus order.
        missing: repositories that were not read, by reason.
        files_read: number of Java files that were read.
        files_left_out: number of other Java files, by reason.
        manifest: the manifest of the corpus.
        lines: ``QUANTILES`` of the lines of a method.
        tokens: ``QUANTILES`` of the tokens of a method.
        questions: number of evaluation questions.
        pairs: number of training pairs by set.
    """

    listed: int
    unusable_lines: dict[str, int]
    repositories: list[RepositoryFacts]
    missing: dict[str, int]
    files_read: int
    files_left_out: dict[str, int]
    manifest: dict[str, Any]
    lines: list[int]
    tokens: list[int]
    questions: int
    pairs: dict[str, int]

    @property
    def methods(self) -> int:
        """Number of methods of the corpus."""
        return int(self.manifest["methods"])


def gather_facts(
    *, corpus: CorpusFolder, licences: Path, questions: Path, pairs: Sequence[Path]
) -> CardFacts:
    """Gather all counts of a data card; methods are read as a stream.

    Args:
        corpus: a built corpus with its inventory.
        licences: table of ``LICENCE_SCHEMA``.
        questions: table of ``QUESTION_SCHEMA``.
        pairs: tables of ``PAIR_SCHEMA``, each with the name of its set.
    """
    heads = _count_heads(corpus.inventory_path)
    files = _count_reasons(corpus.ledger_path)
    methods, lines, tokens = _measure_methods(corpus)
    skipped = heads[REPOSITORY, "skipped"]
    return CardFacts(
        listed=heads[REPOSITORY, "taken"].total() + skipped.total(),
        unusable_lines=_by_count(heads[LINE, "skipped"]),
        repositories=list(_describe_repositories(licences, methods)),
        missing=_by_count(skipped),
        files_read=files["taken"].total(),
        files_left_out=_by_count(files["skipped"]),
        manifest=corpus.manifest(),
        lines=_quantiles(lines),
        tokens=_quantiles(tokens),
        questions=_count_rows(questions, QUESTION_SCHEMA),
        pairs=dict(sorted((path.stem, _count_rows(path, PAIR_SCHEMA)) for path in pairs)),
    )


def _count_heads(inventory: Path) -> dict[tuple[str, str], Counter[str]]:
    """Count reasons of repositories, and of lines that name no repository, by kind and status."""
    counts = {
        (kind, status): Counter[str]()
        for kind in (LINE, REPOSITORY)
        for status in ("taken", "skipped")
    }
    columns = ["kind", "status", "reason"]
    for table in iterate_tables(inventory, INVENTORY_SCHEMA, columns):
        for key, counted in counts.items():
            of_kind = pc.and_(pc.equal(table["kind"], key[0]), pc.equal(table["status"], key[1]))
            counted.update(_generalise(table.filter(of_kind)["reason"]))
    return counts


def _count_reasons(ledger: Path) -> dict[str, Counter[str]]:
    """Count reasons of files, by status."""
    counts = {status: Counter[str]() for status in ("taken", "skipped")}
    for table in iterate_tables(ledger, LEDGER_SCHEMA, ["path", "status", "reason"]):
        files = table.filter(pc.is_valid(table["path"]))
        for status, counted in counts.items():
            counted.update(_generalise(files.filter(pc.equal(files["status"], status))["reason"]))
    return counts


def _generalise(reasons: pa.ChunkedArray) -> Iterator[str]:
    return (generalise(reason or "") for reason in reasons.to_pylist())


def _by_count(counts: Counter[str]) -> dict[str, int]:
    return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))


def _measure_methods(
    corpus: CorpusFolder,
) -> tuple[Counter[str], NDArray[np.int32], NDArray[np.int32]]:
    """Count methods by repository, and lines and tokens of all methods, int32, shape (methods,)."""
    methods: Counter[str] = Counter()
    lines, tokens = [np.empty(0, np.int32)], [np.empty(0, np.int32)]
    for table in corpus.iterate_methods(["repository", "lines", "tokens"]):
        names, counts = pc.value_counts(table["repository"]).flatten()
        methods.update(dict(zip(names.to_pylist(), counts.to_pylist(), strict=True)))
        lines.append(table["lines"].to_numpy())
        tokens.append(table["tokens"].to_numpy())
    return methods, np.concatenate(lines), np.concatenate(tokens)


def _quantiles(values: NDArray[np.int32]) -> list[int]:
    return [int(value) for value in np.quantile(values, QUANTILES, method="inverted_cdf")]


def _describe_repositories(licences: Path, methods: Counter[str]) -> Iterator[RepositoryFacts]:
    rows = (row for table in iterate_tables(licences, LICENCE_SCHEMA) for row in table.to_pylist())
    for name, group in groupby(rows, key=lambda row: row["repository"]):
        files: Sequence[dict[str, Any]] = list(group)
        committed = files[0]["committed"]
        yield RepositoryFacts(
            name=name,
            commit=files[0]["commit"] or "",
            committed=None if committed is None else committed.date(),
            licence=name_licence(files),
            licence_files=tuple(file["path"] for file in files if file["path"] is not None),
            methods=methods[name],
        )


def _count_rows(path: Path, schema: pa.Schema) -> int:
    return sum(len(table) for table in iterate_tables(path, schema, schema.names[:1]))


ATTRIBUTION_COLUMNS = (
    *("repository", "commit", "committed", "link", "licence", "licence_files"),
    "methods",
)
"""Columns of the attribution: ``licence`` is as ``name_licence`` has it; ``licence_files`` are
separated by `` / ``, since no name of a file has a slash."""


def write_attribution(path: Path, repositories: Iterable[RepositoryFacts]) -> None:
    """Write ``ATTRIBUTION_COLUMNS`` of all repositories that were read, atomically.

    A repository without versions has no link, since its address is not known.
    """
    records = (
        (
            *(one.name, one.commit, one.committed and one.committed.isoformat()),
            f"https://github.com/{one.name}/tree/{one.commit}" if one.commit else "",
            *(one.licence, " / ".join(one.licence_files), one.methods),
        )
        for one in repositories
    )
    write_rows(path, ATTRIBUTION_COLUMNS, name_cells(ATTRIBUTION_COLUMNS, records))
