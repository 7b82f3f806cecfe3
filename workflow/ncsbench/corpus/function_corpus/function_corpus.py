"""Makes a corpus of the extracted functions of one language: copies removed, pairs, parts, ids."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from ncsbench.base.files.hashes import forget_file
from ncsbench.base.files.storage import iterate_tables, write_json, write_tables
from ncsbench.corpus.function_corpus.annotations import (
    Place,
    QueryWords,
    find_annotated,
    read_queries,
)
from ncsbench.corpus.function_corpus.corpus_options import (
    PARTS,
    CorpusOptions,
    FunctionCorpusSettings,
    PairFilters,
    PartShares,
)
from ncsbench.corpus.function_corpus.function_duplicates import (
    IDENTICAL,
    NEAR,
    Survey,
    has_tokens,
    survey_functions,
)
from ncsbench.corpus.function_corpus.function_repositories import read_function_repositories
from ncsbench.corpus.function_corpus.function_schema import (
    COUNTS,
    EXTRACTED_SCHEMA,
    FUNCTION_LEDGER_SCHEMA,
    FUNCTION_SCHEMA,
    REMOVED_SCHEMA,
)
from ncsbench.corpus.layout.ledger import count_lines, join_ledgers, rebatch
from ncsbench.errors import DataError

_ROWS = 8192
_DEFAULT = CorpusOptions()
Flags = NDArray[np.bool_]


@dataclass(frozen=True)
class Origin:
    """Facts about the functions that the functions themselves do not have.

    Attributes:
        ranks: places of repositories by popularity; of copies the one with the lowest rank stays.
        parts: of repositories that have a given part.
        ledger: lines about what was read (``FUNCTION_LEDGER_SCHEMA``).
        told: the manifest's entries about the origin.
    """

    ranks: Mapping[str, int] = field(default_factory=dict)
    parts: Mapping[str, str] = field(default_factory=dict)
    ledger: Iterable[pa.Table] = ()
    told: Mapping[str, Any] = field(default_factory=dict)


def build_corpus_of(
    settings: FunctionCorpusSettings, inventory: Path, extracted: Path, output: Path
) -> None:
    """Make the corpus of a language: copies removed, pairs, parts, ids.

    Args:
        settings: language, repositories, annotations and options of the corpus.
        inventory: list of the files.
        extracted: folder of the extracted shards.
        output: folder of the corpus to write.
    """
    name = settings.language
    listed = read_function_repositories(settings.repositories, name, settings.filters)
    queries = read_queries(settings.queries)
    shards = [f"{shard:04}" for shard in range(settings.shards)]
    ledgers = [extracted / f"{shard}.ledger.parquet" for shard in shards]
    build_function_corpus(
        [extracted / f"{shard}.parquet" for shard in shards],
        language=name,
        output=output,
        origin=Origin(
            ranks=listed.ranks,
            parts=listed.parts,
            ledger=join_ledgers(inventory, ledgers, schema=FUNCTION_LEDGER_SCHEMA, counts=COUNTS),
            told={"absent_columns": list(listed.absent), "lines_left_out": listed.left_out},
        ),
        options=settings.corpus,
        annotated=find_annotated(settings.annotations, queries, name),
        queries=queries,
    )


def build_function_corpus(
    extracted: Sequence[Path],
    *,
    language: str,
    output: Path,
    origin: Origin,
    options: CorpusOptions = _DEFAULT,
    annotated: Sequence[Place] = (),
    queries: Sequence[str] = (),
) -> None:
    """Write ``functions.parquet``, ``duplicates.parquet``, ``ledger.parquet``, ``manifest.json``.

    Args:
        extracted: shards in corpus order (``EXTRACTED_SCHEMA``); read twice, as streams.
        language: of the functions.
        output: folder of the corpus.
        origin: facts about the functions from elsewhere.
        options: copies, pairs and parts.
        annotated: places of functions that stay and that no training may see, nor copies of them.
        queries: functions whose documentation has all words of one are not trained on.

    Raises:
        DataError: where the functions of a repository are in two parts.
    """
    manifest_path = output / "manifest.json"
    forget_file(manifest_path)  # should this be killed, none may speak of other functions
    manifest_path.unlink(missing_ok=True)
    survey = survey_functions(
        extracted,
        language=language,
        ranks=origin.ranks,
        annotated=annotated,
        options=options.duplicates,
    )
    parts = Parts(options.parts, origin.parts)
    second = _SecondPass(extracted, survey, parts, options.pairs, QueryWords(queries))
    write_tables(
        output / "functions.parquet", rebatch(second.iterate_kept(), _ROWS), FUNCTION_SCHEMA
    )
    removed = rebatch(_iterate_removed(extracted, survey, options), _ROWS)
    write_tables(output / "duplicates.parquet", removed, REMOVED_SCHEMA)
    ledger = output / "ledger.parquet"
    write_tables(ledger, origin.ledger, FUNCTION_LEDGER_SCHEMA)
    lines = iterate_tables(ledger, FUNCTION_LEDGER_SCHEMA, ["path", "status", "reason"])
    manifest = {
        "language": language,
        "functions": int(survey.stays.sum()),
        "pairs": {part: second.pairs[part] for part in PARTS},
        "parts": {
            part: {"repositories": count, "functions": second.functions[part]}
            for part, count in parts.count().items()
        },
        "corpus_hash": second.digest.hexdigest(),
        "funnel": [*_count_removed(survey, options), *second.describe()],
        "ledger": {
            **count_lines(lines, all_remarks=True),
            "dropped": dict(sorted(_count_dropped(ledger).items())),
        },
        **origin.told,
    }
    write_json(manifest_path, manifest)


def _count_dropped(ledger: Path) -> Counter[str]:
    """Count the functions that each rule leaves out."""
    counts: Counter[str] = Counter()
    for table in iterate_tables(ledger, FUNCTION_LEDGER_SCHEMA, ["dropped_by"]):
        for by_rule in table["dropped_by"].drop_null().to_pylist():
            for rule, count in by_rule:
                counts[rule] += count
    return counts


class Parts:
    """The part of each repository: as given, else by the MD5 of its name (DEV-132)."""

    def __init__(self, shares: PartShares, given: Mapping[str, str]) -> None:
        """Begin without repositories.

        Args:
            shares: per cent of the repositories.
            given: parts by ``owner/name``.
        """
        self._shares = shares
        self._given = given
        self._taken: dict[str, tuple[str, str]] = {}

    def find(self, repo: str) -> str:
        """The part of a repository.

        Raises:
            DataError: where it is in two: GitHub takes names that differ in case for the same.
        """
        part = self._given.get(repo) or self._draw(repo)
        name, taken = self._taken.setdefault(repo.lower(), (repo, part))
        if taken != part:
            raise DataError(
                f"{repo} is in the part {part} and, as {name}, in {taken}; a repository must be in "
                "one: mend the list"
            )
        return part

    def count(self) -> dict[str, int]:
        """Count the repositories of each part."""
        counts = Counter(part for _, part in self._taken.values())
        return {part: counts[part] for part in PARTS}

    def _draw(self, repo: str) -> str:
        digest = hashlib.md5(repo.lower().encode(), usedforsecurity=False).digest()
        place = int.from_bytes(digest, "big") % 100
        if place < self._shares.train:
            return "train"
        return "valid" if place < self._shares.train + self._shares.valid else "test"


@dataclass
class _SecondPass:
    """Streams the functions that stay, and counts the pairs that each step leaves."""

    extracted: Sequence[Path]
    survey: Survey
    parts: Parts
    filters: PairFilters
    queries: QueryWords
    digest: hashlib._Hash = field(default_factory=hashlib.sha256)
    pairs: Counter[str] = field(default_factory=Counter)
    functions: Counter[str] = field(default_factory=Counter)
    left: list[int] = field(default_factory=lambda: [0] * 5)
    """Number of pairs that each step left."""

    def iterate_kept(self) -> Iterator[pa.Table]:
        """The functions that stay, with their ids."""
        ids = np.cumsum(self.survey.stays) - 1
        for places, kept in _choose(self.extracted, EXTRACTED_SCHEMA.names, self.survey.stays):
            parts = [self.parts.find(repo) for repo in kept["repo"].to_pylist()]
            pairs = self._find_pairs(kept, parts, self.survey.unseen[places])
            self.functions.update(parts)
            self.pairs.update(np.array(parts, object)[pairs].tolist())
            for row in kept.select(["repo", "path", "start_line", "end_line", "code"]).to_pylist():
                # No field contains a NUL, so fields cannot be confused.
                self.digest.update("\0".join([*map(str, row.values()), ""]).encode())
            columns = {
                "function_id": pa.array(ids[places], pa.int64()),
                "part": pa.array(parts, pa.string()),
                "is_pair": pa.array(pairs),
                **{name: kept[name] for name in EXTRACTED_SCHEMA.names if name != "name"},
            }
            yield pa.table({name: columns[name] for name in FUNCTION_SCHEMA.names})

    def describe(self) -> list[dict[str, Any]]:
        """Lines of the funnel about pairs, when all were streamed."""
        functions = int(self.survey.stays.sum())
        stages = (
            f"documentation of at least {self.filters.docstring_tokens} tokens",
            f"at least {self.filters.lines} lines",
            f"no {self.filters.name!r} in the name",
            "in training: not annotated, no copy of such",
            "in training: documentation without all words of a query",
        )
        return [
            {"stage": stage, "functions": functions, "documented": count}
            for stage, count in zip(stages, self.left, strict=True)
        ]

    def _find_pairs(self, kept: pa.Table, parts: list[str], unseen: Flags) -> Flags:
        filters = self.filters
        lines = np.asarray(kept["end_line"]) - np.asarray(kept["start_line"]) + 1
        named = np.zeros(len(kept), bool)
        if filters.name:
            found = pc.match_substring(kept["name"], filters.name, ignore_case=True)
            named = found.to_numpy()
        trained = np.array([part == "train" for part in parts], bool)
        steps = [
            has_tokens(kept, filters.docstring_tokens),
            lines >= filters.lines,
            ~named,
            ~(trained & unseen),
        ]
        pairs = np.ones(len(kept), bool)
        for number, step in enumerate(steps):
            pairs &= step
            self.left[number] += int(pairs.sum())
        texts = kept["docstring"].filter(pa.array(pairs & trained)).to_pylist()
        pairs[np.flatnonzero(pairs & trained)] = [not self.queries.occur_in(one) for one in texts]
        self.left[-1] += int(pairs.sum())
        return pairs


def _count_removed(survey: Survey, options: CorpusOptions) -> list[dict[str, Any]]:
    """Lines of the funnel about functions."""
    own = survey.kept == np.arange(len(survey.kept))
    stages = [
        ("extracted", np.ones(len(own), bool)),
        ("without identical tokens", ~survey.identical),
        ("without near duplicates", own),
        (f"without fewer than {options.duplicates.minimum} identifiers", survey.stays),
    ]
    return [
        {
            "stage": stage,
            "functions": int(some.sum()),
            "documented": int((some & survey.documented).sum()),
        }
        for stage, some in stages
    ]


def _iterate_removed(
    extracted: Sequence[Path], survey: Survey, options: CorpusOptions
) -> Iterator[pa.Table]:
    """The places of the functions that do not stay (``REMOVED_SCHEMA``)."""
    stays = survey.stays
    ids = np.cumsum(stays) - 1
    few = f"fewer than {options.duplicates.minimum} identifiers"
    is_first = survey.kept == np.arange(len(survey.kept))
    reasons = np.select([survey.identical, ~is_first], [IDENTICAL, NEAR], few)
    for places, removed in _choose(extracted, list(Place._fields), ~stays):
        standing = survey.kept[places]
        columns = [
            pa.array(reasons[places], pa.string()),
            pa.array(ids[standing], pa.int64(), mask=~stays[standing]),
        ]
        yield pa.table([*(removed[name] for name in Place._fields), *columns], REMOVED_SCHEMA.names)


def _choose(
    extracted: Sequence[Path], columns: list[str], chosen: Flags
) -> Iterator[tuple[NDArray[np.int64], pa.Table]]:
    """Positions and rows of the chosen functions, table by table."""
    start = 0
    for path in extracted:
        for table in iterate_tables(path, EXTRACTED_SCHEMA, columns, rows=_ROWS):
            here = chosen[start : start + len(table)]
            yield start + np.flatnonzero(here), table.filter(pa.array(here))
            start += len(table)
