"""The ranker fused with trees: features of threads as files, order, indexes, mistakes."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from typer.testing import CliRunner

from ncsbench.artifacts.storage import read_table, write_json, write_table
from ncsbench.cli.rankers import app
from ncsbench.corpus.documents import save_documents
from ncsbench.errors import ConfigurationError, DataError
from ncsbench.indexes.top_results import split_run
from ncsbench.learning_to_rank.feature_schema import feature_schema, read_groups
from ncsbench.learning_to_rank.tree_options import TreeSettings
from ncsbench.learning_to_rank.tree_training import train_trees
from ncsbench.learning_to_rank.trees import save_trees
from ncsbench.pairs.thread_parts import THREAD_PART_SCHEMA
from ncsbench.questions.question_schema import QUESTION_SCHEMA
from ncsbench.rankers.fused import Fused
from ncsbench.rankers.protocol import FitInputs
from ncsbench.rankers.registry import create_ranker
from ncsbench.runs.rankings import Query
from ncsbench.runs.trec_files import read_run
from tests.fused_corpus import (
    METHODS,
    PAIRS,
    ROWS,
    WORDS,
    make_corpus,
    make_fused,
    make_parts,
    make_weights,
)
from tests.synthetic_documents import make_documents
from tests.unit.test_elasticsearch_like import write_corpus
from tests.unit.test_ranking_trees import write_judgements
from tests.unit.test_translation import make_translation
from tests.unit.test_translation_memory import remember

TITLES = ["read file", "open file", "show view", "file stream", "hide input", "keyboard"]
PARTS = ["fold0", "fold1", "selection"]
QUERIES = [Query(9, "read file"), Query(10, "file of a view"), Query(11, "keyboard")]
KINDS = {
    "bm25f": {"kind": "bm25f"},
    "translation": {"kind": "translation"},
    "translation_memory": {"kind": "translation_memory"},
    "unif": {"kind": "unif", "options": {"code_vectors": "kept"}},
}
TINY = {"rounds": 5, "minimum_in_leaf": 1, "leaves": 4, "feature_share": 1, "l2": 0}
GAINS = {"default": 1, "strict": 2, "both": 2}
TREES = TreeSettings.parse({**TINY, "gains": GAINS}, where="here")
SETTINGS = {"ranker": {"kind": "fused", "parts": KINDS}, "seed": 1}


def write_threads(folder: Path) -> None:
    fill = {pa.string(): "x", pa.int32(): 1}
    columns = {field.name: [fill.get(field.type, [])] * len(TITLES) for field in QUESTION_SCHEMA}
    columns |= {"query_id": list(range(1, len(TITLES) + 1)), "question": TITLES}
    write_table(folder / "threads.parquet", pa.table(columns, QUESTION_SCHEMA), QUESTION_SCHEMA)
    parts = [
        {"query_id": row + 1, "part": PARTS[row % 3], "group": row} for row in range(len(TITLES))
    ]
    table = pa.Table.from_pylist(parts, THREAD_PART_SCHEMA)
    write_table(folder / "thread_parts.parquet", table, THREAD_PART_SCHEMA)


def write_index(folder: Path) -> None:
    """The index, the words and the settings of a fused ranker without trees."""
    ranker = create_ranker(SETTINGS["ranker"], seed=1)  # type: ignore[arg-type]
    inputs = FitInputs(
        methods=write_corpus(folder / "corpus", METHODS),
        weights=make_weights(make_corpus()),
        translation=make_translation(ROWS),
        memory=remember(folder, PAIRS),
    )
    ranker.fit(corpus=make_corpus(), **inputs)
    ranker.save(folder / "index")
    save_documents(make_corpus(), folder / "words")
    write_json(folder / "settings.json", SETTINGS)
    write_threads(folder)


def call_features(folder: Path, part: str, **changed: object) -> tuple[Path, Path]:
    named = {
        **{"settings": folder / "settings.json", "words": folder / "words"},
        **{"index": folder / "index", "questions": folder / "threads.parquet"},
        **{"thread-parts": folder / "thread_parts.parquet", "part": part, "tag": "mine"},
        **{"run": folder / f"{part}.trec", "output": folder / f"{part}.parquet"},
    }
    options = [
        str(one) for name, value in {**named, **changed}.items() for one in (f"--{name}", value)
    ]
    done = CliRunner().invoke(app, ["features", *options])
    if done.exception is not None:
        raise done.exception
    return folder / f"{part}.parquet", folder / f"{part}.trec"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with an index, features of all parts and trees, for which longer is better."""
    folder = tmp_path_factory.mktemp("fused")
    write_index(folder)
    features = [call_features(folder, part)[0] for part in PARTS]
    every = {
        pair: (0.1 * pair[1], 0.0) for pair in product(range(1, len(TITLES) + 1), range(len(WORDS)))
    }
    judged = write_judgements(folder / "judged.parquet", every)
    trees = train_trees(features, [judged], folder / "thread_parts.parquet", TREES)
    save_trees(folder / "trees", *trees)
    return folder


def make_ranker(folder: Path, trees: Path, **options: object) -> Fused:
    ranker = Fused(options=options, parts=make_parts(folder), seed=1)
    ranker.fit(corpus=make_corpus(), trees=trees)
    return ranker


def read_files(folder: Path) -> dict[str, bytes]:
    files = [path for path in sorted(folder.rglob("*")) if path.is_file()]
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


