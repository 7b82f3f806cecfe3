"""Trees that rank candidates: features and judgements as files, training, saving, loading."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from typer.testing import CliRunner

from ncsbench.aroma.similarity_names import SIMILARITIES
from ncsbench.artifacts.corpus_stamps import one_corpus
from ncsbench.artifacts.storage import write_json, write_table
from ncsbench.cli.learning_to_rank import app
from ncsbench.errors import ConfigurationError, DataError
from ncsbench.judge.judgement_schemas import JUDGEMENT_SCHEMA
from ncsbench.learning_to_rank.feature_schema import feature_schema, iterate_features, read_groups
from ncsbench.learning_to_rank.gains import label_candidates
from ncsbench.learning_to_rank.tree_options import GainOptions, TreeSettings
from ncsbench.learning_to_rank.tree_training import (
    draw_candidates,
    first_right_ranks,
    train_trees,
)
from ncsbench.learning_to_rank.trees import TREES, load_trees, read_about, save_trees
from ncsbench.pairs.thread_parts import THREAD_PART_SCHEMA

GROUPS = {"fusion": "ranks", "signal": "coverage", "noise": "coverage", "words": "query"}
TINY = {
    **{"rounds": 20, "leaves": 4, "minimum_in_leaf": 5, "learning_rate": 0.2},
    **{"feature_share": 1, "l2": 0, "gains": {"default": 1, "strict": 2, "both": 2}},
}
PART_OF = {0: "fold0", 1: "fold1", 2: "selection"}
Row = tuple[int, int, dict[str, float]]


def settings(**options: Any) -> TreeSettings:
    return TreeSettings.parse(TINY | options, where="settings")


def write_features(
    path: Path, rows: list[Row], groups: dict[str, str] = GROUPS, corpus: str = "c0" * 20
) -> Path:
    columns = {"query_id": [row[0] for row in rows], "method": [row[1] for row in rows]}
    values = {name: [row[2].get(name, 0.0) for row in rows] for name in groups}
    schema = feature_schema(groups)
    write_table(path, pa.table({**columns, **values}), schema, corpus_hash=corpus)
    return path


def write_judgements(path: Path, judged: dict[tuple[int, int], tuple[float, float]]) -> Path:
    """Similarities of the default and the strict judge by thread and method."""
    rows = [
        dict.fromkeys(SIMILARITIES, 0.0)
        | {"query_id": pair[0], "id": pair[1], "pruned_jaccard_leaf": one, "dice": other}
        for pair, (one, other) in sorted(judged.items())
    ]
    table = pa.Table.from_pylist(rows, JUDGEMENT_SCHEMA)
    write_table(path, table, JUDGEMENT_SCHEMA, corpus_hash="c0" * 20)
    return path


def write_parts(path: Path, threads: list[int]) -> Path:
    rows = [
        {"query_id": thread, "part": PART_OF[thread % 3], "group": thread} for thread in threads
    ]
    write_table(path, pa.Table.from_pylist(rows, THREAD_PART_SCHEMA), THREAD_PART_SCHEMA)
    return path


def make_threads(
    folder: Path, threads: int = 60, candidates: int = 12
) -> tuple[list[Path], list[Path], Path]:
    """Threads of which the right candidate has the highest ``signal``; thread 1 has none."""
    rng = np.random.default_rng(7)
    rows: dict[int, list[Row]] = {0: [], 1: [], 2: []}
    judged = {}
    for thread in range(1, threads + 1):
        right = int(rng.integers(candidates))
        for method in range(candidates):
            is_right = method == right and thread > 1
            signal = rng.random() + (0.5 if is_right else 0)
            values = {"fusion": rng.random(), "signal": signal, "noise": rng.random(), "words": 3.0}
            rows[thread % 3].append((thread, method, values))
            judged[thread, method] = (0.3, 0.3) if is_right else (0.25, 0.2)
    features = [write_features(folder / f"{PART_OF[n]}.parquet", rows[n]) for n in rows]
    parts = write_parts(folder / "thread_parts.parquet", list(range(1, threads + 1)))
    return features, [write_judgements(folder / "judged.parquet", judged)], parts


def test_features_say_their_names_and_groups_themselves(tmp_path: Path) -> None:
    path = write_features(tmp_path / "f", [(1, 4, {"fusion": 0.5, "noise": 2.0}), (1, 9, {})])
    assert list(read_groups(path).items()) == list(GROUPS.items())
    (block,) = iterate_features(path, GROUPS)
    assert block.dtype == np.float32
    assert block.tolist() == [[0.5, 0, 2, 0], [0, 0, 0, 0]]


@pytest.mark.parametrize("name", ["", "Rank", "a b", "method", 'a"', "1st"])
def test_a_feature_has_a_plain_name(name: str) -> None:
    with pytest.raises(DataError, match="names of features and groups are lower-case"):
        feature_schema({name: "ranks"})


def test_another_file_is_no_file_of_features(tmp_path: Path) -> None:
    path = write_parts(tmp_path / "parts", [1])
    with pytest.raises(DataError, match=r"parts: is no file of features"):
        read_groups(path)
    with pytest.raises(DataError, match=r"absent: cannot be read as Parquet"):
        read_groups(tmp_path / "absent")


def test_a_value_that_is_no_number_is_refused_by_its_name(tmp_path: Path) -> None:
    path = write_features(tmp_path / "f", [(1, 4, {"noise": float("nan")})])
    with pytest.raises(DataError, match=r"f: noise has a value that is no finite number"):
        list(iterate_features(path, GROUPS))


def test_a_gain_depends_on_who_accepts_a_candidate(tmp_path: Path) -> None:
    judged = {(1, 5): (0.25, 0.25), (1, 6): (0.26, 0.0), (2, 5): (0.0, 0.3), (2, 6): (0.9, 0.9)}
    path = write_judgements(tmp_path / "j", judged)
    table = pa.parquet.read_table(path)
    labels = label_candidates(
        np.array([2, 1, 1, 2], np.int32), np.array([6, 5, 6, 5]), table, settings()
    )
    assert labels.count_gains(GainOptions()).tolist() == [2, 0, 0, 1]
    higher = GainOptions(default=1, strict=3, both=4)
    assert labels.count_gains(higher).tolist() == [4, 0, 1, 3]


def test_a_candidate_without_judgement_ends_in_one_line(tmp_path: Path) -> None:
    table = pa.parquet.read_table(write_judgements(tmp_path / "j", {(1, 5): (0.3, 0.3)}))
    with pytest.raises(DataError, match=r"method 6 for query 1: .* was not judged"):
        label_candidates(np.array([1], np.int32), np.array([6]), table, settings())
    none = table.slice(0, 0)
    with pytest.raises(DataError, match=r"method 6 for query 1"):
        label_candidates(np.array([1], np.int32), np.array([6]), none, settings())


def test_right_candidates_stay_and_wrong_ones_are_drawn_by_the_seed() -> None:
    query_ids = np.repeat(np.array([1, 2, 4], np.int32), [50, 50, 3])
    right = np.zeros(len(query_ids), np.bool_)
    right[[3, 7, 101]] = True
    kept = draw_candidates(query_ids, right, 10, seed=1)
    assert kept[right].all()
    counts = [int(kept[query_ids == thread].sum()) for thread in (1, 2, 4)]
    assert counts == [12, 0, 3]  # no candidate of a thread without a right one
    assert (kept == draw_candidates(query_ids, right, 10, seed=1)).all()
    assert (kept != draw_candidates(query_ids, right, 10, seed=2)).any()


def test_ranks_are_by_score_and_then_by_ascending_id() -> None:
    query_ids = np.array([2, 2, 2, 1, 1, 3], np.int32)
    methods = np.array([7, 5, 6, 1, 2, 1])
    scores = np.array([0.5, 0.5, 0.9, 0.1, 0.2, 0.0])
    right = np.array([True, False, False, True, True, False])
    assert first_right_ranks(query_ids, methods, scores, right).tolist() == [1, 3, 0]


def test_a_planted_signal_is_learnt(tmp_path: Path) -> None:
    trees, about = train_trees(*make_threads(tmp_path), settings())
    part = about.parts["selection"]
    assert (part.threads, part.candidates) == (20, 240)
    for record in (part.default, part.strict):
        assert (record.right, record.threads) == (20, 20)
        assert record.mrr > 0.6
        assert record.compared_mrr < 0.4
    assert "test" not in about.parts
    training = about.training
    assert (training.threads, training.threads_without_right) == (39, 1)
    assert (training.candidates, training.right) == (39 * 12, 39)
    gains = {feature.name: feature.gain for feature in about.features}
    assert max(gains, key=lambda name: gains[name]) == "signal"
    assert gains["words"] == 0  # it is the same for all candidates
    assert about.corpus == "c0" * 20
    better = np.zeros((2, 4), np.float32)
    better[1, 1] = 1.4
    worse, best = trees.predict(better)
    assert best > worse


def test_trees_that_are_loaded_score_as_those_that_were_trained(tmp_path: Path) -> None:
    features, judgements, parts = make_threads(tmp_path)
    trees, about = train_trees(features, judgements, parts, settings(left_out=["fusion"]))
    save_trees(tmp_path / "trees", trees, about)
    loaded = load_trees(tmp_path / "trees", list(GROUPS))
    (block,) = iterate_features(features[2], GROUPS)
    expected = trees.predict(block)
    assert (loaded.predict(block) == expected).all()
    # A candidate's score is that of its features, whatever others are beside it.
    alone = [float(loaded.predict(block[row : row + 1])[0]) for row in range(len(block))]
    assert alone == expected.tolist()
    assert loaded.predict(block[:0]).tolist() == []
    block[:, 0] = 100  # what is left out does not count
    assert (loaded.predict(block) == expected).all()


def test_the_same_input_gives_the_same_bytes(tmp_path: Path) -> None:
    made = make_threads(tmp_path)
    for name in ("one", "two"):
        save_trees(tmp_path / name, *train_trees(*made, settings(negatives=4)))
    for name in (TREES, "about.json"):
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()
    other, _ = train_trees(*made, settings(negatives=4, seed=1))
    assert other.text.encode() != (tmp_path / "one" / TREES).read_bytes()


def test_features_and_groups_can_be_left_out(tmp_path: Path) -> None:
    made = make_threads(tmp_path)
    _, about = train_trees(*made, settings(left_out=["coverage"]))
    assert [feature.seen for feature in about.features] == [True, False, False, True]
    assert [feature.splits for feature in about.features][1:3] == [0, 0]
    with pytest.raises(ConfigurationError, match=r"left_out: 'sinal' is no feature.*'signal'"):
        train_trees(*made, settings(left_out=["sinal"]))
    with pytest.raises(ConfigurationError, match="no feature is left"):
        train_trees(*made, settings(left_out=["ranks", "coverage", "query"]))
    with pytest.raises(ConfigurationError, match=r"compared: 'rff' is no feature"):
        train_trees(*made, settings(compared="rff"))


@pytest.mark.parametrize(
    ("features", "said"),
    [
        (["fusion", "signal", "words"], "gone noise"),
        ([*GROUPS, "size"], "new size"),
        (["signal", "fusion", "noise", "words"], "the same in another order"),
    ],
)
def test_trees_of_another_list_of_features_are_refused(
    tmp_path: Path, features: list[str], said: str
) -> None:
    save_trees(tmp_path / "trees", *train_trees(*make_threads(tmp_path), settings()))
    with pytest.raises(DataError, match=rf"another list of features \({said}\); train them again"):
        load_trees(tmp_path / "trees", features)


def test_damaged_trees_never_reach_lightgbm(tmp_path: Path) -> None:
    folder = tmp_path / "trees"
    save_trees(folder, *train_trees(*make_threads(tmp_path), settings()))
    text = (folder / TREES).read_text()
    (folder / TREES).write_text(text.replace("left_child=", "left_child=99999 "))
    with pytest.raises(DataError, match=r"is not the file that about\.json speaks of"):
        load_trees(folder, list(GROUPS))
    (folder / TREES).unlink()
    with pytest.raises(DataError, match=r"trees.txt: cannot be read"):
        load_trees(folder, list(GROUPS))
    (folder / "about.json").write_text('{"features": []}')
    with pytest.raises(ConfigurationError, match=r"about.json: "):
        load_trees(folder, list(GROUPS))


def test_files_that_do_not_fit_each_other_end_in_one_line(tmp_path: Path) -> None:
    features, judgements, parts = make_threads(tmp_path)
    with pytest.raises(DataError, match=r"fold0.parquet: has thread 3, which"):
        copy = write_features(tmp_path / "copy", [(3, 0, {})])
        train_trees([copy, features[0]], judgements, parts, settings())
    with pytest.raises(DataError, match=r"other: has other features than"):
        other = write_features(tmp_path / "other", [(99, 0, {})], {"fusion": "ranks"})
        train_trees([features[0], other], judgements, parts, settings())
    with pytest.raises(DataError, match=r"few: has no thread 3, which has candidates"):
        train_trees(features, judgements, write_parts(tmp_path / "few", [1, 2]), settings())
    with pytest.raises(DataError, match=r"no thread of fold0 or fold1 .* of 0 with candidates"):
        train_trees([features[2]], judgements, parts, settings())
    with pytest.raises(DataError, match=r"unsorted: is not sorted"):
        rows: list[Row] = [(3, 1, {}), (3, 0, {})]
        train_trees([write_features(tmp_path / "unsorted", rows)], judgements, parts, settings())
    with one_corpus(), pytest.raises(DataError, match="belongs to corpus"):
        moved = write_features(tmp_path / "moved", [(99, 0, {})], corpus="ff" * 20)
        train_trees([features[0], moved], judgements, parts, settings())


def test_trees_without_a_split_are_warned_of(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    _, about = train_trees(*make_threads(tmp_path), settings(minimum_in_leaf=100000))
    assert "no tree has a split" in caplog.text
    assert 0 < about.parts["selection"].default.mrr < 1


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        (ImportError("No module named 'lightgbm'"), "`make setup`"),
        (OSError("libgomp.so.1: cannot open shared object file"), "`make tree_packages`"),
    ],
)
def test_without_lightgbm_or_libgomp_one_line_names_the_target(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fault: Exception, said: str
) -> None:
    class Finder:
        def find_spec(self, name: str, *_: object) -> None:
            if name == "lightgbm":
                raise fault

    made = make_threads(tmp_path)
    save_trees(tmp_path / "trees", *train_trees(*made, settings()))
    monkeypatch.delitem(sys.modules, "lightgbm")
    monkeypatch.setattr(sys, "meta_path", [Finder(), *sys.meta_path])
    for call in (
        lambda: load_trees(tmp_path / "trees", list(GROUPS)),
        lambda: train_trees(*made, settings()),
    ):
        with pytest.raises(ConfigurationError, match=said) as caught:
            call()
        assert "\n" not in str(caught.value)


def test_the_command_writes_trees_and_what_is_known_of_them(tmp_path: Path) -> None:
    features, judgements, parts = make_threads(tmp_path)
    write_json(tmp_path / "settings.json", settings().as_json())
    arguments = ["trees", "--settings", tmp_path / "settings.json", "--thread-parts", parts]
    for path in features:
        arguments += ["--features", path]
    arguments += ["--judgements", judgements[0], "--output", tmp_path / "trees"]
    done = CliRunner().invoke(app, [str(each) for each in arguments])
    assert done.exit_code == 0, done.output
    assert (tmp_path / "trees" / TREES).read_text().startswith("tree\n")
    about = json.loads((tmp_path / "trees" / "about.json").read_text())
    assert about["settings"]["rounds"] == 20
    assert sorted(about["parts"]) == ["fold0", "fold1", "selection"]
    assert read_about(tmp_path / "trees").training.right == 39
