"""The language model of queries (``ncsbench.pairs.comment_filter.comment_model``)."""

from __future__ import annotations

import math
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from torch import nn

from ncsbench.base.files.storage import hash_bytes, read_json, write_json
from ncsbench.base.files.training_checkpoints import read_tensors, write_tensors
from ncsbench.errors import ConfigurationError, DataError
from ncsbench.pairs.comment_filter import query_vae
from ncsbench.pairs.comment_filter.comment_model import CommentModel, train_comment_model
from ncsbench.pairs.comment_filter.filter_options import VaeOptions
from ncsbench.pairs.comment_filter.query_vae import (
    EOS,
    PAD,
    SOS,
    UNK,
    QueryVae,
    VaeVocabulary,
    pad_texts,
    split_text,
)
from tests.made_up_titles import make_titles

SMALL: dict[str, Any] = {"state_size": 16, "latent_size": 8, "learning_rate": 0.01, "epochs": 3}
TITLES = make_titles(200)
COMMENTS = [
    *make_titles(90, seed=2),
    "Returns the number of sockets that the frobnicator opened, or -1 if none was.",
    "zzz yyy xxx",
    "",
    "open",
    *[" ".join(["list", "file"] * count) for count in range(1, 40)],
]


def options(**values: Any) -> VaeOptions:
    return VaeOptions.parse({**SMALL, **values}, where="model")


