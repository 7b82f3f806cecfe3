"""A filter with a language model: fitted, written, read and applied as a stream."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from ncsbench.cli.main import app
from ncsbench.errors import ConfigurationError, DataError
from ncsbench.pairs.cleaned_pairs.query_model import make_query_model
from ncsbench.pairs.cleaned_pairs.stage_settings import QueryModelSettings
from ncsbench.pairs.comment_filter.comment_filter import load_filter
from ncsbench.pairs.comment_filter.comment_lines import read_texts
from ncsbench.pairs.comment_filter.filter_fitting import parse_cut, read_options
from ncsbench.pairs.comment_filter.filter_options import VaeOptions
from tests.made_up_titles import make_titles
from tests.one_line import ends_in_one_line

MODEL = (
    "model: {epochs: 3, learning_rate: 0.01, state_size: 16, latent_size: 8, batch_size: 16}\n"
    "cut: {method: percentile, share: 0.5}\n"
)
ODD = ["this class may not be used by any caller", "the value of it was set long before that"]


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with titles, comments and options, the working directory."""
    monkeypatch.chdir(tmp_path)
    titles = make_titles(200)
    Path("titles.txt").write_text("".join(f"How to {title}?\n" for title in titles))
    Path("options.yaml").write_text(MODEL)
    comments = [f"({number}) {title}" for number, title in enumerate(titles[:40])] + ODD * 20
    lines = [json.dumps({"comment": one, "id": number}) for number, one in enumerate(comments)]
    Path("comments.jsonl").write_text("\n".join([*lines, '{"comment": "TODO"}', "nothing"]) + "\n")
    return tmp_path


def clean(*arguments: str) -> str:
    """What a command says; its exception where it fails."""
    done = CliRunner().invoke(app, ["clean", *arguments])
    if done.exception is not None:
        raise done.exception
    return done.output


def fit(*arguments: str) -> str:
    given = ["--titles", "titles.txt", "--options", "options.yaml", *arguments]
    return clean("fit", "comments.jsonl", "-o", "filter", *given)


def test_a_fitted_filter_does_the_same_when_it_is_read_again(project: Path) -> None:
    said = fit()
    assert "filter: keeps " in said and "; rules, and a language model of 169 queries" in said
    assert "reconstruction loss" in Path("filter/cut.svg").read_text()
    about = json.loads(Path("filter/filter.json").read_text())
    fitted = about["fitted"]
    assert fitted["read"] == 82 == fitted["kept"] + sum(fitted["rejected"].values())
    at = f"{about['cut']['threshold']:.2f}"
    assert said.endswith(f", cut by percentile at a loss of {at} (filter/cut.svg)\n")
    assert fitted["rejected"]["model"] > 0 and about["cut"]["share_kept"] == fitted["kept"] / 80
    assert sorted(path.suffix for path in Path("filter/model").iterdir()) == [
        *(".json", ".json", ".safetensors")
    ]
    assert not [path for path in project.iterdir() if path.name.startswith(".")]
    # What the commands say of the same comments is the same line.
    outputs = ("--output=kept.jsonl.gz", "--rejected=rejected.jsonl")
    applied = clean("apply", "comments.jsonl", "--with", "filter", *outputs)
    assert applied.splitlines()[-1] == said.splitlines()[-2]
    with gzip.open("kept.jsonl.gz") as file:
        kept = [json.loads(line) for line in file]
    rows = [json.loads(line) for line in Path("rejected.jsonl").read_text().splitlines()]
    by_model = [row for row in rows if row["reason"] == "model"]
    assert (len(kept), len(by_model)) == (fitted["kept"], fitted["rejected"]["model"])
    cut = about["cut"]["threshold"]
    one = load_filter("filter")
    again = one.judge([row["record"]["comment"] for row in by_model])
    assert [decision.loss for decision in again] == [row["loss"] for row in by_model]
    assert min(row["loss"] for row in by_model) > cut
    assert max(decision.loss or 0 for decision in one.apply(row["comment"] for row in kept)) <= cut


def test_that_unknown_words_are_free_is_said(
    project: Path, caplog: pytest.LogCaptureFixture
) -> None:
    fit()
    assert caplog.text.count("unknown words cost a comment nothing") == 1
    caplog.clear()
    Path("options.yaml").write_text(MODEL.replace("{epochs", "{unknown_words: charged, epochs"))
    fit()
    assert "unknown words" not in caplog.text


