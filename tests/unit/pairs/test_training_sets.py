"""Training sets of a cleaning experiment: losses of comments, and what is taken by them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ncsbench.base.files.storage import read_json, read_table
from ncsbench.errors import DataError
from ncsbench.pairs.cleaned_pairs.query_model import (
    LOSS_SCHEMA,
    make_query_model,
    read_losses,
    score_pairs,
)
from ncsbench.pairs.cleaned_pairs.stage_settings import LossSettings, SetSettings
from ncsbench.pairs.cleaned_pairs.training_sets import make_set
from ncsbench.pairs.comment_filter.comment_model import CommentModel
from ncsbench.pairs.comment_filter.cut import find_cut
from ncsbench.pairs.comment_filter.filter_options import CutOptions
from ncsbench.pairs.training_pairs.pair_schema import PAIR_SCHEMA
from tests.made_up_titles import make_titles
from tests.unit.pairs.test_derived_pairs import write_set

SCORED = LossSettings.parse(
    {
        "model": {"state_size": 8, "latent_size": 8, "epochs": 1},
        **{"rules": "as_published", "phrases": "all", "seed": 1},
        **{"source": "csn", "raw": {"corpus": "csn"}},
    },
    where="settings",
)
COMMENTS = [
    "Reads a <b>file</b> by name",
    "@return the list of it",
    "Sort a list in java (fast)",
    "Sets it",
    *(f"Convert a {word} to a date" for word in ("string", "map", "json", "list", "stream")),
    *(f"Gets zork {number} from the zorkery of frobs" for number in range(6)),
]
KEPT = [0, 2, *range(4, len(COMMENTS))]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Raw pairs, a model of queries, and the losses of the pairs."""
    path = tmp_path_factory.mktemp("sets")
    write_set(path / "raw.parquet", COMMENTS)
    (path / "titles.txt").write_text("\n".join(make_titles(60)) + "\n")
    model, pairs = path / "model", path / "raw.parquet"
    make_query_model(SCORED, path / "titles.txt", checkpoint=path / "checkpoint", output=model)
    losses = {"output": path / "losses.parquet", "record": path / "losses.json"}
    score_pairs(SCORED, pairs, model, **losses)
    return path


def take(folder: Path, name: str, options: dict[str, Any], **changes: Any) -> dict[str, Any]:
    """Make a set; its record with its pairs."""
    settings = {"name": name, "source": "csn", "options": options, "draw": 1}
    settings |= {"rules": "as_published", "seed": 7, "raw": {"corpus": "csn"}}
    draw = {key: changes.pop(key) for key in ("draw", "seed") if key in changes}
    files: dict[str, Any] = {"losses": folder / "losses.parquet", "size_of": None, **changes}
    make_set(
        SetSettings.parse(settings | draw, where="settings"),
        files.pop("pairs", folder / "raw.parquet"),
        **files,
        output=folder / f"{name}.parquet",
        record=folder / f"{name}.json",
    )
    rows = read_table(folder / f"{name}.parquet", PAIR_SCHEMA).to_pylist()
    return {**read_json(folder / f"{name}.json"), "rows": rows}


def numbers(found: dict[str, Any]) -> list[int]:
    return [int(row["key"].removeprefix("s:")) for row in found["rows"]]


def test_every_comment_is_scored_once_as_it_stands_and_cleaned(folder: Path) -> None:
    losses = read_losses(folder / "losses.parquet", folder / "raw.parquet").to_pylist()
    assert [n for n, row in enumerate(losses) if row["loss_cleaned"] is not None] == KEPT
    model = CommentModel.load(folder / "model")
    assert [row["loss_raw"] for row in losses] == model.score(COMMENTS).tolist()
    assert losses[0]["loss_cleaned"] == model.score(["Reads a file by name"])[0]
    assert not (folder / "checkpoint").exists()
    record = read_json(folder / "losses.json")
    assert (record["source"], record["comments"]) == ("csn", len(COMMENTS))
    assert record["settings"] == SCORED.as_json()


