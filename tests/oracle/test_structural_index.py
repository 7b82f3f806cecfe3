"""The index, search and matching on 20,000 methods, against comparing all pairs plainly."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from ncsbench.code.aroma.features import FeatureSet
from ncsbench.corpus.layout.layout import CorpusFolder
from ncsbench.corpus.sources.listing import open_source
from ncsbench.corpus.sources.repositories import read_repositories
from ncsbench.evaluation.judge.answers import AnswerFeatures, read_answers
from ncsbench.evaluation.judge.best_matches import find_matches
from ncsbench.evaluation.judge.judge_index import JudgeIndex
from ncsbench.evaluation.judge.scores import score_pairs
from ncsbench.evaluation.measures.judging import index_corpus
from ncsbench.evaluation.structural_search.search import SearchOptions, find_candidates, rank_pruned
from ncsbench.posts.questions.questions_file import read_questions
from tests.building import build_from
from tests.generated_repositories import read_dataset, write_store
from tests.plain_spt import features_of_method

METHODS, QUERIES, CANDIDATES = 20_000, 4, 1000


@pytest.fixture(scope="module")
def corpus(root: Path, tmp_path_factory: pytest.TempPathFactory) -> CorpusFolder:
    """The sample's files under other names, again and again."""
    folder = tmp_path_factory.mktemp("structural")
    base = read_dataset("sample", root, seed=1)
    write_store(base, methods=METHODS, store=folder / "store", listed=folder / "list.csv")
    generated = read_repositories(folder / "list.csv").repositories
    corpus = build_from(folder, generated, open_source("archive", str(folder / "store")))
    index_corpus(corpus, folder / "index")
    return corpus


@pytest.fixture(scope="module")
def index(corpus: CorpusFolder) -> JudgeIndex:
    return JudgeIndex(corpus.path.parent / "index")


@pytest.fixture(scope="module")
def plain(corpus: CorpusFolder) -> list[Counter[int]]:
    """Features of every method, one by one from its text."""
    tables = corpus.iterate_methods(["code"])
    codes = [code for table in tables for code in table["code"].to_pylist()]
    assert len(codes) >= METHODS
    return [as_counter(features_of_method(code)) for code in codes]


@pytest.fixture(scope="module")
def answers(root: Path) -> AnswerFeatures:
    texts = read_questions([root / "resources/sample/questions.json"])["answer"].to_pylist()
    return read_answers(dict(enumerate(texts[:QUERIES])))


def as_counter(features: FeatureSet) -> Counter[int]:
    return Counter(dict(zip(features.ids.tolist(), features.counts.tolist(), strict=True)))


def test_the_overlaps_are_those_of_all_pairs(
    index: JudgeIndex, plain: list[Counter[int]], answers: AnswerFeatures
) -> None:
    for place in range(QUERIES):
        wanted = as_counter(answers[place])
        overlaps = [block.overlap(answers[place]) for block in index.blocks()]
        common = np.concatenate([overlap.common for overlap in overlaps])
        assert common.tolist() == [(wanted & method).total() for method in plain]
        distinct = np.concatenate([overlap.distinct for overlap in overlaps])
        assert distinct.tolist() == [len(wanted & method) for method in plain]


def test_the_candidates_and_their_order_are_those_of_all_pairs(
    index: JudgeIndex, plain: list[Counter[int]], answers: AnswerFeatures
) -> None:
    options = SearchOptions(candidates=CANDIDATES, score="jaccard")
    for place in range(QUERIES):
        wanted = as_counter(answers[place])
        order = sorted(range(len(plain)), key=lambda id_: (-len(wanted & plain[id_]), id_))
        best = [id_ for id_ in order[:CANDIDATES] if wanted & plain[id_]]
        found = rank_pruned(
            answers[place], find_candidates(answers[place], index.blocks(), options), options
        )
        assert sorted(id_ for each in found for id_ in (each.id, *each.copies)) == sorted(best)
        # Copies apart, the order is that of the judge's own similarity.
        ids = np.array([each.id for each in found], np.int64)
        rows = np.full(len(ids), place, np.int32)
        table = score_pairs(answers=answers, index=index, query_ids=rows, ids=ids)
        scores = dict(
            zip(table["id"].to_pylist(), table["pruned_jaccard_leaf"].to_pylist(), strict=True)
        )
        assert [each.score for each in found] == [scores[each.id] for each in found]
        assert ids.tolist() == sorted(ids.tolist(), key=lambda id_: (-scores[id_], id_))


def test_the_best_matches_are_those_of_all_pairs(
    index: JudgeIndex, plain: list[Counter[int]], answers: AnswerFeatures
) -> None:
    methods = len(plain)
    similarities = ["pruned_jaccard_leaf", "pruned_jaccard_refeaturised", "dice"]
    everything = [np.repeat(np.arange(QUERIES), methods), np.tile(np.arange(methods), QUERIES)]
    table = score_pairs(
        answers=answers, index=index, query_ids=everything[0].astype(np.int32), ids=everything[1]
    )
    found = find_matches(
        answers=answers, index=index,
        limits=[(similarity, 0.25) for similarity in similarities], count=5,
    ).to_pylist()  # fmt: skip
    expected = []
    for similarity in similarities:
        scores = table[similarity].to_numpy().reshape(QUERIES, methods)
        for row in range(QUERIES):
            order = np.lexsort((np.arange(methods), -scores[row]))[:5].tolist()
            expected += [
                {"judge": similarity, "query_id": row, "rank": rank, "id": id_,
                 "similarity": scores[row, id_]}
                for rank, id_ in enumerate(order, start=1)
                if scores[row, id_] > 0.25
            ]  # fmt: skip
    assert found == expected
