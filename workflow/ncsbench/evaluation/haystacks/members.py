"""``haystacks.parquet``: the first step at which each method belongs to the haystacks.

Distractors join the base repository by repository, in an order that depends only on the seed and
their names. Published examples and near copies of examples among the distractors' methods stay out
(DEV-104): a distractor should distract, and whoever listed the repositories looked for examples.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path
from urllib.parse import unquote

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ncsbench.base.files.corpus_stamps import of_corpus
from ncsbench.base.files.storage import read_table, write_table
from ncsbench.corpus.layout.layout import CorpusFolder, number_repositories
from ncsbench.corpus.layout.ledger_schema import LEDGER_SCHEMA
from ncsbench.corpus.sources.repositories import read_repositories
from ncsbench.errors import ConfigurationError
from ncsbench.evaluation.haystacks.haystack_options import MemberSettings, name_series
from ncsbench.evaluation.haystacks.member_files import MEMBER_SCHEMA
from ncsbench.evaluation.judge.answers import AnswerFeatures
from ncsbench.evaluation.judge.best_matches import find_matches
from ncsbench.evaluation.judge.compiled_code import compile_once
from ncsbench.evaluation.judge.judge_index import JudgeIndex
from ncsbench.evaluation.measures.result_checks import MethodComparison
from ncsbench.evaluation.statistics.evaluation_options import NEAR
from ncsbench.posts.questions.question_schema import QUESTION_SCHEMA

EXAMPLE_SCHEMA = of_corpus(
    pa.schema(
        [
            pa.field("query_id", pa.int32(), nullable=False),
            pa.field("rank", pa.int32(), nullable=False),
            pa.field("id", pa.int64(), nullable=False),
        ]
    )
)
"""Method ``id`` is the ``rank``-th example of question ``query_id``."""

_MOST_COPIES = 10_000
_LINK = re.compile(r"https://github\.com/([^/]+/[^/]+)/blob/[^/]+/(.+)#L(\d+)(?:-L(\d+))?")


def write_members(
    settings: MemberSettings,
    questions: Path,
    corpus: CorpusFolder,
    index: JudgeIndex,
    output: Path,
) -> None:
    """Write the first haystack that has each method, and whether the method is an example.

    Args:
        settings: list of the base, steps, seed, judge.
        questions: questions as Parquet, with links to the published examples.
        corpus: folder of a built corpus.
        index: folder of the judge's index of the corpus.
        output: table of ``MEMBER_SCHEMA`` to write.

    Raises:
        ConfigurationError: where the base is not a part of the dataset, or a step does not have
            more methods than the base.
    """
    compile_once()
    repositories, names = number_repositories(corpus)
    asked = read_table(questions, QUESTION_SCHEMA, ["query_id", "examples_url"]).to_pylist()
    links = {question["query_id"]: question["examples_url"] for question in asked}
    listed = np.unique(find_examples(links, corpus.iterate_places())["id"].to_numpy())
    examples = np.zeros(len(repositories), np.bool_)
    examples[listed] = True
    examples[find_near_copies(listed, index, settings.judge)] = True
    base = {one.full_name for one in read_repositories(settings.base).repositories}
    listed_names = read_table(corpus.ledger_path, LEDGER_SCHEMA, ["repository"])["repository"]
    for name in sorted(base - set(listed_names.unique().to_pylist())):
        raise ConfigurationError(
            f"haystacks.base: {settings.base} names {name}, which is not among the repositories of "
            "the dataset; remove it from the base"
        )
    joins = choose_steps(
        np.bincount(repositories[~examples], minlength=len(names)),
        int(np.isin(names, list(base))[repositories].sum()),
        names,
        base,
        settings,
    )
    series = np.array(name_series(settings.steps), dtype=np.object_)
    table = pa.table(
        [np.arange(len(repositories)), repositories, series[joins[repositories]], examples],
        schema=MEMBER_SCHEMA,
    )
    write_table(output, table, MEMBER_SCHEMA, corpus_hash=index.corpus_hash)


def choose_steps(
    methods: NDArray[np.int64],
    base_methods: int,
    names: list[str],
    base: Collection[str],
    settings: MemberSettings,
) -> NDArray[np.int8]:
    """Choose the first haystack of each repository, as a place in ``name_series``: 0 is the base.

    A repository that would exceed a number of methods waits for the next step, and so do all
    repositories after it.

    Args:
        methods: number of methods that each repository would add, shape (repositories,).
        base_methods: number of methods of the base.
        names: names of the repositories, in the same order.
        base: names of the repositories of the base.
        settings: steps and seed.

    Raises:
        ConfigurationError: where a step does not have more methods than the base.
    """
    for limit in settings.steps[:1]:
        if limit <= base_methods:
            raise ConfigurationError(
                f"haystacks.steps: {limit} methods are no more than the {base_methods} of the base "
                f"({settings.base}); raise or remove it in the dataset file"
            )
    chosen = np.zeros(len(names), np.int8)
    total, step = base_methods, 1
    order = sorted(
        (number for number, name in enumerate(names) if name not in base),
        # By a key of nothing but the seed and the name of the repository.
        key=lambda number: hashlib.sha256(f"{settings.seed} {names[number]}".encode()).digest(),
    )
    for number in order:
        total += int(methods[number])
        while step <= len(settings.steps) and total > settings.steps[step - 1]:
            step += 1
        chosen[number] = step
    return chosen


def find_near_copies(
    examples: NDArray[np.int64], index: JudgeIndex, similarity: str
) -> NDArray[np.int64]:
    """Find methods near-identical to one of ``examples``, as ``copies.csv`` counts them."""
    comparison = MethodComparison(index, similarity, NEAR)
    features = [comparison.features(example) for example in examples.tolist()]
    matches = find_matches(
        answers=AnswerFeatures(
            query_ids=np.arange(len(examples), dtype=np.int32),
            starts=np.cumsum([0, *(len(one.ids) for one in features)]).astype(np.int64),
            ids=np.concatenate([np.zeros(0, np.uint64), *(one.ids for one in features)]),
            counts=np.concatenate([np.zeros(0, np.int32), *(one.counts for one in features)]),
        ),
        index=index,
        limits=[(similarity, NEAR)],
        count=_MOST_COPIES,
    )
    found = {
        id_
        for number, id_ in zip(
            matches["query_id"].to_pylist(), matches["id"].to_pylist(), strict=True
        )
        if comparison.are_near_identical(int(examples[number]), id_)
    }
    return np.array(sorted(found), np.int64)


def read_example_link(link: str) -> tuple[str, str, int, int] | None:
    """Read repository, path, first and last line of a published example; None for another link."""
    if not (found := _LINK.fullmatch(link)):
        return None
    repository, path, first, last = found.groups()
    return repository, unquote(path), int(first), int(last or first)


def find_examples(links: Mapping[int, list[str]], methods: Iterable[pa.Table]) -> pa.Table:
    """Find the published examples in the corpus, by repository, path and lines (DEV-39).

    Args:
        links: links to the examples of each query id, best first.
        methods: tables of ``PLACE_SCHEMA``: all methods, then duplicates that another method
            represents.

    Returns:
        A table of ``EXAMPLE_SCHEMA``, by question; the rank is the position among the question's
        links.
    """
    wanted: dict[tuple[str, str, int, int], list[tuple[int, int]]] = {}
    for row, of_row in links.items():
        for rank, link in enumerate(of_row, start=1):
            if place := read_example_link(link):
                wanted.setdefault(place, []).append((row, rank))
    methods_at: dict[tuple[int, int], int] = {}
    for table in methods:
        columns = ("repository", "path", "start_line", "end_line", "id")
        for *span, id_ in zip(*(table[name].to_pylist() for name in columns), strict=True):
            for position in wanted.get(tuple(span), ()):
                methods_at.setdefault(position, id_)  # the first method on these lines
    rows = [
        {"query_id": row, "rank": rank, "id": id_}
        for (row, rank), id_ in sorted(methods_at.items())
    ]
    return pa.Table.from_pylist(rows, EXAMPLE_SCHEMA)