def test_options_of_the_command_line_take_the_place_of_those_of_the_file(project: Path) -> None:
    said = fit("--cut", "percentile=1", "--rules", "none")
    assert "read 82: kept 81 (0 of them changed), rejected 1: not readable 1" in said
    assert json.loads(Path("filter/filter.json").read_text())["rules"]["name"] == "none"


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("k_means", {"method": "k_means"}),
        ("percentile=0.5", {"method": "percentile", "share": 0.5}),
        ("loss=4", {"method": "loss", "highest": 4.0}),
    ],
)
def test_a_cut_is_its_method_and_a_number(text: str, values: dict[str, Any]) -> None:
    assert parse_cut(text).as_json() == values


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("percentile", "--cut: 'percentile' should be 'percentile=SHARE'"),
        ("k_means=2", "--cut: 'k_means=2' should be 'k_means'"),
        ("loss=low", "--cut: highest: 'low' is not of type 'number'"),
        ("percentile=2", "--cut: share: 2 is greater than the maximum of 1"),
        ("kmeans", "--cut: 'kmeans' is unknown; did you mean 'k_means'?"),
        ("percentil=0.5", "--cut: 'percentil' is unknown; did you mean 'percentile'?"),
        ("", "--cut: '' is unknown; known: gaussian_mixture, k_means, loss, percentile"),
    ],
)
def test_a_cut_that_is_none_ends_in_one_line(text: str, message: str) -> None:
    with ends_in_one_line(ConfigurationError, message):
        parse_cut(text)


def test_mistakes_of_options_end_in_one_line(project: Path) -> None:
    with pytest.raises(ConfigurationError, match="--cut counts for nothing without --titles"):
        clean("fit", "comments.jsonl", "-o", "filter", "--cut", "k_means")
    for given in (["--phrases", "all"], ["--options", "options.yaml"]):
        with pytest.raises(ConfigurationError, match=r"counts for nothing without --titles$"):
            clean("fit", "comments.jsonl", "-o", "filter", *given)
    with pytest.raises(DataError, match="the cut keeps none of 80 comments; their losses are from"):
        fit("--cut", "loss=0.5")
    assert not Path("filter").exists()
    Path("options.yaml").write_text("model: {epoch: 3}\n")
    with pytest.raises(ConfigurationError, match=r"unknown key 'model.epoch'; did you"):
        read_options(Path("options.yaml"))
    Path("few.txt").write_text("How to open a file?\n")
    with pytest.raises(DataError, match=r"^few.txt: model: 1 titles have a word, and train"):
        clean("fit", "comments.jsonl", "-o", "filter", "--titles", "few.txt")


def test_few_titles_of_many_hint_at_all_phrases(project: Path) -> None:
    others = make_titles(250, seed=2)
    titles = Path("titles.txt").read_text()
    Path("titles.txt").write_text(titles + "".join(f"{title}\n" for title in others))
    said = fit()
    assert "450 titles: kept 169, repeated 31, other_start 250\n" in said
    assert (
        "ncsbench: warning: titles.txt: 169 queries are too few: with fewer than 1,000 no reliable "
        "order of titles and comments was learnt (docs/cleaning.md); --phrases all takes also "
        "the 250 titles that do not begin with 'how to'\n"
    ) in said
    said = fit("--phrases", "all")
    assert "queries are too few" in said and "--phrases" not in said


def test_a_stage_that_cannot_train_names_the_file_of_titles(project: Path) -> None:
    settings = QueryModelSettings(
        model=VaeOptions(epochs=1), rules="as_published", phrases="how_to", seed=1
    )
    Path("few.txt").write_text("How to open a file?\n")
    with pytest.raises(DataError, match=r"^few.txt, phrases: how_to: model: 1 titles have a word"):
        make_query_model(settings, Path("few.txt"), checkpoint=Path("c"), output=Path("model"))
    wild = settings.changed(model={"epochs": 1, "learning_rate": 1e30})
    with pytest.raises(ConfigurationError, match=r"^titles.txt, .*not a finite number in epoch"):
        make_query_model(wild, Path("titles.txt"), checkpoint=Path("c"), output=Path("model"))


def test_a_damaged_model_ends_in_one_line(project: Path) -> None:
    fit()
    path, about = Path("filter/model/weights.safetensors"), Path("filter/filter.json")
    whole = path.read_bytes()
    path.write_bytes(whole[:-8])
    with pytest.raises(DataError, match=r"weights\.safetensors: cannot be read"):
        load_filter("filter")
    path.write_bytes(whole[:-1] + bytes([whole[-1] ^ 1]))
    with pytest.raises(DataError, match=r"model: its files do not fit .* has other bytes than"):
        load_filter("filter")
    path.write_bytes(whole)
    about.write_text(about.read_text().replace('"percentile"', '"percentil"'))
    with pytest.raises(
        ConfigurationError, match=r"filter\.json: cut\.method: 'percentil' is not one"
    ):
        load_filter("filter")


def test_titles_are_lines_or_fields(tmp_path: Path) -> None:
    plain, rows = tmp_path / "titles.txt", tmp_path / "titles.jsonl.gz"
    plain.write_bytes(b"\xef\xbb\xbfHow to a?\r\n\n{not} json\nhow \xff\n")
    assert read_texts(str(plain), "title") == (
        ["How to a?", "{not} json"],
        f"{plain}: 1 lines cannot be read; line 4: not readable: is no UTF-8",
    )
    rows.write_bytes(gzip.compress(b'{"title": "How to b?", "id": 1}\n{"id": 2}\n'))
    texts, faults = read_texts(str(rows), "title")
    assert texts == ["How to b?"] and "line 2: not readable: has no field 'title'" in faults
