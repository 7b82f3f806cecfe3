"""The pairs that joint encoders are trained on."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from ncsbench.base.files.storage import write_json
from ncsbench.base.networks.epochs import cut_batches
from ncsbench.errors import DataError
from ncsbench.learning.encoders.encoder import load_encoder
from ncsbench.learning.encoders.encoder_options import EncoderOptions
from ncsbench.learning.encoders.training_pairs import PairFiles, mask_name
from tests.unit.made_up_pairs import (
    Pair,
    draw_pairs,
    read_history,
    read_settings,
    train,
    write_corpora,
    write_corpus,
)


@pytest.fixture(scope="module")
def corpora(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    return write_corpora(tmp_path_factory.mktemp("corpora"))


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
