"""Studies: models with changed options as rows, and the table of what a change does."""

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
import yaml

from ncsbench.base.files.csv_tables import read_rows
from ncsbench.errors import ConfigurationError
from ncsbench.evaluation.measures.per_question import write_per_question
from ncsbench.evaluation.measures.results import Judge
from ncsbench.pipeline.runs.run import RunConfiguration, load_run
from ncsbench.studies.ncsed.study_table import STUDY_COLUMNS, write_study
from ncsbench.studies.ncsed.table_settings import TableSettings
from tests.refusals import one_line

MODELS = ["bm25", "ncs", "unif_github_c"]


def load(project: Path, name: str, study: Any = None, **more: Any) -> RunConfiguration:
    if study is not None:
        (project / f"config/studies/{name}.yaml").write_text(yaml.safe_dump(study, sort_keys=False))
    given = {"dataset": "sample", "models": MODELS, "study": name, **more}
    return load_run(given, root=project)


def test_rows_of_a_study_are_their_bases_with_some_keys_changed(project: Path) -> None:
    change = {"unif_github_c": {"hinge": {"training": {"loss": "hinge"}}}, "bm25": {"k2": {}}}
    run = load(project, "mine", {"change": change, "seeds": [7]})
    assert run.trial == "mine"
    assert list(run.models)[3:] == ["unif_github_c", "bm25", "unif_github_c-hinge", "bm25-k2"]
    base, changed = run.models["unif_github_c"], run.models["unif_github_c-hinge"]
    learnt, trained = base.learns.training, changed.learns.training
    assert learnt is not None and trained == learnt.changed(loss="hinge")
    assert changed.published_as == "" and base.published_as
    assert run.variants.replicates["unif_github_c-hinge"] == ["unif_github_c-hinge-seed7"]
    assert run.variants.ablations == []
    table = run.settings["sample/settings/trials/mine/table.json"]
    assert table["comparisons"] == [
        ["unif_github_c-hinge", "unif_github_c"],
        ["bm25-k2", "bm25"],
    ]
    assert table["baseline"] == "unif_github_c"
    # What the rows of the dataset's tables are made with is theirs.
    whole = load_run({"dataset": "sample", "models": MODELS}, root=project)
    shared = {name for name in whole.settings if "/models/" in name}
    assert {name for name in shared if run.settings.get(name) != whole.settings[name]} <= {
        "sample/settings/models/unif_github_c.json"
    }


def test_every_study_of_the_checkout_can_be_made_of_the_sample(project: Path) -> None:
    names = sorted(path.stem for path in (project / "config/studies").iterdir())
    assert "hard_negatives" in names
    for name in names:
        assert load(project, name).left_out == {}


@pytest.mark.parametrize(
    ("study", "message"),
    [
        ({}, "config/studies/mine.yaml: missing key 'change'"),
        ({"change": {}}, "config/studies/mine.yaml: change"),
        ({"change": {"bm26": {"a": {}}}}, "'bm26' is no model; did you mean 'bm25'?"),
        ({"change": {"bm25": {"a b": {}}}}, "mine.yaml: change.bm25.a b: the name may have"),
        (
            {"change": {"bm25": {"a": {"options": {"querry": "counts"}}}}},
            "mine.yaml: change.bm25.a: unknown key 'options.querry'; did you mean 'query'",
        ),
        ({"change": {"bm25": {"a": 3}}}, "change.bm25.a: 3 is not of type 'object'"),
        (
            {"change": {"bm25": {"counts": {"options": {"k1": 1}}}}},
            "mine.yaml: change.bm25.counts has the name of another change in ",
        ),
        ({"change": {"bm25": {"a": {}}}, "seeds": [3, 3]}, "seeds"),
    ],
)
def test_mistakes_in_a_study_end_in_one_line(
    project: Path, study: dict[str, Any], message: str
) -> None:
    with one_line(ConfigurationError, message):
        load(project, "mine", study)


def test_a_change_that_changes_nothing_is_said(project: Path) -> None:
    change = {"bm25": {"same": {"options": {"k1": 1.5}}, "other": {"options": {"k1": 0.9}}}}
    (said, _) = load(project, "mine", {"change": change}).notices
    assert said.endswith("change.bm25.same changes nothing here: bm25-same is made as bm25 is")


def test_a_study_has_no_trial_beside_it(project: Path) -> None:
    with pytest.raises(ConfigurationError, match="leave out 'trial=other'"):
        load(project, "words", trial="other")
    assert load(project, "words", trial="words").trial == "words"


def test_an_unknown_study_is_said_with_the_nearest(project: Path) -> None:
    with pytest.raises(ConfigurationError, match="'postrnk' is no study; did you mean 'postrank'"):
        load(project, "postrnk")