def test_the_command_writes_all_candidates_and_their_features(made: Path) -> None:
    features, trec = made / "fold0.parquet", made / "fold0.trec"
    ranker = make_fused(made / "again")
    assert read_groups(features) == ranker.reader.groups
    table = read_table(features, feature_schema(ranker.reader.groups))
    rows = list(zip(table["query_id"].to_pylist(), table["method"].to_pylist(), strict=True))
    assert rows == sorted(rows) and {row[0] for row in rows} == {1, 4}
    run = read_run(trec)
    assert sorted(zip(run.query_ids.tolist(), run.ids.tolist(), strict=True)) == rows
    for query_id in (1, 4):
        methods, expected = ranker.describe(Query(query_id, TITLES[query_id - 1]))
        chosen = table.filter(pa.compute.equal(table["query_id"], query_id))
        assert chosen["method"].to_pylist() == methods.tolist()
        found = np.stack([chosen[name].to_numpy() for name in ranker.reader.names], axis=1)
        np.testing.assert_array_equal(found, expected)
        ids, scores = split_run(run)[query_id]
        fusion = dict(zip(methods.tolist(), chosen["fusion"].to_pylist(), strict=True))
        assert ids.tolist() == sorted(fusion, key=lambda one: (-fusion[one], one))
        assert (np.diff(scores) <= 0).all()


def test_the_command_gives_the_same_bytes_again(made: Path, tmp_path: Path) -> None:
    write_index(tmp_path)
    for path in call_features(tmp_path, "fold0"):
        assert path.read_bytes() == (made / path.name).read_bytes()


def test_scores_are_those_of_the_trees(made: Path, tmp_path: Path) -> None:
    ranker = make_ranker(tmp_path, made / "trees", near_copies=0)
    plain = make_fused(tmp_path / "plain", near_copies=0)
    differ = []
    for query in QUERIES:
        found, before = (one.search([query], k=9) for one in (ranker, plain))
        assert set(found.ids.tolist()) == set(before.ids.tolist())
        differ.append(found.scores.tolist() != before.scores.tolist())
        for k in (1, 2):
            first = ranker.search([query], k=k)
            assert first.ids.tolist() == found.ids[:k].tolist()
            assert first.scores.tolist() == found.scores[:k].tolist()
    assert any(differ)
    copies = make_ranker(tmp_path / "copies", made / "trees").search(QUERIES, k=9)
    assert len(copies.ids) <= len(ranker.search(QUERIES, k=9).ids)
    assert len(ranker.search([Query(1, "zzz")], k=5).ids) == 0


def test_an_index_holds_a_copy_of_the_trees(made: Path, tmp_path: Path) -> None:
    ranker = make_ranker(tmp_path, made / "trees")
    again = Fused(options={}, parts=make_parts(tmp_path / "again"), seed=1)
    ranker.save(tmp_path / "index")
    again.load(tmp_path / "index", corpus=make_corpus())
    again.save(tmp_path / "second")
    first, second = (read_files(tmp_path / name) for name in ("index", "second"))
    assert first == second
    assert first["trees/trees.txt"] == (made / "trees/trees.txt").read_bytes()
    expected, found = (one.search(QUERIES, k=5) for one in (ranker, again))
    assert found.ids.tolist() == expected.ids.tolist()
    assert found.scores.tolist() == expected.scores.tolist()
    # Without trees the same object is what it was.
    again.fit(corpus=make_corpus())
    again.save(tmp_path / "without")
    assert not (tmp_path / "without" / "trees").exists()


def test_trees_of_other_features_are_refused(made: Path, tmp_path: Path) -> None:
    parts = make_parts(tmp_path, "bm25f unif")
    ranker = Fused(options={}, parts=parts, seed=1)
    with pytest.raises(DataError, match=r"of another list of features .gone translation_"):
        ranker.fit(corpus=make_corpus(), trees=made / "trees")


def test_a_part_without_threads_has_no_candidates(made: Path, tmp_path: Path) -> None:
    output = {"run": tmp_path / "x.trec", "output": tmp_path / "x.parquet"}
    call_features(made, "test", **output)
    assert read_groups(output["output"]) == read_groups(made / "selection.parquet")
    assert read_run(output["run"]).ids.tolist() == []
    features = [*(made / f"{part}.parquet" for part in PARTS), output["output"]]
    trees, about = train_trees(
        features, [made / "judged.parquet"], made / "thread_parts.parquet", TREES
    )
    assert trees.text == (made / "trees/trees.txt").read_text()
    assert about.parts.keys() == {*PARTS}


def test_mistakes_of_the_command_end_in_one_line(made: Path, tmp_path: Path) -> None:
    output = {"run": tmp_path / "x.trec", "output": tmp_path / "x.parquet"}
    other = tmp_path / "words"
    save_documents(make_documents(WORDS, corpus_hash="other"), other)
    plain = tmp_path / "plain.json"
    write_json(plain, {"ranker": {"kind": "bm25f"}, "seed": 1})
    faults: list[tuple[str, dict[str, Path], type[Exception], str]] = [
        ("fold2", {}, ConfigurationError, "--part fold2: is no part of threads; did you mean"),
        ("fold0", {"words": other}, DataError, "another corpus"),
        ("fold0", {"settings": plain}, ConfigurationError, "kind bm25f has no features; name one"),
    ]
    for part, changed, kind, message in faults:
        with pytest.raises(kind, match=message) as error:
            call_features(made, part, **output, **changed)
        assert "\n" not in str(error.value)
    assert not (tmp_path / "x.parquet").exists()
