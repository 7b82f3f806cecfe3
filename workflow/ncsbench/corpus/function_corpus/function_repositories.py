"""The list of repositories of several languages, filtered by its columns."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from ncsbench.code.functions.registry import LANGUAGES
from ncsbench.corpus.function_corpus.corpus_options import PARTS, RepositoryFilters
from ncsbench.corpus.sources.repositories import (
    Repository,
    RepositoryList,
    check_repository,
    iterate_list,
)
from ncsbench.errors import ConfigurationError, nearest

_NEEDED = ("language", "repo", "commit")
OPTIONAL = ("fork", "stars", "forks", "dependants", "licence", "part")
_NUMBERS = ("stars", "forks", "dependants")
_NUMBER = re.compile("[0-9]{1,15}")
_TRUTH = {"true": True, "1": True, "false": False, "0": False, "": False}


@dataclass(frozen=True)
class FunctionRepositories:
    """The repositories of one language.

    Attributes:
        listed: the repositories that are taken, in corpus order, and the lines that are not.
        ranks: place by descending popularity, from 0, by ``owner/name`` (DEV-130).
        parts: entries of the column ``part``, by ``owner/name``; empty entries are left out.
        absent: optional columns that the list does not have; these filter nothing.
        left_out: number of lines that are left out, by reason.
    """

    listed: RepositoryList
    ranks: dict[str, int]
    parts: dict[str, str]
    absent: tuple[str, ...]
    left_out: dict[str, int]


def read_function_repositories(
    path: Path, language: str, filters: RepositoryFilters
) -> FunctionRepositories:
    """Read a CSV file with the columns ``language,repo,commit`` and some of ``OPTIONAL``.

    A line that is of no use is set aside with its reason.

    Args:
        path: the list, of any languages, by name or title in any letter case.
        language: the language whose lines count.
        filters: conditions on the repositories that are taken.

    Raises:
        ConfigurationError: where it cannot be read, lacks a column, names a language that is not
            known, or has no usable repository of the language.
    """
    known = {word.lower(): row.name for row in LANGUAGES.values() for word in (row.name, row.title)}
    taken: dict[str, tuple[Repository, dict[str, str]]] = {}
    rejected: list[tuple[str, str]] = []
    names: frozenset[str] = frozenset()
    for number, row in iterate_list(path, _NEEDED):
        names = frozenset(row)
        cells = {name: (row.get(name) or "").strip() for name in (*_NEEDED, *OPTIONAL)}
        if (listed := cells["language"].lower()) not in known:
            raise ConfigurationError(
                f"{path}: line {number}: unknown language {cells['language']!r}; "
                f"{nearest(listed, sorted(known))}"
            )
        if known[listed] != language:
            continue
        repository, reason = check_repository(cells["repo"], cells["commit"])
        if repository is not None:
            key = repository.full_name.lower()  # as GitHub reads it
            reason = next(_refuse(cells, names, filters), "")
            if key in taken:
                reason = reason or "listed twice, the first line counts"
            elif not reason:
                taken[key] = repository, cells
        if reason:
            line = f"{cells['language']},{cells['repo']},{cells['commit']}"
            rejected.append((line[:200], reason))
    if not taken:
        first = f"; the first line left out: {rejected[0][1]}" if rejected else ""
        raise ConfigurationError(f"{path}: names no usable repository of {language}{first}")
    ordered = sorted(taken.values(), key=lambda one: one[0].full_name)
    popular = sorted(ordered, key=lambda one: -sum(int(one[1][n] or 0) for n in ("stars", "forks")))
    return FunctionRepositories(
        listed=RepositoryList([one for one, _ in ordered], rejected),
        ranks={one.full_name: rank for rank, (one, _) in enumerate(popular)},
        parts={one.full_name: cells["part"] for one, cells in ordered if cells["part"]},
        absent=tuple(name for name in OPTIONAL if name not in names),
        left_out=dict(sorted(Counter(reason.split(" (")[0] for _, reason in rejected).items())),
    )


def _refuse(
    cells: dict[str, str], present: frozenset[str], filters: RepositoryFilters
) -> Iterator[str]:
    """Give the reasons against a repository; an empty cell counts only for the licence."""
    for name in _NUMBERS:
        if cells[name] and not _NUMBER.fullmatch(cells[name]):
            yield f"{name} is no number ({cells[name][:40]!r})"
    if cells["fork"].lower() not in _TRUTH:
        yield f"fork is neither true nor false ({cells['fork'][:40]!r})"
    if cells["part"] not in {"", *PARTS}:
        yield f"part is not one of {', '.join(PARTS)} ({cells['part'][:40]!r})"
    if filters.forks == "left_out" and _TRUTH[cells["fork"].lower()]:
        yield "a fork"
    if cells["dependants"] and int(cells["dependants"]) < filters.dependants:
        yield f"fewer than {filters.dependants} dependants"
    if "licence" in present and filters.licences:
        if not cells["licence"]:
            yield "no licence is listed"
        elif cells["licence"].lower() not in {one.lower() for one in filters.licences}:
            yield f"the licence is not in the list ({cells['licence'][:40]})"
