"""Finds the code that benchmarks name: functions by address, answers by id; says why it is missing.

Functions are looked up by their lines among the extracted functions; the code of answers of
CosBench (Yan et al., 2020) is in a file of its own.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from ncsbench.base.files.storage import iterate_tables
from ncsbench.corpus.function_corpus.annotations import Place, read_url
from ncsbench.corpus.function_corpus.function_schema import EXTRACTED_SCHEMA, FUNCTION_LEDGER_SCHEMA
from ncsbench.errors import DataError
from ncsbench.pairs.cleaned_pairs.benchmark_files import FUNCTION_COLUMNS, Code, describe_function
from ncsbench.pairs.comment_filter.comment_lines import open_lines, read_lines

COSBENCH = "cosbench"
"""Beginning of the keys of CosBench's answers."""

_PLACE = list(Place._fields)
_MOST_FAULTS = 20


@dataclass
class FoundCode:
    """The result of a search for code, by the name that a benchmark gives it: an address or an id.

    Attributes:
        found: code that was found, by name.
        missing: reasons why other code was not found, by name.
        faults: a message on each other thing that could not be read.
    """

    found: dict[str, Code] = field(default_factory=dict)
    missing: dict[str, str] = field(default_factory=dict)
    faults: list[str] = field(default_factory=list)


def find_functions(urls: Iterable[str], *, extracted: Path, corpus: Path) -> FoundCode:
    """Look for functions with exactly the repository, commit, path and lines of addresses.

    An address may begin behind the lines of a method's annotations, as the addresses of NCSED do.
    Copies are not yet removed from the extracted functions: the corpus may keep another copy than
    the one at the address.

    Args:
        urls: addresses in the form of ``function_schema.make_url``; other texts are reported as
            missing.
        extracted: folder of the extracted shards of Java.
        corpus: folder of the corpus; its ledger says what was not read.

    Raises:
        DataError: where there are no shards.
    """
    places: dict[str, Place] = {}
    made = FoundCode()
    for url in dict.fromkeys(urls):
        place = read_url(url)
        if place is None:
            made.missing[url] = "no address of lines at a commit"
        else:
            places[url] = place._replace(repo=place.repo.lower())
    by_place, commits = _look_up(places.values(), extracted)
    absent = {url: place for url, place in places.items() if place not in by_place}
    told = _read_ledger(absent.values(), corpus / "ledger.parquet")
    for url, place in places.items():
        if row := by_place.get(place):
            made.found[url] = describe_function(row)
        else:
            made.missing[url] = _explain(place, commits.get(place.repo, set()), told)
    return made


def read_code(path: Path, ids: Collection[str]) -> FoundCode:
    """Read the code of some answers: JSON Lines with ``id`` and ``code``, plain or gzip.

    A line that cannot be read is a fault, and so is an id that occurs again with other code: its
    first code counts. Ids that are not asked for are passed over.

    Raises:
        DataError: where the file cannot be read.
    """
    wanted, made, unreadable = set(ids), FoundCode(), 0
    with open_lines(str(path)) as stream:
        for line in read_lines(stream, str(path), "code"):
            name = line.fields.get("id")
            fault = line.fault
            if not fault and not isinstance(name, str):
                fault = "the field 'id' is no text"
            elif not fault and name in wanted:
                if not line.comment.strip():
                    fault = f"{name}: its code is empty"
                elif name not in made.found:
                    made.found[name] = Code(f"{COSBENCH}:{name}", "", line.comment, "")
                elif made.found[name].code != line.comment:
                    fault = f"{name} is there twice with other code; the first counts"
            if fault:
                unreadable += 1
                if unreadable <= _MOST_FAULTS:
                    made.faults.append(f"line {line.number} of the code: {fault}")
    if unreadable > _MOST_FAULTS:
        made.faults.append(f"{unreadable - _MOST_FAULTS} more lines of the code likewise")
    made.missing = dict.fromkeys(
        (one for one in ids if one not in made.found), "no code has its id"
    )
    return made


def _look_up(
    places: Iterable[Place], extracted: Path
) -> tuple[dict[Place, dict[str, Any]], dict[str, set[str]]]:
    """Find the first function at each place, and the commits of the repositories."""
    wanted: dict[tuple[str, str, str, int], set[Place]] = {}
    for place in places:
        wanted.setdefault(_find_end(place), set()).add(place)
    repositories = pa.array(sorted({repo for repo, *_ in wanted}), pa.string())
    found: dict[Place, dict[str, Any]] = {}
    annotated: dict[Place, dict[str, Any]] = {}
    commits: dict[str, set[str]] = {}
    for table in _iterate_shards(extracted):
        known = table.filter(pc.is_in(pc.utf8_lower(table["repo"]), repositories))
        for row in known.to_pylist():
            here = Place(*(row[name] for name in _PLACE))._replace(repo=row["repo"].lower())
            commits.setdefault(here.repo, set()).add(here.sha)
            for place in wanted.get(_find_end(here), ()):
                if place == here:
                    found.setdefault(place, row)
                elif _begins_within_annotations(row, place.start_line):
                    annotated.setdefault(place, row)
    return annotated | found, commits


def _find_end(place: Place) -> tuple[str, str, str, int]:
    return place.repo, place.sha, place.path, place.end_line


def _begins_within_annotations(row: dict[str, Any], line: int) -> bool:
    """Say whether a line is after the first line of a function, up to the line of its name."""
    name = re.escape(row["identifier"].rpartition(".")[2])
    named = re.search(rf"(?<![@\w$]){name}\s*\(", row["code"])
    first: int = row["start_line"]
    return named is not None and first < line <= first + row["code"].count("\n", 0, named.start())


def _iterate_shards(extracted: Path) -> Iterator[pa.Table]:
    shards = sorted(path for path in extracted.glob("*.parquet") if path.stem.isdigit())
    if not shards:
        raise DataError(f"{extracted}: has no extracted functions; make its corpus first")
    for path in shards:
        yield from iterate_tables(path, EXTRACTED_SCHEMA, list(FUNCTION_COLUMNS))


def _read_ledger(places: Iterable[Place], path: Path) -> dict[tuple[str, str], str]:
    """Read why repositories (path '') and files of places were not read; '' for files read."""
    files = {(place.repo, place.path) for place in places}
    names = pa.array(sorted({repo for repo, _ in files}), pa.string())
    told: dict[tuple[str, str], str] = {}
    columns = ["repository", "path", "status", "reason"]
    for table in iterate_tables(path, FUNCTION_LEDGER_SCHEMA, columns):
        known = table.filter(pc.is_in(pc.utf8_lower(table["repository"]), names))
        for row in known.to_pylist():
            key = (row["repository"].lower(), row["path"] or "")
            if not key[1] or key in files:
                skipped = row["status"] == "skipped"
                told.setdefault(key, (row["reason"] or "not read") if skipped else "")
    return told


def _explain(place: Place, commits: set[str], told: dict[tuple[str, str], str]) -> str:
    if (place.repo, "") not in told and not commits:
        return "its repository is not in the corpus"
    if reason := told.get((place.repo, "")):
        return f"its repository: {reason}"
    if commits and place.sha not in commits:
        return "the corpus has its repository at another commit"
    if (place.repo, place.path) not in told:
        return "its file is not there"
    if reason := told[place.repo, place.path]:
        return f"its file: {reason}"
    return "no function has exactly its lines"
