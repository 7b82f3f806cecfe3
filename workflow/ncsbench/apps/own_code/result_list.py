"""The list of results of a question: the files that are chosen, and one result for each file."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, Literal

from ncsbench.code.definitions.languages import TITLES, find_language_of
from ncsbench.errors import ConfigurationError, nearest
from ncsbench.rankers.lexical.code_bm25 import is_aside

Unit = Literal["file", "method"]
"""The unit of a result."""
FILE_DEPTH = 1000
"""Most methods of a ranking that are gathered by their files."""
_ADDED, _SHARE = 4, 0.5
_SHOWN = 9


@dataclass(frozen=True)
class RankedResult:
    """One result: a method, its score, and further methods of its file, best first.

    ``added`` is the part of the score that is the file's other methods'.
    """

    id: int
    score: float
    others: tuple[int, ...] = ()
    added: float = 0.0


@dataclass(frozen=True)
class Only:
    """Files whose methods are results.

    Attributes:
        paths: patterns of the shell, of which a path or a part of it from a "/" on fits one; all
            files without any.
        not_paths: patterns of files that are left out.
        languages: titles of languages; empty for all.
        tests: True for tests, examples and generated code alone, False for all else, None for both.
    """

    paths: tuple[str, ...] = ()
    not_paths: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()
    tests: bool | None = None

    def takes(self, path: str) -> bool:
        """Say whether methods of a file are results."""
        language = find_language_of(path)
        return (
            (not self.paths or any(_fits(path, one) for one in self.paths))
            and not any(_fits(path, one) for one in self.not_paths)
            and (not self.languages or (language is not None and language.title in self.languages))
            and (self.tests is None or is_aside(path) == self.tests)
        )


@dataclass(frozen=True)
class WantedList:
    """The list of results that a user wants.

    Attributes:
        k: number of results.
        by: the unit of a result; its best method represents a file.
        only: choice of files; None for all.
    """

    k: int
    by: Unit = "method"
    only: Only | None = None


def read_language(name: str) -> str:
    """Return the title of a language that a user named in any case, or by the end of its files.

    Raises:
        ConfigurationError: for a language that is not read.
    """
    by_suffix = find_language_of(f"x.{name.lstrip('.').lower()}")
    by_name = {title.lower(): title for title in TITLES}
    title = by_name.get(name.lower()) or (by_suffix.title if by_suffix else "")
    if not title:
        raise ConfigurationError(f"unknown language {name!r}; {nearest(name, list(TITLES))}")
    return title


def read_pattern(pattern: str, folder: Path | None) -> str:
    """Return a pattern of ``Only`` below the folder that was indexed, where a path is meant."""
    if folder is None or not f"{pattern}/".startswith(("./", "../", "/")):
        return pattern
    return "./" + os.path.relpath(os.path.abspath(pattern), folder)  # noqa: PTH100 (links stay)


def gather_by_file(ranked: Iterable[tuple[int, float]], paths: Sequence[str]) -> list[RankedResult]:
    """Make one result of the methods of each file.

    The score of a file is that of its best method and half the sum of the next four, so that a file
    in which much fits comes before one with a single method that fits as well.

    Args:
        ranked: ids and scores, best first.
        paths: of the files, by id.

    Returns:
        A result for each file with the id of its best method, best first; ties by ascending id.
    """
    files: defaultdict[str, list[tuple[int, float]]] = defaultdict(list)
    for id_, score in ranked:
        files[paths[id_]].append((id_, score))
    results = []
    for (best, score), *others in files.values():
        added = _SHARE * sum(one for _, one in others[:_ADDED])
        shown = tuple(id_ for id_, _ in others[:_SHOWN])
        results.append(RankedResult(best, score + added, shown, added))
    return sorted(results, key=lambda one: (-one.score, one.id))


def show_name(method: Mapping[str, Any]) -> str:
    """Return ``Class.method``, or the name alone of what is in no class."""
    return ".".join(filter(None, (method["class_name"], method["method_name"])))


def _fits(path: str, pattern: str) -> bool:
    if pattern.startswith("./"):
        whole = pattern.removeprefix("./").rstrip("/")
        return whole == "." or fnmatchcase(path, whole) or fnmatchcase(path, f"{whole}/*")
    return any(
        fnmatchcase(f"/{path}", one) for one in (f"*/{pattern}", f"*/{pattern.rstrip('/')}/*")
    )
