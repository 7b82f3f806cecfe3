"""Haystacks: which methods belong to which, and their table."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from ncsbench.base.files.csv_tables import read_rows
from ncsbench.code.aroma.similarity_names import SIMILARITIES
from ncsbench.corpus.sources.repositories import read_repositories
from ncsbench.errors import ConfigurationError
from ncsbench.evaluation.haystacks import haystack_table
from ncsbench.evaluation.haystacks.haystack_options import (
    HaystackOptions,
    HaystackTableSettings,
    MemberSettings,
    name_haystacks,
)
from ncsbench.evaluation.haystacks.member_files import MEMBER_SCHEMA, choose_methods
from ncsbench.evaluation.haystacks.members import choose_steps, find_near_copies
from ncsbench.evaluation.judge.judge_index import JudgeIndex
from ncsbench.evaluation.measures.judged_rankings import JudgedRanking
from tests.unit.evaluation.test_sensitivity import index as index  # noqa: PLC0414  (a fixture)


def settings(*steps: int, seed: int = 1) -> MemberSettings:
    return MemberSettings(
        base=Path("base.csv"), steps=steps, seed=seed, judge="pruned_jaccard_leaf"
    )


def test_the_committed_list_is_what_its_seed_draws(root: Path, shared: Path) -> None:
    """The 480 repositories that are not at hand, by their hashes, as distractors join."""
    data = shared / "data" / "ncsed"
    kept = [one.full_name for one in read_repositories(data / "repos-available.csv").repositories]
    listed = read_repositories(data / "repositories.txt").repositories
    others = {one.full_name for one in listed} - set(kept)
    drawn = sorted(others, key=lambda name: sha256(f"1 {name}".encode()).digest())[:480]
    committed = read_rows(
        root / "config" / "datasets" / "ncsed_haystacks.csv", ("repo", "commit", "drawn")
    )
    assert [row["repo"] for row in committed] == [*kept, *drawn]
    assert [row["drawn"] for row in committed] == [""] * len(kept) + [
        str(place) for place in range(1, 481)
    ]


def test_distractors_join_until_a_step_is_full_dev_104() -> None:
    names = [f"one/{letter}" for letter in "abcdef"]
    methods = np.array([5, 10, 10, 10, 10, 10])
    joins = choose_steps(methods, 5, names, {"one/a"}, settings(16, 40))
    assert joins[0] == 0
    assert sorted(joins[1:]) == [1, 2, 2, 3, 3]  # 15, then 25 and 35, then the rest
    other = choose_steps(methods, 5, names, {"one/a"}, settings(16, 40, seed=2))
    assert sorted(other) == sorted(joins) and other.tolist() != joins.tolist()
    # Everything fits into a step that is large enough, and no step has too little.
    assert choose_steps(methods, 5, names, {"one/a"}, settings(99)).max() == 1
    with pytest.raises(ConfigurationError, match=r"haystacks\.steps: 5 methods are no more than"):
        choose_steps(methods, 5, names, {"one/a"}, settings(5))


def test_steps_ascend() -> None:
    with pytest.raises(ConfigurationError, match="must ascend"):
        HaystackOptions.parse({"base": "x.csv", "steps": [9, 9]}, where="x.yaml")


def test_near_copies_of_examples_are_near_identical_both_ways_dev_104(index: JudgeIndex) -> None:
    examples = np.array([0])
    assert find_near_copies(examples, index, "pruned_jaccard_leaf").tolist() == [0, 1, 2]
    assert find_near_copies(np.zeros(0, np.int64), index, "pruned_jaccard_leaf").tolist() == []


@pytest.fixture
def members() -> pa.Table:
    joins = ["base", "base", "100", "100", "all", "all"]
    example = [False, True, False, True, False, True]
    columns = [np.arange(6), np.array([0, 0, 1, 1, 2, 2]), joins, example]
    return pa.table(columns, schema=MEMBER_SCHEMA)


def test_examples_of_distractors_stay_out_dev_104(members: pa.Table) -> None:
    chosen = {name: choose_methods(members, name).tolist() for name in name_haystacks((100,))}
    assert chosen == {
        "base": [True, True, False, False, False, False],
        "100": [True, True, True, False, False, False],
        "all": [True, True, True, False, True, False],
        "base_without_examples": [True, False, False, False, False, False],
        "all_without_examples": [True, False, True, False, True, False],
    }


def test_the_table_has_every_haystack_and_both_counts(
    members: pa.Table, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Right are all accepted methods or those of the base.

    Method 2 answers both questions, method 1 of the base the first.
    """
    accepted = np.array([[[0, 0, 1]], [[2, 1, 0]], [[2, 4, 1]]])
    rankings = []
    for name, ids in zip(("base", "100", "all"), accepted, strict=True):
        both = np.repeat(ids, 2, axis=0)
        right = np.isin(both, [2]) | ((both == 1) & (np.arange(2)[:, None] == 0))
        rankings.append(
            JudgedRanking(name, both, np.repeat(right[None] * 1.0, len(SIMILARITIES), axis=0))
        )
    by_name = {ranking.name: ranking for ranking in rankings}
    monkeypatch.setattr(
        haystack_table, "read_judged_runs", lambda names, **_: [by_name[name] for name in names]
    )
    monkeypatch.setattr(haystack_table, "read_table", lambda *_: members)

    class Questions:
        query_ids = np.arange(2, dtype=np.int32)

    monkeypatch.setattr(haystack_table, "read_study_questions", lambda _: Questions)
    table = tmp_path / "haystacks.csv"
    options = HaystackTableSettings.parse(
        {
            "dataset": "toy",
            "steps": [100],
            "bootstrap_samples": 100,
            "models": [
                {"model": "bm25", "published_as": "BM25", "runs": {name: name for name in by_name}}
            ],
        },
        where="x.json",
    )
    haystack_table.write_haystacks(
        options, members=tmp_path, questions=tmp_path, results=tmp_path, judgements=tmp_path,
        output=table,
    )  # fmt: skip
    rows = read_rows(table, haystack_table.HAYSTACK_COLUMNS)
    values = {
        (row["haystack"], row["counted"]): row["value"]
        for row in rows
        if row["measure"] == "mrr" and row["judge"] == "dice"
    }
    # In base: rank 3 for the first question alone. In 100: rank 1 for both; of the base, rank 2.
    assert values["base", "all"] == values["base", "base"] == "0.166667"
    assert values["100", "all"] == "1.000000" and values["100", "base"] == "0.250000"
    assert values["all", "all"] == "1.000000" and values["all", "base"] == "0.166667"
    sizes = {row["haystack"]: (row["repositories"], row["methods"]) for row in rows}
    assert [sizes[name] for name in ("base", "100", "all")] == [("1", "2"), ("2", "3"), ("3", "4")]


def list_figures(table: Path) -> list[str]:
    """Lines of a page: a model and its MRR in every haystack, where every right method counts."""
    rows = [
        row
        for row in read_rows(table, haystack_table.HAYSTACK_COLUMNS)
        if (row["judge"], row["counted"], row["measure"]) == ("pruned_jaccard_leaf", "all", "mrr")
    ]
    lines = []
    for model in dict.fromkeys(row["model"] for row in rows):
        named = {row["haystack"]: row["value"] for row in rows if row["model"] == model}
        names = ("base", "125000", "250000", "500000", "all", "corpus")
        lines.append(f"| {model} | {' | '.join(f'{float(named[name]):.3f}' for name in names)} |")
    return lines


def test_the_page_shows_the_committed_figures(root: Path) -> None:
    table = root / "results" / "ncsed_haystacks" / "haystacks.csv"
    page = (root / "docs" / "corpus.md").read_text(encoding="utf-8")
    assert "\n".join(list_figures(table)) in page
