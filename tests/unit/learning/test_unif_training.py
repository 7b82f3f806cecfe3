from __future__ import annotations

import json
import logging
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from safetensors.numpy import save_file

from ncsbench.base.files.storage import read_table, write_table
from ncsbench.base.files.training_checkpoints import count_trained_pairs, read_tensors
from ncsbench.corpus.layout.corpus_settings import WordOptions
from ncsbench.errors import NcsbenchError
from ncsbench.learning.training.pair_words import JavaPairs
from ncsbench.learning.training.training_options import TrainingOptions, WeightsSettings
from ncsbench.learning.training.word_vectors import Embedding, EmbeddingOptions
from ncsbench.learning.unif import unif_tables
from ncsbench.learning.unif.unif_tables import UsedRows
from ncsbench.learning.unif.unif_training import train_weights
from ncsbench.learning.unif.unif_weights import load_weights
from ncsbench.pairs.training_pairs.pair_schema import PAIR_SCHEMA
from tests.synthetic_documents import make_pairs
from tests.unit.made_up_pairs import kill_after

WORDS = [f"{first}{second}" for first in "abcdefgh" for second in "klmnopqr"]
VECTORS = np.random.default_rng(1).normal(size=(len(WORDS) + 1, 6)).astype(np.float32)
EMBEDDING = Embedding(
    [*WORDS, "zz"], VECTORS, EmbeddingOptions(dimension=6, max_n=0), 0.05, "synthetic"
)
NEW_WORDS = replace(
    EMBEDDING,
    vocabulary=["aa", "bb", "empty", "yy"],
    vectors=np.concatenate([VECTORS[:2] + 1, VECTORS[:1] * 0, VECTORS[2:3]]),
)
"""Vectors of words that the corpus lacks: of queries, one without n-grams, one of no pair."""
OPTIONS: dict[str, Any] = {
    "pairs": ["made_up"],
    "epochs": 4,
    "patience": 0,
    "batch_size": 16,
    "learning_rate": 0.02,
    "minimum_held_out": 10,
    "device": "cpu",
}


