"""Joint training of encoders: what is learnt, what is kept, and what goes wrong."""

from __future__ import annotations

import json
import logging
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from torch import nn

from ncsbench.base.files.storage import write_json
from ncsbench.base.networks.epochs import Adam, cut_batches
from ncsbench.errors import ConfigurationError, DataError
from ncsbench.learning.encoders import training
from ncsbench.learning.encoders.encoder import Encoder, load_encoder
from ncsbench.learning.encoders.encoder_options import EncoderOptions
from ncsbench.learning.encoders.networks import NETWORKS
from ncsbench.learning.encoders.training_pairs import PairFiles, mask_name
from tests.unit.made_up_pairs import (
    Pair,
    draw_pairs,
    kill_after,
    read_history,
    read_settings,
    train,
    write_corpora,
    write_corpus,
)


@pytest.fixture(scope="module")
def corpora(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    return write_corpora(tmp_path_factory.mktemp("corpora"))


def read_bytes(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


@pytest.mark.parametrize(
    ("network", "rate", "rank"),
    [("nbow", 0.02, 0.7), ("cnn", 0.005, 0.5), ("rnn", 0.03, 0.4), ("self_attention", 0.003, 0.7)],
)
def test_what_pairs_have_in_common_is_learnt(
    tmp_path: Path, corpora: dict[str, Path], network: str, rate: float, rank: float
) -> None:
    output = train(
        tmp_path, corpora, network, epochs=10, learning_rate=rate, function_name_probability=0.0
    )
    history = read_history(tmp_path)
    ranks = [float(row[3]) for row in history]
    assert ranks[0] < 0.3  # chance: 0.21 in pools of 16
    assert max(ranks) > rank
    assert float(history[-1][1]) < float(history[1][1])
    encoder = load_encoder(output)
    assert encoder.languages == ("go", "ruby")
    about = json.loads((tmp_path / "record/about.json").read_text())
    assert about == json.loads((output / "about.json").read_text()) == encoder.about
    assert about["pairs"] == {
        "trained": 180,
        "trained_by_language": {"go": 60, "ruby": 120},
        "held_out": 40,
        "without_tokens": 0,
    }
    assert about["corpus_hashes"] == {"go": "go", "ruby": "ruby"}
    assert about["kept_epoch"] == ranks.index(max(ranks))
    pairs = draw_pairs(6, 20, "go")
    queries = encoder.embed_queries([query for query, _ in pairs])
    codes = encoder.embed_code("go", [code for _, code in pairs])
    assert queries.shape == codes.shape == (20, 16)
    assert queries.dtype == np.float32
    nearest = (queries @ codes.T).argmax(axis=1)
    assert (nearest == np.arange(20)).mean() > 0.09  # chance: 0.05
    assert not (tmp_path / "checkpoint").exists()


@pytest.mark.parametrize("network", sorted(NETWORKS))
def test_a_training_that_was_killed_ends_with_the_same_bytes(
    tmp_path: Path,
    corpora: dict[str, Path],
    network: str,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level("INFO")
    options = {"function_name_probability": 0.5}
    train(tmp_path / "a", corpora, network, **options)
    for epoch in (1, 2):
        with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
            kill_after(patch, epoch)
            train(tmp_path / "b", corpora, network, **options)
        assert not (tmp_path / "b" / "encoder").exists()
    torch.manual_seed(99)  # of no importance
    np.random.seed(99)  # noqa: NPY002
    train(tmp_path / "b", dict(reversed(corpora.items())), network, **options)
    assert read_bytes(tmp_path / "a") == read_bytes(tmp_path / "b")
    assert "encoder: 180 pairs, 1 epochs in this run (epoch " in caplog.messages[-1]


@pytest.mark.parametrize("change", [{"margin": 0.5}, {"seed": 2}, None])
def test_a_checkpoint_of_another_training_or_a_damaged_one_is_not_used(
    tmp_path: Path,
    corpora: dict[str, Path],
    change: dict[str, Any] | None,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    train(tmp_path / "a", corpora, **(change or {}))
    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        kill_after(patch, 1)
        train(tmp_path / "b", corpora)
    state = tmp_path / "b/checkpoint/state.safetensors"
    if change is None:
        state.write_bytes(state.read_bytes()[:1000])
    train(tmp_path / "b", corpora, **(change or {}))
    assert "training starts again" in caplog.text
    assert read_bytes(tmp_path / "a") == read_bytes(tmp_path / "b")


def test_training_stops_when_no_epoch_is_better_and_the_first_best_is_kept_dev_150(
    tmp_path: Path, corpora: dict[str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    values = iter([0.1, 0.3, 0.5, 0.5, 0.4, 0.45, 0.9])
    monkeypatch.setattr(training.Trainer, "validate", lambda self, pairs: (1.0, next(values)))
    train(tmp_path / "a", corpora, epochs=9, patience=3)
    history = read_history(tmp_path / "a")
    assert [row[4] for row in history] == ["no", "no", "yes", "no", "no", "no"]


def test_adam_is_that_of_tensorflow_dev_149() -> None:
    """Written out in double precision, with steps in which a parameter has no gradient."""
    generator = np.random.default_rng(1)
    start = {"a": generator.normal(size=(3, 2)), "b": generator.normal(size=4)}
    parameters = {name: nn.Parameter(torch.tensor(own).float()) for name, own in start.items()}
    adam = Adam(parameters, learning_rate=0.01)
    first = {name: np.zeros_like(own) for name, own in start.items()}
    second = {name: np.zeros_like(own) for name, own in start.items()}
    for step in range(1, 9):
        size = 10.0 ** -generator.integers(0, 9)  # down to epsilon; clipped at the other end
        grads = {name: size * generator.normal(size=own.shape) for name, own in start.items()}
        if step in (2, 5):
            grads["b"] *= 0
        for name, grad in grads.items():
            if grad.any():
                parameters[name].grad += torch.tensor(grad).float()  # type: ignore[operator]
        adam.step()
        norm = np.sqrt(sum((grad**2).sum() for grad in grads.values()))
        rate = 0.01 * np.sqrt(1 - 0.999**step) / (1 - 0.9**step)
        for name, grad in grads.items():
            clipped = grad / max(norm, 1)
            first[name] = 0.9 * first[name] + 0.1 * clipped
            second[name] = 0.999 * second[name] + 0.001 * clipped**2
            start[name] -= rate * first[name] / (np.sqrt(second[name]) + 1e-8)
    for name, own in start.items():
        np.testing.assert_allclose(parameters[name].detach().numpy(), own, rtol=1e-4, atol=2e-6)


def test_a_loss_that_is_no_number_ends_the_training_in_one_line(
    tmp_path: Path, corpora: dict[str, Path]
) -> None:
    with pytest.raises(ConfigurationError, match=r"not a finite number.*'learning_rate'") as error:
        train(tmp_path, corpora, learning_rate=1e38, loss="softmax")
    assert "\n" not in str(error.value)
    assert not (tmp_path / "encoder").exists()


def test_a_gpu_that_is_not_there_is_a_mistake(
    tmp_path: Path, corpora: dict[str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    with pytest.raises(ConfigurationError, match="'device: cuda' finds no GPU"):
        train(tmp_path, corpora, device="cuda")


@pytest.fixture(scope="module")
def encoder(tmp_path_factory: pytest.TempPathFactory, corpora: dict[str, Path]) -> Encoder:
    return load_encoder(
        train(tmp_path_factory.mktemp("encoder"), corpora, "cnn", epochs=1, learning_rate=0.001)
    )


def test_hostile_tokens_have_vectors(encoder: Encoder, caplog: pytest.LogCaptureFixture) -> None:
    lists = [
        [],
        ["\U0001f600", "\0", "\udc80", ""],
        ["x" * 10_000_000],
        ["(" for _ in range(10**6)],
    ]
    with caplog.at_level(logging.WARNING):
        for vectors in (encoder.embed_code("go", lists), encoder.embed_queries(lists)):
            assert vectors.shape == (4, 16)
            assert np.isfinite(vectors).all()
            assert not vectors[0].any()
            assert vectors[1:].any(axis=1).all()
    assert encoder.embed_queries([]).shape == (0, 16)
    assert (encoder.embed_queries([["AK"]]) == encoder.embed_queries([["ak"]])).all()
    word = draw_pairs(1, 1, "go")[0][1][0]
    assert (encoder.embed_code("go", [[word]]) != encoder.embed_code("go", [[word.upper()]])).any()


def test_an_unknown_language_is_a_line(encoder: Encoder) -> None:
    with pytest.raises(ConfigurationError, match=r"not trained on 'goo'.*'go'"):
        encoder.embed_code("goo", [["a"]])


def test_files_that_do_not_fit_are_a_line(tmp_path: Path, corpora: dict[str, Path]) -> None:
    output = train(tmp_path, corpora, epochs=1)
    whole = read_bytes(output)
    for name, text in (
        ("vocabularies.json", '{"query": {"words": [], "pieces": []}}'),
        ("vocabularies.json", "[]"),
        ("about.json", "{}"),
        ("about.json", '{"options": {"network": "rnn"}}'),
    ):
        (output / name).write_text(text)
        with pytest.raises(DataError, match="files do not fit each other"):
            load_encoder(output)
        (output / name).write_bytes(whole[name])
    load_encoder(output)


def test_options_that_are_not_given_are_those_of_the_network() -> None:
    given = EncoderOptions.parse({"network": "nbow", "loss": "softmax"}, where="x")
    assert (given.loss, given.learning_rate) == ("softmax", 0.01)
    for value in (None, 3, [], "nbows"):
        with pytest.raises(ConfigurationError, match="network"):
            EncoderOptions.parse({"network": value}, where="x")


def test_languages_weigh_the_same_and_batches_mix_them_dev_146(corpora: dict[str, Path]) -> None:
    settings = read_settings()
    files = PairFiles(corpora, settings)
    pairs = files.read("train", *files.learn_vocabularies())
    weights = pairs.weigh()
    assert weights.tolist() == pytest.approx([180 / (2 * 60)] * 60 + [180 / (2 * 120)] * 120)
    assert weights[:60].sum() == pytest.approx(weights[60:].sum())
    order = np.random.default_rng(1).permutation(180)
    batches = list(cut_batches(order, 50, drop_last=True))
    assert [len(rows) for rows in batches] == [50, 50, 50]
    assert all((np.diff(rows) > 0).all() for rows in batches)
    assert [set(rows.tolist()) for rows in batches] == [
        set(order[start : start + 50].tolist()) for start in (0, 50, 100)
    ]
    assert all(5 < (pairs.languages[rows] == 0).sum() < 30 for rows in batches)
    assert [len(rows) for rows in cut_batches(order, 50, drop_last=False)] == [50, 50, 50, 30]
    # Fewer than a batch are one.
    assert [len(rows) for rows in cut_batches(order[:7], 50, drop_last=True)] == [7]


def test_a_name_may_stand_for_the_documentation_dev_147(tmp_path: Path) -> None:
    code = ["def", "readWholeFile", "(", ")", "Reader.readWholeFile"]
    released = EncoderOptions(network="nbow")
    words, masked = mask_name("Reader.readWholeFile", code, released)
    assert words == ["reader", "read", "whole", "file"]
    assert masked == ["def", "readWholeFile", "(", ")", "%UNK%"]
    assert mask_name("Reader.readWholeFile", code[:4], released) == (words, [])  # as nearly always
    meant = released.changed(function_names="as_meant")
    words, masked = mask_name("Reader.readWholeFile", code[:4], meant)
    assert words == ["read", "whole", "file"]
    assert masked == ["def", "__unk", "(", ")"]
    assert mask_name("Reader.readAll", ["readAll"], meant) == ([], [])  # shorter than 12
    assert mask_name("a", code, released.changed(function_name_probability=0.0)) == ([], [])
    corpus = write_corpus(
        tmp_path,
        {"train": [(["reads"], code[:4]), (["whole", "file"], ["x"])], "valid": []},
        identifier="Reader.readWholeFile",
    )
    settings = read_settings(function_names="as_meant", code_tokens="subtokens")
    files = PairFiles({"java": corpus}, settings)
    asked, codes = files.learn_vocabularies()
    pairs = files.read("train", asked, codes)
    rows = np.arange(2)
    queries, found = pairs.take(rows, np.array([True, True]))
    spelt = [asked.spell(word, 9) for word in ("read", "whole", "file")]
    ids = [number for word in spelt for number in word][:6]
    assert queries.take(np.array([0])).ids.tolist() == ids
    assert found.take(np.array([0])).ids.tolist()[1] == 1  # unknown
    assert found.take(np.array([1])).ids.tolist() == codes["java"].spell("x", 9)
    for own, lists in zip(pairs.take(rows), (pairs.queries, pairs.codes), strict=True):
        assert own.ids.tolist() == lists.ids.tolist()


def test_some_pairs_are_the_same_among_more(corpora: dict[str, Path]) -> None:
    files = {count: PairFiles(corpora, read_settings(maximum_pairs=count)) for count in (0, 30, 90)}
    taken = {
        count: [row for number in range(2) for row in map(str, own._iterate("train", number))]
        for count, own in files.items()
    }
    assert [len(rows) for rows in taken.values()] == [180, 30, 90]
    assert set(taken[30]) <= set(taken[90]) <= set(taken[0])
    asked, codes = files[30].learn_vocabularies()
    assert len(files[30].read("train", asked, codes)) == 30
    assert len(files[30].read("valid", asked, codes)) == 40
    assert len(asked) < len(files[0].learn_vocabularies()[0])


def test_too_few_pairs_keep_the_first_values_dev_151(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    pairs = draw_pairs(1, 9, "x")
    corpus = write_corpus(tmp_path / "go", {"train": pairs, "valid": pairs[:1]})
    encoder = load_encoder(train(tmp_path, {"go": corpus}))
    assert "has 9 pairs to train on and 1 to stop by" in caplog.text
    assert encoder.about["pairs"]["trained"] == 0
    assert encoder.embed_queries([["ak"]]).any()
    assert read_history(tmp_path) == [["0", "", "", "", "yes"]]


def test_a_language_without_pairs_is_named(
    tmp_path: Path, corpora: dict[str, Path], caplog: pytest.LogCaptureFixture
) -> None:
    none = write_corpus(tmp_path / "php", {"test": [(["a"], ["b"])]})
    encoder = load_encoder(train(tmp_path, {**corpora, "php": none}, epochs=1))
    assert "php has no pair to train on" in caplog.text
    assert encoder.embed_code("php", [["b"]]).shape == (1, 16)


def test_pairs_without_tokens_are_left_out_and_counted(tmp_path: Path) -> None:
    pairs = draw_pairs(1, 9, "x")
    empty: list[Pair] = [([], ["a"]), (["a"], [])]
    corpus = write_corpus(tmp_path / "go", {"train": [*pairs, *empty], "valid": [*pairs, empty[0]]})
    counts = load_encoder(train(tmp_path, {"go": corpus}, epochs=1)).about["pairs"]
    assert (counts["trained"], counts["held_out"], counts["without_tokens"]) == (9, 9, 3)


def test_a_corpus_that_is_not_there_is_a_line(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"functions\.parquet: cannot be read"):
        train(tmp_path, {"go": tmp_path / "go"})
    corpus = write_corpus(tmp_path / "go", {"train": draw_pairs(1, 4, "x")})
    write_json(corpus / "manifest.json", {})
    with pytest.raises(DataError, match=r"manifest\.json: names no corpus_hash"):
        train(tmp_path, {"go": corpus})
