from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from ncsbench.base.files.storage import write_table
from ncsbench.base.runs.rankings import Query
from ncsbench.base.text.words import split_words
from ncsbench.cli.main import app
from ncsbench.corpus.layout.documents import save_documents
from ncsbench.errors import ConfigurationError
from ncsbench.learning.training.query_expansion import Expansion, build_expansion
from ncsbench.learning.training.training_options import ExpansionSettings
from ncsbench.pairs.training_pairs.pair_schema import PAIR_SCHEMA
from ncsbench.rankers.registry import create_ranker
from ncsbench.rankers.vectors.ncs_expanded import NCSExpanded
from tests.synthetic_documents import make_documents, make_embedding, make_pairs

CORPUS = make_documents(
    ["view pixel", "set content view", "other pixel", "content", "set view content", "pixel"],
    identifiers=["", "", "", "", "", "pixel view"],
)
PAIRS = make_pairs([("a view", "setContentView();"), ("pixel", "x();"), ("pixel", "y();")])
WHOLE = ExpansionSettings(pairs="x", words="whole", stop_words=("a",))
EXPANSION = Expansion(build_expansion([PAIRS], WHOLE))
EXPANDED = {"kind": "ncs_expanded", "options": {"stop_words": ["how", "to"]}}
POST_RANKED = {
    "kind": "ncs_postrank",
    "options": {
        "stop_words": ["how", "to"],
        "unsplit_in": "identifiers",
        "unsplit_counts": "content",
    },
}


def make_expanded(base: str = "bm25", **options: object) -> NCSExpanded:
    specification = {**EXPANDED, "base": {"kind": base}}
    specification["options"] = {"stop_words": ["how", "to"], "minimum_value": 0.6, **options}
    ranker = create_ranker(specification, seed=0)
    ranker.fit(corpus=CORPUS, expansion=EXPANSION, embedding=make_embedding(CORPUS))
    assert isinstance(ranker, NCSExpanded)
    return ranker


def test_a_query_keeps_its_words_without_stop_words_and_gets_names_dev_59() -> None:
    # Two names share the row of "pixel": each has 0.5.
    ranker = make_expanded()
    assert ranker.expand("How to show pixels in myViews") == (
        "show pixels in my views setContentView"
    )
    assert ranker.expand("how to") == ranker.expand("?") == ""
    assert make_expanded(minimum_value=0.5).expand("pixels") == "pixels x"
    assert make_expanded(stop_words=[]).expand("how to") == "how to"


def test_only_new_words_are_added_that_are_no_stop_words_dev_86() -> None:
    pairs = [("show view", "view();"), ("convert", "to();"), ("go back", "backPressed();")]
    table = build_expansion([make_pairs(pairs)], ExpansionSettings(pairs="x", kept_share=1.0))
    queries = ["show view", "show views", "convert", "going back"]
    expanded = {}
    for additions in ("new", "all"):
        ranker = make_expanded(additions=additions, minimum_value=0.5)
        ranker.fit(corpus=CORPUS, expansion=Expansion(table))
        expanded[additions] = [ranker.expand(query) for query in queries]
    # The best word of "back" is "back", which the query has: the next best does not take its place.
    assert expanded["new"] == ["show view", "show views view", "convert", "going back"]
    assert expanded["all"] == ["show view view", "show views view", "convert to", "going back back"]


def test_a_whole_name_is_added_where_any_of_its_words_is_new_dev_86() -> None:
    assert make_expanded().expand("set view") == "set view setContentView"
    assert make_expanded().expand("set content view") == "set content view"
    every = make_expanded(additions="all")
    assert every.expand("set content view") == "set content view setContentView"


@given(st.text())
def test_words_are_only_added(text: str) -> None:
    expanded = make_expanded(stop_words=[], minimum_value=0).expand(text).split()
    assert expanded[: len(split_words(text))] == split_words(text)


@pytest.mark.parametrize("base", ["bm25", "ncs"])
def test_the_base_searches_for_the_expanded_query(base: str) -> None:
    plain = create_ranker({"kind": base}, seed=0)
    plain.fit(corpus=CORPUS, embedding=make_embedding(CORPUS))
    queries = [Query(1, "how to view"), Query(2, "pixel"), Query(3, "how to")]
    run = make_expanded(base).search(queries, k=4)
    expected = plain.search([Query(1, "view set content view"), Query(2, "pixel")], k=4)
    assert run.query_ids.tolist() == expected.query_ids.tolist()
    assert run.ids.tolist() == expected.ids.tolist()
    assert run.scores.tolist() == expected.scores.tolist()


def test_post_ranking_looks_at_the_words_that_were_asked_for_dev_60() -> None:
    # Method 5 has "pixel" and "view" among its identifiers, none has "setContentView".
    specification = {**POST_RANKED, "base": {**EXPANDED, "base": {"kind": "bm25"}}}
    ranker = create_ranker(specification, seed=0)
    ranker.fit(corpus=CORPUS, expansion=EXPANSION)
    run = ranker.search([Query(1, "how to view pixel")], k=6)
    # All six rules hold for 5. 0 has all words that were asked for, 1 and 4 all that were added.
    assert run.ids.tolist()[:2] == [5, 0]


def test_an_expansion_is_needed() -> None:
    ranker = create_ranker({**EXPANDED, "base": {"kind": "bm25"}}, seed=0)
    with pytest.raises(ConfigurationError, match="fit needs the input 'expansion'"):
        ranker.fit(corpus=CORPUS)


def test_commands_make_the_table_the_index_and_show_what_is_added(tmp_path: Path) -> None:
    write_table(tmp_path / "pairs.parquet", PAIRS, PAIR_SCHEMA)
    save_documents(CORPUS, tmp_path / "words")
    specification = {**EXPANDED, "base": {"kind": "bm25"}}
    settings = {
        "table.json": {"pairs": "some", "kept_share": 1.0, "stop_words": ["a"]},
        "model.json": {"ranker": specification, "seed": 1},
    }
    for name, value in settings.items():
        (tmp_path / name).write_text(json.dumps(value), encoding="utf-8")
    for line in (
        "stage expansion --settings %/table.json --pairs %/pairs.parquet --output %/table.parquet",
        "stage index --settings %/model.json --words %/words"
        " --learnt expansion=%/table.parquet --output %/i",
    ):
        arguments = [part.replace("%", str(tmp_path)) for part in line.split()]
        assert CliRunner().invoke(app, arguments, catch_exceptions=False).exit_code == 0
    ranker = create_ranker(specification, seed=1)
    ranker.load(tmp_path / "i", corpus=CORPUS)
    assert isinstance(ranker, NCSExpanded)
    # What the workflow makes: the same, without a copy of the base's index.
    (tmp_path / "i" / "base").rename(tmp_path / "b")
    line = "stage index --settings %/model.json --words %/words --learnt expansion=%/table.parquet"
    arguments = f"{line} --base-index %/b --output %/other/i".replace("%", str(tmp_path)).split()
    assert CliRunner().invoke(app, arguments, catch_exceptions=False).exit_code == 0
    assert sorted(path.name for path in (tmp_path / "other/i").iterdir()) == [
        "base.json",
        "expansion.parquet",
    ]
    referring = create_ranker(specification, seed=1)
    referring.load(tmp_path / "other/i", corpus=CORPUS)
    queries = [Query(1, "pixel views")]
    expected, found = ranker.search(queries, k=6), referring.search(queries, k=6)
    assert found.ids.tolist() == expected.ids.tolist() != []
    assert ranker.expand("pixel views") == "pixel views x content"
