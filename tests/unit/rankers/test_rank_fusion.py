"""Reciprocal rank fusion, and indexes that say where those of the parts lie."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from ncsbench.base.files.storage import write_table
from ncsbench.base.runs.rankings import Query, Run
from ncsbench.base.runs.trec_files import read_run
from ncsbench.cli.main import app
from ncsbench.corpus.indexes.top_results import collect_run, split_run, take_top
from ncsbench.corpus.layout.documents import Documents, save_documents
from ncsbench.errors import DataError
from ncsbench.posts.questions.question_schema import QUESTION_SCHEMA
from ncsbench.rankers.combined.rank_fusion import RankFusion
from ncsbench.rankers.protocol import Ranker
from ncsbench.rankers.ranker_options import RankerOptions
from ncsbench.rankers.registry import create_ranker
from tests.synthetic_documents import make_documents

TEXTS = ["open file", "open file read", "send", "open file", "close file", "file"]
PARTS = {"sharp": {"kind": "bm25", "options": {"b": 1.0}}, "flat": {"kind": "bm25"}}
FUSED = {"kind": "rank_fusion", "parts": PARTS}
QUERIES = [Query(1, "open file"), Query(2, "send"), Query(3, "unknown")]


class Fixed:
    """A ranker that has one ranking for every query."""

    options_type: ClassVar[type[RankerOptions]] = RankerOptions

    def __init__(
        self, *, options: Mapping[str, Any], base: Ranker | None = None, seed: int = 0
    ) -> None:
        self.ids = np.array(options["ids"], dtype=np.int64)

    def fit(self, *, corpus: Documents, **inputs: Any) -> None: ...

    def search(self, queries: Sequence[Query], *, k: int) -> Run:
        scores = -np.arange(len(self.ids), dtype=np.float64)
        ranking = take_top(self.ids, scores, k=k)
        return collect_run((query.query_id, ranking) for query in queries)

    def save(self, folder: Path) -> None: ...

    def load(self, folder: Path, *, corpus: Documents) -> None: ...


def fuse(*rankings: list[int], corpus: Documents | None = None, **options: object) -> Ranker:
    parts = {str(name): Fixed(options={"ids": ids}) for name, ids in enumerate(rankings)}
    fused: Ranker = RankFusion(options=options, parts=parts, seed=0)
    fused.fit(corpus=corpus or make_documents([""] * 9))
    return fused


def test_a_method_has_the_sum_of_its_reciprocal_ranks() -> None:
    run = fuse([4, 2, 7], [2, 5]).search([Query(1, "x")], k=9)
    expected = {2: 1 / 62 + 1 / 61, 4: 1 / 61, 5: 1 / 62, 7: 1 / 63}
    assert run.ids.tolist() == list(expected)
    np.testing.assert_allclose(run.scores, list(expected.values()), rtol=1e-15)
    run = fuse([4, 2, 7], [2, 5], depth=1, k=0).search([Query(1, "x")], k=9)
    assert (run.ids.tolist(), run.scores.tolist()) == ([2, 4], [1.0, 1.0])


@given(ranks=st.permutations([0, 3, 8]), k=st.integers(1, 6))
def test_methods_with_the_same_ranks_in_other_parts_tie_and_stand_by_id(
    ranks: list[int], k: int
) -> None:
    rankings = [list(range(start, start + 9)) for start in (10, 20, 30)]
    for ids, rank, other in zip(rankings, ranks, ranks[1:] + ranks[:1], strict=True):
        ids[rank], ids[other] = 6, 5
    run = fuse(*rankings).search([Query(1, "x")], k=k)
    assert run.ids.tolist()[:2] == [5, 6][:k]
    assert len(set(run.scores.tolist()[:2])) == 1


def test_of_equal_methods_the_first_alone_is_found_as_if_the_corpus_had_no_others() -> None:
    corpus = make_documents(["a b", "b a", "a b", "c", "a b", "c"])
    kept = fuse([4, 2, 3, 0, 1, 5], corpus=corpus).search([Query(1, "x")], k=9)
    assert sorted(kept.ids.tolist()) == [0, 1, 2, 3, 4, 5]
    # The copies before them do not count: 3 has the first rank, also at a depth of 1.
    for depth in (1, 9):
        run = fuse([4, 2, 3, 0, 1, 5], corpus=corpus, duplicates="collapsed", depth=depth).search(
            [Query(1, "x")], k=9
        )
        assert run.ids.tolist() == [3, 0, 1][:depth]
        np.testing.assert_allclose(run.scores, [1 / 61, 1 / 62, 1 / 63][:depth], rtol=1e-15)


@pytest.mark.parametrize("duplicates", ["kept", "collapsed"])
def test_an_index_of_its_own_holds_the_parts(tmp_path: Path, duplicates: str) -> None:
    corpus, specification = make_documents(TEXTS), {**FUSED, "options": {"duplicates": duplicates}}
    ranker, again = (create_ranker(specification, seed=1) for _ in range(2))
    ranker.fit(corpus=corpus)
    ranker.save(tmp_path / "index")
    again.load(tmp_path / "index", corpus=corpus)
    expected, found = (one.search(QUERIES, k=5) for one in (ranker, again))
    assert found.ids.tolist() == expected.ids.tolist() != []
    assert found.scores.tolist() == expected.scores.tolist()
    assert set(found.query_ids.tolist()) == {1, 2}
    assert (3 in found.ids) == (duplicates == "kept")


def call(line: str, folder: Path) -> str:
    done = CliRunner().invoke(app, line.replace("%", str(folder)).split())
    return "" if done.exit_code == 0 else str(done.exception)


@pytest.fixture
def made(tmp_path: Path) -> Path:
    """The words of a corpus by two sets of options, and the indexes of two parts."""
    save_documents(make_documents(TEXTS), tmp_path / "words")
    save_documents(make_documents([f"{text} x" for text in TEXTS]), tmp_path / "more")
    for name, value in {"fused": FUSED, **PARTS}.items():
        path = tmp_path / f"{name}.json"
        path.write_text(json.dumps({"ranker": value, "seed": 1}))
    index = "stage index --settings"
    for name, words in (("sharp", "words"), ("flat", "more")):
        assert not call(f"{index} %/{name}.json --words %/{words} --output %/i/{name}", tmp_path)
    return tmp_path


ARGUMENTS = (
    "stage index --settings %/fused.json --words %/words --output %/i/fused"
    " --part sharp=%/i/sharp --part flat=%/i/flat"
)


def test_an_index_of_the_workflow_says_where_the_parts_and_their_words_lie(made: Path) -> None:
    assert not call(f"{ARGUMENTS} --part-words flat=%/more", made)
    assert json.loads((made / "i/fused/parts.json").read_text()) == {
        "flat": {"index": "../flat", "words": "../../more"},
        "sharp": {"index": "../sharp", "words": None},
    }
    assert not (made / "i/fused/parts").exists()
    (made / "depth.json").write_text('{"depth": 5}')
    empty: dict[str, Any] = dict.fromkeys(QUESTION_SCHEMA.names, "")
    empty |= {"occurrence": 1, "examples": [], "examples_url": []}
    rows = [empty | {"query_id": query.query_id, "question": query.text} for query in QUERIES]
    table = pa.Table.from_pylist(rows, QUESTION_SCHEMA)
    write_table(made / "questions.parquet", table, QUESTION_SCHEMA)
    moved = made.rename(made.with_name("moved"))
    line = (
        "stage retrieve --settings %/fused.json --retrieval %/depth.json --words %/words"
        " --index %/i/fused --questions %/questions.parquet --tag x --output %/run.trec"
    )
    assert not call(line, moved)
    expected = []
    for texts, name in ((TEXTS, "sharp"), ([f"{text} x" for text in TEXTS], "flat")):
        part = create_ranker(PARTS[name], seed=1)
        part.fit(corpus=make_documents(texts))
        expected.append(split_run(part.search([QUERIES[0]], k=200))[1][0].tolist())
    found = split_run(read_run(moved / "run.trec"))[1][0].tolist()
    assert found == fuse(*expected).search([QUERIES[0]], k=5).ids.tolist()


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (ARGUMENTS.replace("--part flat=%/i/flat", ""), "the parts are flat, sharp, but indexes"),
        (
            ARGUMENTS.partition(" --part ")[0],
            "are given for none; name each as --part <name>=<folder>",
        ),
        (f"{ARGUMENTS} --part-words falt=%/more", "--part-words falt: is no part; name it as"),
        (f"{ARGUMENTS} --part-words flat=%/words2", "words2"),
        (ARGUMENTS, "was made with another words; make the index again"),
    ],
)
def test_wrong_parts_end_in_one_line(made: Path, line: str, message: str) -> None:
    said = call(line, made)
    assert message in said and "\n" not in said


def test_a_damaged_list_of_parts_ends_in_one_line(made: Path) -> None:
    assert not call(f"{ARGUMENTS} --part-words flat=%/more", made)
    ranker = create_ranker(FUSED, seed=1)
    for text in ('{"flat": {"index": "../flat"}}', "[]", '{"flat": 3, "sharp": 4}'):
        (made / "i/fused/parts.json").write_text(text)
        with pytest.raises(DataError, match=r"parts\.json"):
            ranker.load(made / "i/fused", corpus=make_documents(TEXTS))


def test_a_part_of_another_corpus_is_refused(made: Path) -> None:
    save_documents(make_documents(TEXTS, corpus_hash="other"), made / "other")
    assert not call("stage index --settings %/flat.json --words %/other --output %/i/flat", made)
    assert "corpus" in call(f"{ARGUMENTS} --part-words flat=%/other", made)


def test_a_ranker_with_parts_is_a_base_and_a_part_too() -> None:
    corpus = make_documents(TEXTS, lines=[3, 4, 5, 9, 7, 8])
    longest = create_ranker({"kind": "longest_first", "base": FUSED}, seed=1)
    nested = create_ranker({"kind": "rank_fusion", "parts": {"one": FUSED}}, seed=1)
    fused = create_ranker(FUSED, seed=1)
    for ranker in (longest, nested, fused):
        ranker.fit(corpus=corpus)
    expected = fused.search(QUERIES[:1], k=9).ids.tolist()
    assert longest.search(QUERIES[:1], k=9).ids.tolist() == [3, 5, 4, 1, 0]
    assert nested.search(QUERIES[:1], k=9).ids.tolist() == expected
    assert sorted(expected) == [0, 1, 3, 4, 5]
