"""Model files with trees: models that search for threads, names of artifacts, mistakes."""

from __future__ import annotations

import ctypes
from importlib import metadata
from pathlib import Path

import pytest

from ncsbench.errors import ConfigurationError
from ncsbench.experiment.model_checks import check_packages, check_thread_pairs
from ncsbench.experiment.model_configuration import ModelConfiguration
from ncsbench.experiment.model_files import load_model
from ncsbench.experiment.pair_sets import name_pair_sets
from ncsbench.experiment.related_models import list_made
from ncsbench.experiment.variants import vary_seed
from ncsbench.learning_to_rank import lightgbm_library
from ncsbench.learning_to_rank.tree_options import TreeSettings
from ncsbench.own_code.chosen_models import check_learnt
from ncsbench.rankers.ranker_options import RankerSettings
from tests.unit.own_models import Load, make_loader

FUSED = """kind: fused
trained_on: threads
parts: {bm25f: fused_bm25f, unif: my_unif, translation: my_translation}
trees: {rounds: 20}
"""
SETS = ["threads_android", "threads_github"]


@pytest.fixture
def load(tmp_path: Path, root: Path, monkeypatch: pytest.MonkeyPatch) -> Load:
    """Writes model files and resolves the sample with them."""
    pairs = "{pairs: [threads_android, threads_github]}"
    sized = pairs.replace("}", ", size_pairs: [threads_android], memory: [threads_android]}")
    monkeypatch.chdir(tmp_path)
    texts = {
        "my_unif": f"like: fused_unif\ntraining: {pairs}\n",
        "my_translation": f"like: fused_translation\ntranslation: {sized}\n",
    }
    return make_loader(root, tmp_path, FUSED, texts)


def test_sizes_of_answers_and_what_is_remembered_are_without_the_fold(load: Load) -> None:
    learnt = {
        part: one.parts["translation"].translation
        for part, one in load().models["mine"].searchers.items()
    }
    expected = {
        **{part: (f"threads_android_{part}",) for part in ("fold0", "fold1")},
        "selection": ("threads_android",),
    }
    assert {part: one and one.sized for part, one in learnt.items()} == expected
    assert {part: one and one.memory for part, one in learnt.items()} == expected


def find_pairs(model: ModelConfiguration) -> dict[str, list[str]]:
    return {name: sorted(part.pair_sets) for name, part in model.parts.items()}


def test_what_searches_for_a_fold_learns_from_pairs_without_it(load: Load) -> None:
    mine = load().models["mine"]
    searchers = mine.searchers
    assert {part: one.name for part, one in searchers.items()} == {
        **{"fold0": "mine-fold0", "fold1": "mine-fold1", "selection": "mine-untrained"}
    }
    for part in ("fold0", "fold1"):
        without = [f"{name}_{part}" for name in SETS]
        assert find_pairs(searchers[part]) == {"bm25f": [], "translation": without, "unif": without}
        assert [one.name for one in searchers[part].parts.values()] == [
            f"{name}-{part}" for name in ("fused_bm25f", "my_translation", "my_unif")
        ]
    assert find_pairs(searchers["selection"]) == find_pairs(mine)
    assert all(one.trees is None for one in list_made(searchers.values()))
    assert mine.pair_sets == set(SETS)
    both = load(FUSED.replace("20", "20, parts_measured: [selection, test]")).models["mine"]
    assert both.searchers["test"] == both.searchers["selection"]
    assert load(FUSED.replace("trees:", "#")).models["mine"].searchers == {}


def test_a_run_makes_what_searches_for_threads_and_no_index_twice(load: Load) -> None:
    run = load(FUSED, "bm25")
    made = {"mine", "mine-fold0", "mine-fold1", "mine-untrained"}
    assert made <= run.indexes.keys()
    assert run.index_of["fused_bm25f-fold0"].name == "fused_bm25f"
    assert not any("-fold" in name for name in run.runs)
    Path("config/models/plain.yaml").write_text(FUSED.replace("trees:", "#"))
    run = load(FUSED, "plain")
    assert run.index_of["mine-untrained"].name == "plain"
    assert run.index_of["mine"].name == "mine"


def test_settings_are_written_by_what_they_are_of(load: Load) -> None:
    run = load(FUSED, threshold=0.3)
    mine, folder = run.models["mine"], "sample/settings"
    written = run.settings[f"{folder}/trees/{mine.trees_key}.json"]
    settings = TreeSettings.parse(written, where="here")
    assert (settings.rounds, settings.threshold, settings.seed) == (20, 0.3, 2019)
    keys = {part: one.candidates_key for part, one in mine.searchers.items()}
    assert len(set(keys.values())) == 3
    for part, key in keys.items():
        of_part = run.settings[f"{folder}/thread_features/{key}.json"]
        found = RankerSettings.parse(of_part, where="here").ranker
        assert found == mine.searchers[part].specification


def test_models_that_differ_in_their_trees_share_candidates(load: Load) -> None:
    def keys(text: str = FUSED, **given: object) -> tuple[str | None, list[str], str]:
        mine = load(text, **given).models["mine"]
        return (
            mine.trees_key,
            [one.candidates_key for one in mine.searchers.values()],
            mine.index_key,
        )

    trees, candidates, index = keys()
    same = [keys("# other\n" + FUSED), keys(FUSED.replace("20", "20, parts_measured: [selection]"))]
    assert same == [(trees, candidates, index)] * 2
    for changed in (
        keys(FUSED.replace("20", "30")),
        keys(threshold=0.3),
        keys(strict_judge="containment"),
    ):
        assert changed[1] == candidates
        assert changed[0] != trees and changed[2] != index
    for text in ("options: {depth: 100}\n", "options: {duplicates: kept}\n"):
        changed = keys(FUSED + text)
        assert changed[0] != trees and not set(changed[1]) & set(candidates)
    # An option of the queries of a part counts too.
    path = Path("config/models/my_translation.yaml")
    path.write_text(path.read_text() + "options: {own_word: 0.3}\n")
    changed = keys()
    assert changed[0] != trees and not set(changed[1]) & set(candidates)