def test_the_python_of_the_page_runs(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """``docs/cleaning.md``, with fewer epochs of a smaller network."""
    page = (root / "docs/cleaning.md").read_text()
    [*_, block] = re.findall(r"^```python\n(.*?)^```", page, re.M | re.S)
    monkeypatch.chdir(tmp_path)
    Path("titles.txt").write_text("".join(f"How to {title}?\n" for title in TITLES))
    Path("comments.txt").write_text("\n".join(COMMENTS))
    block = block.replace("epochs=20", "epochs=2, state_size=16, latent_size=8, learning_rate=0.01")
    names: dict[str, Any] = {}
    exec(compile(block, "cleaning.md", "exec"), names)  # noqa: S102
    assert 0 < names["kept"].sum() < len(COMMENTS) == len(names["losses"])
    assert Path("cut.svg").is_file() and Path("training").is_dir()
    again = CommentModel.load("model").score(COMMENTS)
    assert again.tolist() == names["losses"].tolist()


@pytest.fixture(scope="module")
def model() -> CommentModel:
    return train_comment_model(TITLES, options(), seed=1)


def encode(network: QueryVae, *texts: list[int], width: int = 22) -> torch.Tensor:
    padded, lengths = pad_texts(texts, width)
    with torch.no_grad():
        mean, log_variance = network.encode(torch.from_numpy(padded), torch.from_numpy(lengths))
    return torch.cat([mean, log_variance], dim=1)


def test_the_released_encoder_sees_no_text_dev_170() -> None:
    one, other = [5, 6, 7, EOS], [9, 8, EOS]
    torch.manual_seed(1)
    released = QueryVae(12, options(encoder="as_released"))
    assert encode(released, one).equal(encode(released, other))
    assert encode(released, one, other).equal(encode(released, other, [4, EOS]))
    # What differs is the place in the batch.
    first, second = encode(released, one, one)
    assert not first.equal(second)
    fixed = QueryVae(12, options())
    assert not encode(fixed, one).equal(encode(fixed, other))
    torch.testing.assert_close(encode(fixed, one), encode(fixed, one, other)[:1])


def test_the_released_encoder_is_a_gru_that_takes_texts_for_time_dev_170() -> None:
    torch.manual_seed(1)
    network = QueryVae(12, options(encoder="as_released"))
    gru = nn.GRU(16, 16, 1, bidirectional=True)
    cells = {"": network.ahead, "_reverse": network.back}
    gru.load_state_dict(
        {
            f"{name}_l0{end}": value
            for end, cell in cells.items()
            for name, value in cell.state_dict().items()
        }
    )
    padded, _ = pad_texts([[5, 6, 7, EOS], [9, 8, EOS], [4, EOS]], 22)
    with torch.no_grad():
        output, _ = gru(network.read_words(torch.from_numpy(padded)))
        last = output[:, -1]
        states = network.to_latent(last[:, :16] + last[:, 16:])
    torch.testing.assert_close(encode(network, [5, 6, 7, EOS], [9, 8, EOS], [4, EOS]), states)


def test_the_fixed_encoder_is_the_last_state_of_both_directions_dev_170() -> None:
    torch.manual_seed(1)
    network = QueryVae(12, options())
    gru = nn.GRU(16, 16, 1, bidirectional=True, batch_first=True)
    gru.load_state_dict(
        {f"{name}_l0": value for name, value in network.ahead.state_dict().items()}
        | {f"{name}_l0_reverse": value for name, value in network.back.state_dict().items()}
    )
    for text in ([5, 6, 7, EOS], [9, EOS]):
        with torch.no_grad():
            _, states = gru(network.read_words(torch.tensor([text])))
            expected = network.to_latent(states.sum(dim=0))
        torch.testing.assert_close(encode(network, text), expected)


@pytest.mark.parametrize(
    "chosen",
    [
        {},
        {"encoder": "as_released", "z": "sampled", "comment_words": "as_released"},
        {"z": "sampled", "unknown_words": "charged"},
        {"pieces": 40, "minimum_count": 20},
        {"state_size": 256, "latent_size": 128, "epochs": 1},
    ],
)
def test_a_loss_has_the_same_bits_whatever_the_batch(chosen: dict[str, Any]) -> None:
    model = train_comment_model(TITLES, options(**chosen), seed=1)
    losses = model.score(COMMENTS)
    assert np.isfinite(losses).all()
    generator = np.random.default_rng(1)
    for _ in range(3):
        order = generator.permutation(len(COMMENTS))
        shuffled = model.score([COMMENTS[row] for row in order])
        assert shuffled.tobytes() == losses[order].tobytes()
    alone = [float(model.score([comment])[0]) for comment in COMMENTS[::8]]
    assert np.array(alone).tobytes() == losses[::8].tobytes()
    assert model.score([]).shape == (0,)


@pytest.mark.parametrize("encoder", ["fixed", "as_released"])
def test_a_loss_is_the_mean_over_known_words_and_the_end_as_published(encoder: str) -> None:
    """One by one and padded, as the released program scores, without its sampling."""
    model = train_comment_model(TITLES, options(encoder=encoder), seed=1)
    network, vocabulary = model._network, model._vocabulary
    weights = torch.ones(len(vocabulary))
    weights[[PAD, UNK]] = 0
    for comment in COMMENTS[85:95]:
        padded, lengths = pad_texts([vocabulary.encode_comment(comment, model.options)], 22)
        ids = torch.from_numpy(padded)
        with torch.no_grad():
            mean, _ = network.encode(ids, torch.from_numpy(lengths))
            chances = network.project(network.unroll(mean, ids, [True] * 22))[0]
            loss = nn.functional.cross_entropy(chances, ids[0], weight=weights)
        assert model.score([comment])[0] == pytest.approx(float(loss), rel=1e-5)


def test_comments_like_the_titles_have_lower_losses() -> None:
    model = train_comment_model(TITLES, options(epochs=15, learning_rate=0.05), seed=1)
    like, unlike = model.score(["sort a map by name", "java in loop a with without on by"])
    assert like < unlike - 1


def test_the_same_seed_gives_the_same_bytes_and_another_does_not(
    model: CommentModel, tmp_path: Path
) -> None:
    seeds = {"one": 1, "again": 1, "other": 2}
    for name, seed in seeds.items():
        train_comment_model(TITLES, options(), seed=seed).save(tmp_path / name)
    weights = {name: (tmp_path / name / "weights.safetensors").read_bytes() for name in seeds}
    assert weights["one"] == weights["again"] != weights["other"]
    loaded = CommentModel.load(tmp_path / "one")
    assert loaded.score(COMMENTS).tobytes() == model.score(COMMENTS).tobytes()
    about = read_json(tmp_path / "one" / "about.json")
    assert about["titles"]["trained"] == 200
    assert about["seed"] == 1
    assert len(about["losses"]) == 3
    assert about["losses"][2] < about["losses"][0]


@pytest.mark.parametrize("chosen", [{}, {"encoder": "as_released", "loss_over": "known_words"}])
def test_a_killed_training_goes_on_with_the_same_bytes(
    chosen: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = train_comment_model(TITLES, options(**chosen), seed=1)

    def save_and_die(*arguments: Any) -> None:
        save(*arguments)
        raise KeyboardInterrupt

    save = query_vae.save_checkpoint
    trained = []
    for _ in range(3):
        monkeypatch.setattr(query_vae, "save_checkpoint", save_and_die)
        with pytest.raises(KeyboardInterrupt):
            train_comment_model(TITLES, options(**chosen), seed=1, checkpoint=tmp_path)
        trained.append(1)
    monkeypatch.setattr(query_vae, "save_checkpoint", save)
    again = train_comment_model(TITLES, options(**chosen), seed=1, checkpoint=tmp_path)
    assert again.about == whole.about
    for name, tensor in whole._tensors.items():
        assert again._tensors[name].tobytes() == tensor.tobytes(), name
    other = train_comment_model(TITLES[:-1], options(**chosen), seed=1, checkpoint=tmp_path)
    assert other.about["titles"]["trained"] == 199


def test_what_the_kl_weight_is_dev_175() -> None:
    def weight(epoch: int, batch: int, **chosen: Any) -> float:
        trainer = query_vae._Trainer(
            QueryVae(12, options()), [[4, EOS]] * 200, options(**chosen), 1
        )
        return trainer._kl_weight(epoch, batch)

    assert weight(200, 3) == 0.05  # the last epoch as released
    assert weight(201, 1) == pytest.approx(0.050002)
    assert weight(3, 0, kl_start=1, kl_step=0.001) == pytest.approx(0.054)
    assert weight(100, 0, kl_start=1, kl_step=0.001) == 0.1


def test_words_of_titles_and_of_comments_dev_171() -> None:
    text = "Parse JSON-strings into a List<String>, don't"
    apart = ["parse", "json", "-", "strings", "into", "a", "list", "<", "string", ">", ",", "don"]
    assert split_text(text, 12) == apart
    assert split_text(text, 4, marks_apart=False) == ["parse", "json-strings", "into", "a"]
    assert split_text("a\udcffb " + "x" * 100_000, 2) == ["a", "?"]
    vocabulary = VaeVocabulary.learn([["a", "list"]] * 2, options())
    assert vocabulary.encode_comment("a list.", options()) == [4, 5, UNK, EOS]
    assert vocabulary.encode_comment("a list.", options(comment_words="as_released")) == [
        *(4, UNK, EOS)
    ]


def test_a_vocabulary_has_words_that_occur_twice_and_pieces_of_others_dev_172() -> None:
    titles = [["read", "a", "file"], ["read", "a", "filename"], ["filenames"]]
    plain = VaeVocabulary.learn(titles, options())
    assert plain.spelling.words[2:] == ["a", "read"]
    assert plain.rare_words == 3
    assert len(plain) == 6
    assert plain.encode_title(["read", "a", "file"], options()) == [5, 4, UNK, EOS]
    assert SOS not in plain.encode_title(["__pad", "__unk"], options())
    spelt = VaeVocabulary.learn(titles, options(pieces=3))
    assert len(spelt) == 6 + 2 + 3
    ids = spelt.encode_title(["filenames"], options())
    assert len(ids) > 3 and max(ids) < len(spelt)
    small = VaeVocabulary.learn(titles, options(vocabulary_size=8, minimum_count=1))
    assert len(small) == 8


def test_an_unknown_word_is_free_or_one_of_all_rare_words_dev_173() -> None:
    titles = [*TITLES, *[f"sort a word{number}" for number in range(50)]]
    free, charged = (
        train_comment_model(titles, options(unknown_words=own), seed=1)
        for own in ("free", "charged")
    )
    known = "sort a map"
    assert free.score([known])[0] == charged.score([known])[0]
    comment = "sort a frobnicator"
    # The same sum over one word more, whose mark costs at least its share of the rare ones.
    told = charged.score([comment])[0] * 4 - free.score([comment])[0] * 3
    assert told > math.log(50)
    with pytest.raises(ConfigurationError, match="'unknown_words: charged' needs 'loss_over: all'"):
        options(unknown_words="charged", loss_over="known_words")


def test_sampled_scores_depend_on_the_seed_and_the_text_alone_dev_174(model: CommentModel) -> None:
    sampled = train_comment_model(TITLES, options(z="sampled"), seed=1)
    assert sampled.score(COMMENTS[:9]).tobytes() == sampled.score(COMMENTS)[:9].tobytes()
    assert (sampled.score(COMMENTS[:9]) != model.score(COMMENTS[:9])).all()


def test_an_unknown_first_word_is_lemmatised_dev_176(model: CommentModel) -> None:
    assert model.score(["Sorts a map"]) == model.score(["sort a map"])
    assert model.score(["Maps a sorts"]) != model.score(["map a sort"])


@pytest.mark.parametrize(
    ("titles", "message"),
    [
        ([], "0 titles have a word, and training needs 20"),
        (["sort a list", "  "] * 12, "12 titles have a word"),
        ([f"word{number}" for number in range(30)], "no word occurs 2 times"),
    ],
)
def test_too_few_titles_end_in_one_line(titles: list[str], message: str) -> None:
    with pytest.raises(DataError, match=message):
        train_comment_model(titles, options(), seed=1)


def test_a_loss_that_is_no_number_ends_in_one_line() -> None:
    with pytest.raises(ConfigurationError, match=r"not a finite number in epoch .*'learning_rate'"):
        train_comment_model(TITLES, options(learning_rate=1e30), seed=1)


def test_files_that_do_not_fit_each_other_end_in_one_line(
    model: CommentModel, tmp_path: Path
) -> None:
    model.save(tmp_path / "model")
    path = tmp_path / "model" / "vocabulary.json"
    words = read_json(path)
    swapped = [*words["words"][:-2], *words["words"][:-3:-1]]
    for broken in ({**words, "words": swapped}, {"words": 3}, [], "text"):
        write_json(path, broken)
        with pytest.raises(DataError, match="its files do not fit each other") as caught:
            CommentModel.load(tmp_path / "model")
        assert "\n" not in str(caught.value)
    write_json(path, words)
    path = tmp_path / "model" / "weights.safetensors"
    tensors, named = read_tensors(path)
    about = tmp_path / "model" / "about.json"

    def write_weights() -> None:
        write_tensors(path, tensors, named)
        write_json(about, read_json(about) | {"weights_sha256": hash_bytes(path.read_bytes())})

    del tensors["writer.bias_ih"]
    write_weights()
    with pytest.raises(DataError, match="other tensors than its options and vocabularies ask for"):
        CommentModel.load(tmp_path / "model")
    tensors["writer.bias_ih"] = np.full(24, np.nan, np.float32)
    write_weights()
    with pytest.raises(DataError, match="not finite"):
        CommentModel.load(tmp_path / "model")
