from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from typer.testing import CliRunner

from ncsbench.base.files.storage import read_table, write_table
from ncsbench.base.runs.rankings import Query
from ncsbench.cli.main import app
from ncsbench.corpus.layout.documents import Documents
from ncsbench.errors import ConfigurationError, DataError
from ncsbench.learning.training.training_options import TranslationOptions
from ncsbench.learning.training.translation_tables import MEMORY_SCHEMA, remember_pairs
from ncsbench.pairs.training_pairs.pair_schema import PAIR_SCHEMA
from ncsbench.rankers.lexical.translation_memory import TranslationMemoryRanker
from tests.synthetic_documents import make_documents, make_pairs
from tests.unit.rankers.test_elasticsearch_like import Method, write_corpus

METHODS: list[Method] = [
    ("hide", "", "void hide() { input.hideSoftInput(); }"),
    ("hideAll", "", "void hideAll() { input.hideSoftInput(); list.clear(); list.add(this); }"),
    ("open", "", "void open() { file.open(); }"),
    ("nothing", "", ""),
]
PAIRS = [
    ("hide the keyboard", "InputManager.hideSoftInput();"),
    ("hide a view", "view.hide();"),
    ("open the keyboard", "manager.showSoftInput();"),
    ("the the", "a.b();"),
    ("nothing here", "1"),
]


OPTIONS = {"stop_words": ["the", "a"], "query_stop_words": "removed"}


def remember(folder: Path, pairs: list[tuple[str, str]] = PAIRS) -> Path:
    folder.mkdir(exist_ok=True)
    write_table(folder / "pairs.parquet", make_pairs(pairs), PAIR_SCHEMA)
    tables = list(remember_pairs([folder / "pairs.parquet"], stop_words=["the", "a"]))
    write_table(folder / "memory.parquet", pa.concat_tables(tables), MEMORY_SCHEMA)
    return folder / "memory.parquet"


def fitted(
    folder: Path,
    methods: list[Method] = METHODS,
    pairs: list[tuple[str, str]] = PAIRS,
    **options: Any,
) -> tuple[TranslationMemoryRanker, Documents]:
    documents = make_documents([""] * len(methods))
    ranker = TranslationMemoryRanker(options=OPTIONS | options)
    written = write_corpus(folder, methods, 2)
    ranker.fit(corpus=documents, methods=written, memory=remember(folder, pairs))
    return ranker, documents


def test_pairs_are_remembered_by_words_and_names(tmp_path: Path) -> None:
    rows = read_table(remember(tmp_path), MEMORY_SCHEMA).to_pylist()
    assert rows == [  # without words or without names a pair is none
        {"query_words": ["hide", "keyboard"], "names": ["hidesoftinput", "inputmanager"]},
        {"query_words": ["hide", "view"], "names": ["hide"]},
        {"query_words": ["keyboard", "open"], "names": ["showsoftinput"]},
    ]


def test_scores_by_hand(tmp_path: Path) -> None:
    ranker, _ = fitted(tmp_path)
    # Of three queries two hold "hide", and so "keyboard", and one "view", and so "open".
    often, once = math.log(4 / 3) ** 2, math.log(4 / 2) ** 2
    near = often / math.sqrt(2 * often * (often + once))
    first = 1 / (1 + 2 * near**2)
    other = near**2 / (1 + 2 * near**2)
    size = first * 2 + other * 1 + other * 1  # inputmanager, which no method has, counts
    found, scores = ranker.score("hide the keyboard")
    assert (found.dtype, scores.dtype) == (np.int64, np.float64)
    # The names hide, hidesoftinput, x; hideall, hidesoftinput, add, clear, x; open, x; nothing, x.
    assert found.tolist() == [0, 1]
    expected = [2 * (first + other) / (3 + size), 2 * first / (5 + size)]
    assert scores.tolist() == pytest.approx(expected, rel=1e-12)


