"""``attribution_repositories.csv``: whom to name when methods of a dataset are used."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from ncsbench.artifacts.csv_tables import write_rows
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
    write_rows(path, ATTRIBUTION_COLUMNS, map(_make_row, repositories))


def _make_row(repository: RepositoryFacts) -> dict[str, str]:
    commit = repository.commit
    return {
        "repository": repository.name,
        "commit": commit,
        "committed": repository.committed.isoformat() if repository.committed else "",
        "link": f"https://github.com/{repository.name}/tree/{commit}" if commit else "",
        "licence": repository.licence,
        "licence_files": " / ".join(repository.licence_files),
        "methods": str(repository.methods),
    }
