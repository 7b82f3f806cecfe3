"""Training of DeepCS and CARLCS on small pairs."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from ncsbench.base.files.storage import read_table, write_table
from ncsbench.base.networks.epochs import Adam
from ncsbench.errors import DataError
from ncsbench.learning.deepcs.field_encoder import load_field_encoder
from ncsbench.learning.deepcs.field_options import FieldEncoderOptions, FieldEncoderSettings
from ncsbench.learning.deepcs.field_training import (
    count_steps,
    train_field_encoder,
    warm_up_and_fall,
)
from ncsbench.learning.deepcs.method_fields import read_fields, read_pairs
from ncsbench.pairs.training_pairs.held_out_pairs import PairParts
from ncsbench.pairs.training_pairs.pair_schema import PAIR_SCHEMA
from tests.synthetic_documents import CALLED as WORDS
from tests.synthetic_documents import draw_calls, make_pairs
from tests.unit.made_up_pairs import kill_after

SMALL: dict[str, Any] = {
    "pairs": ["some"],
    "embedding": 8,
    "cells": 4,
    "output": 8,
    "filters": 8,
    "name_length": 4,
    "api_length": 8,
    "tokens_length": 6,
    "description_length": 5,
    "batch_size": 16,
    "learning_rate": 0.02,
    "epochs": 2,
    "patience": 0,
    "minimum_held_out": 10,
}


@pytest.fixture(scope="module")
def pairs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    rows = draw_calls(lambda one, other: f"void x() {{ {one}.{other}(); }}")
    path = tmp_path_factory.mktemp("pairs") / "pairs.parquet"
    write_table(path, make_pairs([*rows, ("", "void x() {}"), ("...", "x")]), PAIR_SCHEMA)
    return path


@pytest.fixture(scope="module")
def half(pairs: Path) -> Path:
    path = pairs.parent / "half.parquet"
    write_table(path, read_table(pairs, PAIR_SCHEMA).slice(0, 60), PAIR_SCHEMA)
    return path


def make_options(network: str = "deepcs", **changes: Any) -> FieldEncoderOptions:
    return FieldEncoderOptions.parse({"network": network, **SMALL, **changes}, where="test")


def train(
    pairs: Path,
    folder: Path,
    network: str = "deepcs",
    vocabulary_paths: Sequence[Path] = (),
    steps: int | None = None,
    **options: Any,
) -> Path:
    train_field_encoder(
        FieldEncoderSettings(field_encoder=make_options(network, **options), seed=3),
        pairs=[pairs],
        vocabulary_pairs=vocabulary_paths,
        steps=steps,
        checkpoint=folder / "checkpoint",
        record=folder / "record",
        output=folder / "encoder",
    )
    return folder


def read_bytes(folder: Path) -> dict[str, bytes]:
    files = [path for part in ("record", "encoder") for path in (folder / part).iterdir()]
    return {path.name: path.read_bytes() for path in sorted(files)}


@pytest.mark.parametrize(
    ("network", "options"),
    [
        ("deepcs", {}),
        ("deepcs", {"optimiser": "adamw", "pooling": "last", "warm_up": 2, "clip": 5.0}),
        ("carlcs", {"padding": "masked", "api_encoder": "lstm", "unknown_words": "own"}),
    ],
)
def test_a_training_that_was_killed_ends_with_the_same_bytes(
    pairs: Path,
    tmp_path: Path,
    network: str,
    options: dict[str, Any],
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level("INFO")
    train(pairs, tmp_path / "a", network, **options)
    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        kill_after(patch, 1)
        train(pairs, tmp_path / "b", network, **options)
    assert not (tmp_path / "b" / "encoder").exists()
    train(pairs, tmp_path / "b", network, **options)
    assert read_bytes(tmp_path / "a") == read_bytes(tmp_path / "b")
    assert not (tmp_path / "b" / "checkpoint").exists()
    assert " 1 epochs in this run (epoch " in caplog.messages[-1]


def test_a_training_can_take_as_many_steps_as_another_dev_195(
    pairs: Path, half: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    options = make_options(epochs=3)
    small, large = (len(read_pairs([path], options).training) for path in (half, pairs))
    wanted = count_steps(small, options)
    assert (small // 16, large // 16, wanted) == (3, 6, 9)
    taken = []
    step = Adam.step
    with monkeypatch.context() as patch:
        patch.setattr(Adam, "step", lambda own: (taken.append(1), step(own)))
        train(pairs, tmp_path, epochs=3, steps=wanted)
    # The second epoch is the last and ends in its midst.
    assert len(taken) == wanted
    about = json.loads((tmp_path / "record" / "about.json").read_text())
    assert about["steps"] == wanted and about["options"]["epochs"] == 3
    assert len((tmp_path / "record" / "history.csv").read_text().splitlines()) == 4


@pytest.mark.parametrize(
    ("network", "padding"),
    [("deepcs", "as_published"), ("deepcs", "masked"), ("carlcs", "masked")],
)
def test_what_is_learnt_from_pairs_ranks_held_out_ones(
    pairs: Path, tmp_path: Path, network: str, padding: str
) -> None:
    made = train(pairs, tmp_path, network, padding=padding, epochs=25, dropout=0.1, margin=0.3)
    rows = (made / "record" / "history.csv").read_text().splitlines()
    values = [float(row.split(",")[3]) for row in rows[1:]]
    assert max(values) > values[0] + 0.1


def test_sets_that_share_a_vocabulary_differ_in_their_pairs_alone_dev_194(
    pairs: Path, half: Path, tmp_path: Path
) -> None:
    whole = read_pairs([pairs], make_options())
    shared = read_pairs([half], make_options(), vocabulary_paths=[pairs])
    own = read_pairs([half], make_options())
    assert shared.vocabularies["api"].words == whole.vocabularies["api"].words
    assert own.vocabularies["api"].words != whole.vocabularies["api"].words
    assert (len(shared.training), shared.digest) == (len(own.training), own.digest)
    made = train(half, tmp_path, vocabulary_paths=[pairs], epochs=1)
    encoder = load_field_encoder(made / "encoder")
    assert encoder.vocabularies["api"].words == whole.vocabularies["api"].words
    about = json.loads((made / "record" / "about.json").read_text())
    assert len(about["vocabulary_hash"]) == 64 and encoder.about == about


def test_a_vocabulary_of_another_network_is_refused(
    pairs: Path, half: Path, tmp_path: Path
) -> None:
    folder = train(half, tmp_path, vocabulary_paths=[pairs], epochs=1) / "encoder"
    path = folder / "vocabularies.json"
    path.write_text(path.read_text().replace(WORDS[0], "other"))
    with pytest.raises(DataError, match="is that of another network"):
        load_field_encoder(folder)


def test_what_a_larger_set_holds_out_no_smaller_one_trains_on_dev_194(
    pairs: Path, half: Path
) -> None:
    options = make_options(minimum_held_out=10, maximum_held_out=10)
    whole, some = (PairParts([path], options) for path in (pairs, half))
    rows = read_table(half, PAIR_SCHEMA, ["query", "code"]).to_pylist()
    held_out = [row for row in rows if whole.find(**row) != "train"]
    assert held_out and all(some.find(**row) != "train" for row in held_out)


def test_pairs_without_words_are_left_out_and_counted(pairs: Path) -> None:
    found = read_pairs([pairs], make_options())
    assert found.empty == 2 and len(found.training) + len(found.valid) + 2 <= 122
    assert len(found.valid) >= 10
    assert found.vocabularies["api"].words[2] in WORDS
    assert found.training.code.name.lengths.tolist() == [1] * len(found.training)


def test_unknown_words_are_padding_or_have_an_id_dev_187(pairs: Path, tmp_path: Path) -> None:
    fields = [read_fields("void unseen() { ak.unseen(); }")]
    for unknown, number in (("padding", 0), ("own", 1)):
        encoder = load_field_encoder(
            train(pairs, tmp_path / unknown, unknown_words=unknown, epochs=1) / "encoder"
        )
        code = encoder.encode_code(fields)
        assert code.name.ids.tolist() == [number] and code.api.ids[1] == number
        assert code.api.ids[0] > 1
        queries = encoder.encode_queries([["ak", "unseen"], ["unseen"]])
        assert queries.lengths.tolist() == ([1, 0] if unknown == "padding" else [2, 1])
        vectors = encoder.embed_queries([["ak"], [], ["ak"]])
        assert (vectors[0] == vectors[2]).all() and not vectors[1].any()
        assert encoder.embed_code(fields).shape == (1, 8)


def test_too_few_pairs_leave_the_first_values(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "pairs.parquet"
    write_table(path, make_pairs([("a b", "void x() { y(); }")]), PAIR_SCHEMA)
    train(path, tmp_path)
    assert "keeps its random first values" in caplog.text
    about = json.loads((tmp_path / "record" / "about.json").read_text())
    assert about["pairs"]["trained"] == 0 and about["kept_epoch"] == 0


def test_the_learning_rate_rises_and_falls() -> None:
    share = warm_up_and_fall(2, 6)
    assert [share(step) for step in (1, 2, 3, 5, 7)] == pytest.approx([0, 0.5, 1, 0.5, 0])