def test_a_model_file_may_be_like_one_that_is_like_another(project: Path) -> None:
    (project / "config/models/mine.yaml").write_text("like: ncs_100\nembedding: {window: 9}\n")
    found = load_run({"dataset": "sample", "models": ["mine", "ncs_100"]}, root=project).models
    mine, like = (found[name].learns.embedding for name in ("mine", "ncs_100"))
    assert mine is not None and like is not None
    assert mine == like.changed(window=9)
    (project / "config/models/other.yaml").write_text("like: mine\n")
    (project / "config/models/mine.yaml").write_text("like: other\n")
    with pytest.raises(ConfigurationError, match=r"like: mine\.yaml is made like this file"):
        load_run({"dataset": "sample", "models": ["mine"]}, root=project)


def make_table(folder: Path, ranks: dict[str, list[int]]) -> list[dict[str, str]]:
    count = len(next(iter(ranks.values())))
    questions = pa.table(
        {
            "query_id": pa.array(range(1, count + 1), pa.int32()),
            "stackoverflow_id": [str(number) for number in range(count)],
        }
    )
    write_per_question(
        folder / "per_question.parquet",
        questions=questions,
        first_ranks={
            Judge("dice", 0.25): {name: np.array(of, np.int32) for name, of in ranks.items()}
        },
        replicate_of={name: name.partition("-seed")[0] for name in ranks if "-seed" in name},
        published_ranks={},
    )
    settings = TableSettings.parse(
        {
            **{"dataset": "tiny", "models": [], "ablations": [], "other_judges": []},
            **{"comparisons": [["a-x", "a"], ["a-y", "a"]], "baseline": "a"},
            "bootstrap_samples": 1000,
        },
        where="test",
    )
    write_study(settings, folder / "per_question.parquet", folder / "study.csv")
    return read_rows(folder / "study.csv", STUDY_COLUMNS)


def test_figures_are_means_over_questions_and_seeds(tmp_path: Path) -> None:
    ranks = {
        "a": [1, 2, 0, 0],
        "a-seed7": [1, 1, 0, 0],
        "a-x": [1, 1, 1, 1],
        "a-x-seed7": [1, 1, 1, 1],
        "a-y": [1, 2, 0, 0],
        "a-y-seed7": [1, 1, 0, 0],
        "b": [1, 1, 1, 1],
    }
    rows = {(row["model"], row["measure"]): row for row in make_table(tmp_path, ranks)}
    assert {model for model, _ in rows} == {"a", "a-x", "a-y"}  # b is in no comparison
    base, better, same = (rows[name, "mrr"] for name in ("a", "a-x", "a-y"))
    assert (base["value"], base["runs"], base["questions"]) == ("0.437500", "2", "4")
    assert (base["baseline"], base["difference"], base["p"]) == ("", "", "")
    assert (better["value"], better["baseline_value"]) == ("1.000000", "0.437500")
    assert better["difference"] == "0.562500"
    # Paired by question and by seed: the same ranks have no difference in any resample.
    assert (same["difference_low"], same["difference_high"]) == ("0.000000", "0.000000")
    assert same["p"] == same["p_holm"] == "1"
    answered = rows["a-x", "answered_1"]
    assert (answered["value"], answered["baseline_value"]) == ("4", "1.5")
    for measure in ("mrr", "answered_1", "answered_5", "answered_10"):
        pair = [rows[f"a-{change}", measure] for change in "xy"]
        assert [float(row["p_holm"]) for row in pair] == [
            pytest.approx(min(1.0, 2 * float(pair[0]["p"])), rel=1e-3),
            1.0,
        ]


def test_a_study_of_one_seed_has_the_differences_of_the_tables(tmp_path: Path) -> None:
    """The bootstrap's interval of the difference is that of ``rank_figures.compare_shares``."""
    from ncsbench.evaluation.measures.rank_figures import compare_shares, share_ranks
    from ncsbench.evaluation.statistics.resampling import Sampling

    draw = np.random.default_rng(3)
    ranks = {name: draw.integers(0, 12, 30).tolist() for name in ("a", "a-x", "a-y")}
    table = make_table(tmp_path, ranks)
    expected = compare_shares(
        share_ranks({(name,): np.array(of, np.int32) for name, of in ranks.items()}),
        ["model"],
        [("a-x", "a"), ("a-y", "a")],
        Sampling(2019, 1000),
    )
    names = ["model", "measure", "difference", "difference_low", "difference_high"]
    found = {tuple(row[name] for name in names) for row in table if row["baseline"]}
    assert found == set(expected[names].itertuples(index=False, name=None))