@pytest.fixture(scope="module")
def pairs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Code that calls what its query asks for, letter by letter."""
    generator = np.random.default_rng(2)
    rows = []
    for _ in range(120):
        first, second = generator.choice(64, size=2)
        other = WORDS[63 - first], WORDS[63 - second]
        rows.append((f"{WORDS[first]} {WORDS[second]}", f"{other[0]}(); {other[1]}();"))
    path = tmp_path_factory.mktemp("pairs") / "pairs.parquet"
    write_table(path, make_pairs(rows), PAIR_SCHEMA)
    return path


def train(folder: Path, *files: Path, seed: int = 1, **options: Any) -> Path:
    """The output of one training; its checkpoint stands beside it."""
    training = TrainingOptions.parse(OPTIONS | options, where="training")
    train_weights(
        JavaPairs(files, WordOptions(), training),
        EMBEDDING,
        new_words=NEW_WORDS,
        settings=WeightsSettings(training=training, words=WordOptions(), seed=seed),
        checkpoint=folder / "checkpoint",
        record=folder / "record",
        output=folder / "weights",
    )
    return folder / "weights"


def read_bytes(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


@pytest.mark.parametrize("loss", ["hinge", "softmax"])
def test_training_learns_and_keeps_the_best_epoch_dev_65(
    tmp_path: Path, pairs: Path, loss: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO")
    output = train(tmp_path, pairs, loss=loss, epochs=30)
    header, *rows = (
        line.split(",") for line in (output.parent / "record/history.csv").read_text().split()
    )
    assert header == ["epoch", "training_loss", "held_out_loss", "held_out_mrr", "kept"]
    assert [row[0] for row in rows] == [str(epoch) for epoch in range(31)]
    ranks = [float(row[3]) for row in rows]
    kept = [row[4] for row in rows].index("yes")
    assert [row[4] for row in rows].count("yes") == 1
    assert kept == ranks.index(max(ranks)) > 0
    assert float(rows[-1][1]) < float(rows[0][1]) / 2
    about = load_weights(output).about
    assert about["kept_epoch"] == kept
    assert about["options"]["pairs"] == ["made_up"]
    assert about["pairs"]["read"] == 120
    assert f" 30 epochs in this run (epoch {kept} kept), " in caplog.messages[-1]


def test_words_of_no_pair_keep_their_vectors_dev_62(tmp_path: Path, pairs: Path) -> None:
    weights = load_weights(train(tmp_path, pairs, learning_rate=0.3, query_vocabulary="shared"))
    assert weights.query_words == weights.code_words == EMBEDDING.vocabulary
    for table in (weights.query_table, weights.code_table):
        np.testing.assert_array_equal(table[-1], VECTORS[-1])
        assert (table[:-1] != VECTORS[:-1]).any()


def test_training_the_words_of_pairs_is_training_whole_tables_dev_62(
    tmp_path: Path, pairs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    part = load_weights(train(tmp_path / "a", pairs, query_vocabulary="shared"))
    monkeypatch.setattr(unif_tables, "_used", lambda lists: np.arange(len(lists.vocabulary)))
    whole = load_weights(train(tmp_path / "b", pairs, query_vocabulary="shared"))
    for name in ("query_table", "code_table", "attention"):
        np.testing.assert_allclose(getattr(part, name), getattr(whole, name), atol=1e-5)


def test_words_that_the_corpus_lacks_are_learnt_dev_91(tmp_path: Path, pairs: Path) -> None:
    table = read_table(pairs, PAIR_SCHEMA)
    others = {"ak": "aa", "al": "bb", "am": "empty"}
    queries = [
        " ".join(others.get(word, word) for word in query.split())
        for query in table["query"].to_pylist()
    ]
    asked = make_pairs(list(zip(queries, table["code"].to_pylist(), strict=True)))
    write_table(tmp_path / "asked", asked, PAIR_SCHEMA)
    weights = load_weights(train(tmp_path, tmp_path / "asked", learning_rate=1e-9, epochs=1))
    assert weights.code_words == EMBEDDING.vocabulary
    # Also the words of the corpus that no query has; but no new word of no query.
    assert weights.query_words == sorted(["aa", "bb", "empty", *EMBEDDING.vocabulary])
    found = dict(zip(weights.query_words, weights.query_table, strict=True))
    np.testing.assert_allclose(found["bb"], VECTORS[1] + 1, atol=1e-6)
    assert 0 < np.abs(found["empty"]).max() <= 1 / 6  # as fastText draws them
    learnt = load_weights(train(tmp_path / "b", tmp_path / "asked", epochs=10))
    assert learnt.about["kept_epoch"] > 0
    moved = dict(zip(learnt.query_words, learnt.query_table, strict=True))
    assert all((moved[word] != found[word]).any() for word in ("aa", "bb", "empty"))


def test_a_held_out_query_loses_new_words_that_are_not_trained_dev_91(
    tmp_path: Path, pairs: Path
) -> None:
    """One without any word is held out all the same, and lost; a share holds out the same pairs."""
    table = read_table(pairs, PAIR_SCHEMA)
    strange = make_pairs([("aa", "ak();"), ("yy", "al();"), ("bb ak", "am();")])
    write_table(tmp_path / "more", pa.concat_tables([table, strange]), PAIR_SCHEMA)
    held_out = {"minimum_held_out": 40, "maximum_held_out": 40}
    found = {}
    for share in (1, 0.1):
        weights = load_weights(
            train(tmp_path / f"{share}", tmp_path / "more", share=share, **held_out)
        )
        new = set(weights.query_words) - set(EMBEDDING.vocabulary)
        found[share] = (new, weights.about["pairs"])
    assert found[0.1][0] < found[1][0] < {"aa", "bb", "yy"}
    assert found[0.1][1]["held_out"] == found[1][1]["held_out"]
    assert found[1][1]["held_out_without_known_words"] == 1


@pytest.mark.parametrize(
    ("new_words", "message"),
    [
        (None, "needs vectors of the words that the corpus lacks"),
        (replace(NEW_WORDS, learning_rate=0.1), "made with another learning_rate"),
        (replace(NEW_WORDS, corpus_hash="x"), "made with another corpus_hash"),
        (EMBEDDING, "no vector was made for the word 'aa' of a training query"),
    ],
)
def test_vectors_of_new_words_that_do_not_fit_are_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, new_words: Embedding | None, message: str
) -> None:
    write_table(tmp_path / "p", make_pairs([("aa", "ak();")]), PAIR_SCHEMA)
    monkeypatch.setitem(globals(), "NEW_WORDS", new_words)
    with pytest.raises(NcsbenchError, match=message):
        train(tmp_path, tmp_path / "p")


def test_a_share_changes_what_is_trained_and_not_what_is_held_out(
    tmp_path: Path, pairs: Path
) -> None:
    counts = {}
    for share in ("1", "0.5"):
        output = train(tmp_path / share, pairs, share=float(share))
        counts[share] = load_weights(output).about["pairs"]
    assert counts["0.5"]["trained_queries"] == round(counts["1"]["trained_queries"] / 2)
    assert counts["0.5"]["held_out"] == counts["1"]["held_out"]


def test_with_too_few_pairs_the_vectors_stay_as_they_are_dev_66(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    few = make_pairs([(word, f"{word}();") for word in WORDS[:15]])
    same = make_pairs([(word, "ak();") for word in WORDS])
    for name, pairs, message in (
        ("few", few, "made_up: has 15 distinct queries in 15 pairs"),
        ("none", pa.table(few.slice(0, 0)), "made_up: has 0 distinct queries"),
        ("same", same, "fewer than two held-out queries"),
    ):
        write_table(tmp_path / name, pairs, PAIR_SCHEMA)
        output = train(tmp_path, tmp_path / name)
        assert message in caplog.text and "the vectors stay as they are" in caplog.text
        weights = load_weights(output)
        assert (
            count_trained_pairs(output.parent / "record") == 0 == weights.about["pairs"]["held_out"]
        )
        np.testing.assert_array_equal(weights.query_table, weights.code_table)
        assert not weights.attention.any()
        assert (output.parent / "record/history.csv").read_text().split()[1:] == ["0,,,,yes"]


def test_one_held_out_query_is_too_few_for_either_loss_dev_66(
    tmp_path: Path, pairs: Path, caplog: pytest.LogCaptureFixture
) -> None:
    one = {"minimum_held_out": 1, "maximum_held_out": 1}
    for loss in ("hinge", "softmax"):
        output = train(tmp_path / loss, pairs, loss=loss, **one)
        assert "leaves fewer than two held-out queries" in caplog.text
        assert count_trained_pairs(output.parent / "record") == 0
        caplog.clear()


def test_the_defaults_are_those_of_the_re_implementation_dev_63() -> None:
    options = TrainingOptions(pairs=("x",))
    assert (options.loss, options.margin, options.negatives) == ("hinge", 0.05, 1)
    assert (options.batch_size, options.learning_rate, options.epochs) == (32, 0.001, 20)
    rows = UsedRows(np.arange(3), np.arange(3))
    network = rows.create_network(EMBEDDING, EMBEDDING, seed=1)
    attention = network.attention.detach().numpy()
    assert 0 < np.abs(attention).max() <= 1 / np.sqrt(6)
    np.testing.assert_array_equal(network.query_table.detach().numpy(), VECTORS[:3])


def test_newer_options_that_are_not_given_stand_in_no_file_of_older_models(
    tmp_path: Path, pairs: Path
) -> None:
    """Neither in settings, which keys are made of, nor in what the weights say."""
    former = {"pairs": ["made_up"], "loss": "softmax"}
    assert TrainingOptions.parse(former, where="x").as_json() == former | {"share": 1.0}
    for options in ({}, {"hard_negatives": 2, "sampling": "square_root"}):
        about = load_weights(train(tmp_path, pairs, loss="softmax", **options)).about
        assert {"hard_negatives", "sampling"} & set(about["options"]) == set(options)
        assert ("trained_by_set" in about["pairs"]) == bool(options)


def test_a_small_set_has_more_than_its_share_of_an_epoch(
    tmp_path: Path, pairs: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO")
    few = make_pairs([(f"aa {word}", f"{word}();") for word in WORDS[:30]])
    write_table(tmp_path / "few", few, PAIR_SCHEMA)
    found = []
    for name in ("a", "b"):
        path = train(tmp_path / name, pairs, tmp_path / "few", sampling="square_root")
        found.append(read_bytes(path))
    assert found[0] == found[1]
    counted = load_weights(tmp_path / "b" / "weights").about["pairs"]
    large, small = counted["trained_by_set"]
    assert counted["of_an_epoch_by_set"] == [large, round((large * small) ** 0.5)]
    # The speed counts what is trained on.
    assert f"training: {sum(counted['of_an_epoch_by_set'])} pairs, " in caplog.messages[-1]


def interrupt(monkeypatch: pytest.MonkeyPatch, folder: Path, pairs: Path, epoch: int) -> None:
    """A training that is killed right after the checkpoint of an epoch."""
    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        kill_after(patch, epoch)
        train(folder, pairs)
    assert not (folder / "weights").exists()


@pytest.mark.parametrize("epoch", [1, 3, 4])
def test_an_interrupted_training_ends_with_the_same_bytes(
    tmp_path: Path,
    pairs: Path,
    monkeypatch: pytest.MonkeyPatch,
    epoch: int,
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level("INFO")
    interrupt(monkeypatch, tmp_path / "a", pairs, epoch)
    resumed = read_bytes(train(tmp_path / "a", pairs))
    assert f" {4 - epoch} epochs in this run " in caplog.messages[-1]
    assert resumed == read_bytes(train(tmp_path / "b", pairs))


@pytest.mark.parametrize("damage", ["other seed", "no tensors", "empty", "other metadata"])
def test_a_checkpoint_of_other_inputs_or_damaged_is_passed_over(
    tmp_path: Path,
    pairs: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    damage: str,
) -> None:
    interrupt(monkeypatch, tmp_path / "a", pairs, 2)
    state = tmp_path / "a" / "checkpoint" / "state.safetensors"
    if damage == "empty":
        state.write_bytes(b"{}")
    elif damage != "other seed":
        tensors, about = read_tensors(state)
        tensors = {} if damage == "no tensors" else tensors
        history = "[3" if damage == "other metadata" else about["history"]
        save_file(tensors, state, metadata={**about, "history": history})
    seed = 2 if damage == "other seed" else 1
    with caplog.at_level(logging.WARNING):
        resumed = read_bytes(train(tmp_path / "a", pairs, seed=seed))
    assert "training starts again" in caplog.text
    assert resumed == read_bytes(train(tmp_path / "b", pairs, seed=seed))


def test_hard_negatives_and_balanced_sets_give_the_same_bytes_after_a_kill(
    tmp_path: Path, pairs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    options = {"loss": "softmax", "hard_negatives": 3, "sampling": "square_root"}
    for name, value in options.items():
        monkeypatch.setitem(OPTIONS, name, value)
    interrupt(monkeypatch, tmp_path / "a", pairs, 2)
    resumed = read_bytes(train(tmp_path / "a", pairs))
    assert resumed == read_bytes(train(tmp_path / "b", pairs))
    without = train(tmp_path / "c", pairs, hard_negatives=0)
    assert resumed["weights.safetensors"] != (without / "weights.safetensors").read_bytes()


def test_a_checkpoint_killed_before_it_has_its_name_leaves_the_one_before(
    tmp_path: Path, pairs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    replace, done = Path.replace, []

    def die_at_the_third(path: Path, target: Path) -> Path:
        done.append(target)
        if len(done) == 3:
            raise KeyboardInterrupt
        return replace(path, target)

    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(Path, "replace", die_at_the_third)
        train(tmp_path / "a", pairs)
    _, about = read_tensors(tmp_path / "a" / "checkpoint" / "state.safetensors")
    assert [row["epoch"] for row in json.loads(about["history"])] == [0, 1, 2]
    assert read_bytes(train(tmp_path / "a", pairs)) == read_bytes(train(tmp_path / "b", pairs))
