"""``attribution_repositories.csv``: whom to name when methods of a dataset are used."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from ncsbench.artifacts.csv_tables import name_cells, write_rows
from ncsbench.tables.card_facts import RepositoryFacts

ATTRIBUTION_COLUMNS = (
    *("repository", "commit", "committed", "link", "licence", "licence_files"),
    "methods",
)
"""``licence`` as ``name_licence`` has it; ``licence_files`` are separated by `` / ``,
since no name of a file has a slash."""


def write_attribution(path: Path, repositories: Iterable[RepositoryFacts]) -> None:
    """Write ``ATTRIBUTION_COLUMNS`` of all repositories that were read, atomically.

    What a repository without versions is called elsewhere is not known: it has no link.
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