def test_the_most_similar_pairs_count_ties_by_their_order(tmp_path: Path) -> None:
    ranker, _ = fitted(tmp_path, recalled=1)
    assert ranker.score("hide")[0].tolist() == [0, 1]  # the first and the second are as near
    assert ranker.score("hide view")[0].tolist() == [0]
    ranker, _ = fitted(tmp_path, recalled=2)
    assert ranker.score("keyboard")[0].tolist() == [0, 1]


def test_a_query_that_recalls_nothing_ranks_nothing(tmp_path: Path) -> None:
    ranker, _ = fitted(tmp_path)
    for text in ("", "the", "unknown words"):
        assert [len(part) for part in ranker.score(text)] == [0, 0]
    assert len(ranker.search([Query(1, "unknown")], k=3).ids) == 0
    ranker, _ = fitted(tmp_path, METHODS, [("hide", "1")])  # nothing is remembered
    assert len(ranker.search([Query(1, "hide")], k=3).ids) == 0


def test_an_index_is_read_back_and_holds_no_text(tmp_path: Path) -> None:
    ranker, corpus = fitted(tmp_path)
    ranker.save(tmp_path / "index")
    ranker.save(tmp_path / "again")
    opened = TranslationMemoryRanker(options=OPTIONS)
    opened.load(tmp_path / "index", corpus=corpus)
    queries = [Query(1, "hide the keyboard"), Query(2, "open"), Query(3, "hide")]
    one, other = ranker.search(queries, k=2), opened.search(queries, k=2)
    assert one.ids.tolist() == other.ids.tolist() and one.scores.tolist() == other.scores.tolist()
    for path in (tmp_path / "index").iterdir():
        assert path.read_bytes() == (tmp_path / "again" / path.name).read_bytes()
    with pytest.raises(DataError, match="was made with another"):
        opened.load(tmp_path / "index", corpus=make_documents(["x"], corpus_hash="other"))


def test_what_is_missing_or_does_not_fit_is_said_in_one_line(tmp_path: Path) -> None:
    ranker, corpus = fitted(tmp_path)
    methods, memory = write_corpus(tmp_path, METHODS, 2), tmp_path / "memory.parquet"
    with pytest.raises(ConfigurationError, match="fit needs the input 'memory'"):
        ranker.fit(corpus=corpus, methods=methods)
    with pytest.raises(ConfigurationError, match="fit needs the input 'methods'"):
        ranker.fit(corpus=corpus, memory=memory)
    with pytest.raises(DataError, match="is not the corpus"):
        ranker.fit(corpus=make_documents([""]), methods=methods, memory=memory)
    memory.write_bytes(b"PAR1")
    with pytest.raises(DataError, match=r"memory\.parquet"):
        ranker.fit(corpus=corpus, methods=methods, memory=memory)
    with pytest.raises(ConfigurationError, match="'memory' names 'y', which is not among 'pairs'"):
        TranslationOptions.parse({"pairs": ["x"], "memory": ["y"]}, where="translation")


def test_the_command_remembers_the_named_sets_alone(tmp_path: Path) -> None:
    for name, pairs in (("first", PAIRS), ("second", [("show it", "view.show();")] * 3)):
        write_table(tmp_path / f"{name}.parquet", make_pairs(pairs), PAIR_SCHEMA)
    block = {"pairs": ["first", "second"], "memory": ["second"], "minimum_count": 1}
    settings = {"translation": block, "words": {}, "stop_words": ["it"]}
    (tmp_path / "settings.json").write_text(json.dumps(settings))
    line = "stage translation --settings %/settings.json --pairs %/first.parquet"
    arguments = f"{line} --pairs %/second.parquet --output %/made".replace("%", str(tmp_path))
    assert CliRunner().invoke(app, arguments.split(), catch_exceptions=False).exit_code == 0
    rows = read_table(tmp_path / "made" / "memory.parquet", MEMORY_SCHEMA).to_pylist()
    assert rows == [{"query_words": ["show"], "names": ["show"]}] * 3