def test_losses_of_other_comments_are_refused(folder: Path, tmp_path: Path) -> None:
    message = "losses.parquet: has losses of other comments than .*; remove .*losses.json"
    for number, comments in enumerate(([*COMMENTS[1:], COMMENTS[0]], COMMENTS[1:])):
        other = write_set(tmp_path / f"{number}.parquet", comments)
        with pytest.raises(DataError, match=message):
            take(folder, "x", {"kind": "filtered", "cut": {"method": "k_means"}}, pairs=other)


def test_rules_alone_clean_what_they_keep_and_are_counted(folder: Path) -> None:
    found = take(folder, "rule_only", {"kind": "filtered"}, losses=None)
    assert numbers(found) == KEPT
    assert found["rows"][1]["query"] == "Sort a list in java "
    assert (found["pairs"], found["of"], found["cut"]) == (len(KEPT), len(COMMENTS), None)
    assert found["rules"]["javadoc_tags"] == {"changed": 0, "rejected": 1, "retained": 14}
    assert found["rules"]["detach_html_tags"]["changed"] == 1
    assert found["share_kept"] == len(KEPT) / len(COMMENTS)


def test_a_cut_is_found_from_what_the_rules_keep_dev_192(folder: Path) -> None:
    cut = {"method": "percentile", "share": 0.5}
    found = take(folder, "half", {"kind": "filtered", "cut": cut})
    column = read_table(folder / "losses.parquet", LOSS_SCHEMA)["loss_cleaned"].to_pylist()
    losses = np.array([column[number] for number in KEPT])
    wanted = find_cut(losses, CutOptions(method="percentile", share=0.5), seed=7)
    assert found["cut"] == wanted.as_json() and wanted.losses == len(KEPT)
    assert numbers(found) == [n for n in KEPT if column[n] <= wanted.threshold]


def test_a_cut_without_rules_judges_comments_as_they_stand_dev_192(folder: Path) -> None:
    cut = {"method": "percentile", "share": 0.9}
    found = take(folder, "model_only", {"kind": "filtered", "rules": "none", "cut": cut})
    assert found["cut"]["losses"] == len(COMMENTS) and found["rules"] == {}
    assert all(row["query"] in COMMENTS for row in found["rows"])


def test_controlled_sets_are_as_large_and_drawn_anew_dev_192(folder: Path) -> None:
    take(folder, "few", {"kind": "filtered", "cut": {"method": "percentile", "share": 0.5}})
    few, options = folder / "few.parquet", {"kind": "controlled", "size_of": "few"}
    drawn = [take(folder, f"c_{n}", options, size_of=few, draw=n) for n in (1, 2, 3)]
    assert {one["pairs"] for one in drawn} == {len(read_table(few, PAIR_SCHEMA))}
    assert len({tuple(numbers(one)) for one in drawn}) == 3
    assert all(row["query"] in COMMENTS for one in drawn for row in one["rows"])  # raw ones
    again = take(folder, "c_1", options, size_of=few, draw=1)
    assert again == drawn[0]
    with pytest.raises(DataError, match=r"few.parquet: has \d+ pairs, and a sample as large as"):
        take(folder, "c_4", options, pairs=few, size_of=folder / "raw.parquet")


def test_what_cannot_be_made_is_one_line(folder: Path) -> None:
    cut = {"method": "k_means"}
    with pytest.raises(DataError, match="the set 'x' of kind filtered needs --losses"):
        take(folder, "x", {"kind": "filtered", "cut": cut}, losses=None)
    lowest = {"method": "loss", "highest": -1.0}
    with pytest.raises(DataError, match=r"the set 'x' keeps none of 15 pairs"):
        take(folder, "x", {"kind": "filtered", "cut": lowest})
    with pytest.raises(DataError, match="the set 'x' of kind controlled needs --size-of"):
        take(folder, "x", {"kind": "controlled", "size_of": "y"})