def test_other_seeds_have_trees_of_their_own(load: Load) -> None:
    mine = load().models["mine"]
    other = vary_seed(mine, 7)
    assert other.trees_key != mine.trees_key
    assert other.tree_settings is not None and other.tree_settings.seed == 7
    assert [one.name for one in other.searchers.values()] == [
        *("mine-seed7-fold0", "mine-seed7-fold1", "mine-seed7-untrained")
    ]


def test_without_posts_a_model_with_trees_is_left_out(load: Load) -> None:
    dataset = Path("config/datasets/sample.yaml")
    text = dataset.read_text()
    without = text[: text.index("posts:")] + text[text.index("shards:") :]
    dataset.write_text(without)
    own = "kind: fused\ntrained_on: x\nparts: {bm25f: fused_bm25f}\ntrees: {}\n"
    Path("config/models/whole.yaml").write_text("kind: longest_first\ntrained_on: x\nbase: mine\n")
    run = load(own, "whole")
    reason = "its trees are trained on threads of posts, and the dataset has no 'posts'"
    assert run.left_out == {"mine": reason, "whole": reason}
    assert f"mine is left out: {reason}" in run.notices
    # Another dataset may have them.
    dataset.write_text(without + "trained_in: other\n")
    Path("data/other").mkdir(parents=True)
    with pytest.raises(ConfigurationError, match=r"has not made data/other/trees/\w{8} for the"):
        load(own)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("kind: bm25\ntrained_on: x\ntrees: {}\n", "kind bm25: takes no trees; remove its block"),
        (FUSED.replace("rounds", "round"), "unknown key 'trees.round'; did you mean 'rounds'?"),
        (FUSED.replace("rounds: 20", "parts_measured: [fold0]"), "trees.parts_measured.0: 'fold0'"),
        (FUSED.replace("rounds: 20", "parts_measured: []"), "trees.parts_measured: "),
        (
            FUSED.replace("my_unif", "unif_github_c"),
            "config/models/unif_github_c.yaml: the trees of mine need the pairs 'github_android' "
            "without the threads of fold0, and there is no set github_android_fold0; learn from "
            "sets such as threads_java (docs/threads.md#pairs-without-threads)",
        ),
        (
            FUSED.replace("bm25f:", "my-BM25:"),
            "mine.yaml: the part 'my-BM25' gives features of trees its name, which are lower-case",
        ),
        (
            FUSED.replace("my_unif", "plain"),
            "trees compare single words by the part unif, and config/models/plain.yaml keeps no "
            "vectors of the words of methods; give it 'options: {code_vectors: kept}'",
        ),
        (
            "kind: fused\ntrained_on: x\nparts: {other: inner}\ntrees: {}\n",
            "mine.yaml: its part inner has trees too, which would know the threads that these",
        ),
    ],
)
def test_mistakes_in_a_model_with_trees_end_in_one_line(
    load: Load, text: str, message: str
) -> None:
    Path("config/models/inner.yaml").write_text(FUSED)
    words = "training: {pairs: [threads_android]}\noptions: {code_vectors: left_out}\n"
    Path("config/models/plain.yaml").write_text(f"like: fused_unif\n{words}")
    with pytest.raises(ConfigurationError) as error:
        load(text)
    assert message in str(error.value) and "\n" not in str(error.value)


def test_what_trees_need_is_looked_for_before_any_job(
    load: Load, monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("config/models/whole.yaml").write_text(
        "kind: rank_fusion\ntrained_on: x\nparts: {a: mine, b: bm25}\n"
    )
    models = load(FUSED, "whole", "bm25").models

    def lack_package(name: str) -> None:
        raise metadata.PackageNotFoundError(name)

    def lack_library(name: str) -> None:
        raise OSError(f"{name}: cannot open shared object file")

    check_packages(models["mine"])
    for place, name, fault, said in (
        (lightgbm_library, "distribution", lack_package, "trees need LightGBM .* `make setup`"),
        (ctypes, "CDLL", lack_library, "libgomp.so.1: cannot open .* `make tree_packages`"),
    ):
        with monkeypatch.context() as context:
            context.setattr(place, name, fault)
            for model in ("mine", "whole"):
                with pytest.raises(ConfigurationError, match=f"mine.yaml: .*{said}") as error:
                    check_packages(models[model])
                assert "\n" not in str(error.value)
            check_packages(models["bm25"])


def test_code_of_ones_own_has_no_threads(load: Load) -> None:
    own = "kind: fused\ntrained_on: x\nparts: {bm25f: fused_bm25f}\ntrees: {}\n"
    with pytest.raises(ConfigurationError, match="mine: learns from training pairs or threads; t"):
        check_learnt(load(own).models["mine"])


def test_the_shipped_model_has_all_sets_of_pairs_that_it_needs(root: Path) -> None:
    model = load_model("fused", root=root, stop_words="resources/stopwords/english.txt", seed=1)
    known = name_pair_sets(root)
    check_thread_pairs(model, known)
    assert set().union(*(one.pair_sets for one in model.searchers.values())) <= set(known)
    plain = load_model(
        "fused_parts", root=root, stop_words="resources/stopwords/english.txt", seed=1
    )
    assert model.searchers["selection"].index_key == plain.index_key
