"""The judge study: what is accepted, which threshold is chosen, and its figures."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from ncsbench.aroma.similarity import UNPRUNED, similarity_of_sizes
from ncsbench.aroma.similarity_names import SIMILARITIES
from ncsbench.artifacts.csv_tables import Row, write_rows
from ncsbench.artifacts.storage import write_table
from ncsbench.errors import DataError
from ncsbench.evaluation.judged_rankings import JudgedRanking, StudyQuestions, read_judged_runs
from ncsbench.judge.judgement_schemas import JUDGEMENT_SCHEMA
from ncsbench.judge_study.study_figures import FIGURES, draw_judge_study
from ncsbench.judge_study.study_pairs import STUDY_PAIR_SCHEMA, read_study_subjects
from ncsbench.judge_study.study_settings import StudySettings
from ncsbench.judge_study.study_tables import (
    CHOICE_COLUMNS,
    CRITERIA,
    STUDY_COLUMNS,
    JudgeStudy,
    build_judge_choice,
    build_judge_study,
)
from ncsbench.runs.trec_files import write_run
from tests.ranked_runs import make_run

# Of these ids the SHA-256 is even, even, odd, odd.
IDS = ("3", "4", "1", "2")
LINES = np.array([3, 30, 300], np.int32)


def ranking(name: str, similarities: list[list[float]]) -> JudgedRanking:
    """Method 0, 1, ... at rank 1, 2, ... with the same similarity under every similarity."""
    values = np.array(similarities, np.float64)
    ids = np.where(values >= 0, np.arange(values.shape[1]), -1)
    return JudgedRanking(
        name, ids, np.repeat(np.maximum(values, 0)[None], len(SIMILARITIES), axis=0)
    )


@pytest.fixture
def study() -> JudgeStudy:
    runs = [
        ranking("random_long", [[0.0, 0.3]] * 4),
        ranking("ncs", [[0.1, 0.6], [0.8, 0.9], [0.0, 0.0], [0.2, 0.1]]),
    ]
    subjects = {
        "examples": ranking("examples", [[-1, 0.5], [0.7, 0.2], [-1, -1], [0.1, 0.1]]),
        "pairs_any": ranking("pairs_any", [[0.1, 0.4]] * 4),
        "same_longest": ranking("same_longest", [[0.05]] * 4),
    }
    return JudgeStudy(
        questions=StudyQuestions(np.array([1, 2, 3, 4], np.int32), tuple((i, 1) for i in IDS)),
        lines=LINES,
        depth=50,
        subjects=subjects,
        runs=runs,
        published=np.array([[1, 9, 9, 9], [2, 2, 9, 9], [0, 1, 9, 0], [3, 3, 9, 1]], np.int32),
        in_sheet=np.array([True, True, True, False]),
    )


def cells(study: JudgeStudy, half: str, subject: str, threshold: float = 0.25) -> Row:
    rows = build_judge_study(study, dataset="tiny", thresholds=[threshold])
    (found,) = (
        row for row in rows
        if (row["judge"], row["half"], row["subject"]) == ("dice", half, subject)
    )  # fmt: skip
    return found


def test_halves_follow_the_hash_of_the_id() -> None:
    questions = StudyQuestions(np.arange(4, dtype=np.int32), tuple((i, 1) for i in IDS))
    assert questions.halves["choosing"].tolist() == [True, True, False, False]
    assert questions.halves["reporting"].tolist() == [False, False, True, True]


def test_kept_examples(study: JudgeStudy) -> None:
    row = cells(study, "all", "examples")
    assert (row["questions"], row["answered"], row["answered_share"]) == ("3", "2", "0.666667")
    assert (row["pairs"], row["accepted"], row["accepted_share"]) == ("5", "2", "0.400000")
    assert row["mrr"] == row["spearman_NCS"] == ""
    assert cells(study, "choosing", "examples")["answered_share"] == "1.000000"
    assert cells(study, "reporting", "examples")["answered_share"] == "0.000000"


def test_random_pairs_and_missing_subjects(study: JudgeStudy) -> None:
    row = cells(study, "all", "pairs_any")
    assert (row["pairs"], row["accepted_share"], row["median_lines"]) == ("8", "0.500000", "30")
    assert cells(study, "all", "pairs_100")["accepted_share"] == ""


def test_rankings(study: JudgeStudy) -> None:
    row = cells(study, "all", "ncs")
    assert (row["answered_1"], row["answered_5"], row["mrr"]) == ("1", "2", "0.375000")
    assert (row["pairs"], row["accepted"], row["median_lines"]) == ("8", "3", "30")
    assert row["threshold"] == "0.25"
    # A similarity equal to the threshold is not accepted.
    assert cells(study, "all", "ncs", 0.8)["answered"] == "1"


def test_agreement_with_the_published_ranks(study: JudgeStudy) -> None:
    """First ranks 2, 1 and not found against 1, 2 and not found; the fourth is not in the sheet."""
    row = cells(study, "all", "ncs")
    assert row["spearman_NCS"] == "0.500000"
    assert row["spearman_UNIF_android"] == ""  # all published ranks are equal
    assert cells(study, "reporting", "ncs")["spearman_NCS"] == ""


def test_the_middle_of_the_thresholds_that_meet_the_bar_is_chosen(study: JudgeStudy) -> None:
    rows = build_judge_choice(study, dataset="tiny")
    assert [row["criterion"] for row in rows] == list(CRITERIA) * len(SIMILARITIES)
    row = rows[0]
    # Long methods are similar by 0.3, the worse of the best examples by 0.5.
    assert (row["choosing_lowest"], row["choosing_highest"], row["chosen"]) == (
        "0.3",
        "0.495",
        "0.395",
    )
    assert (row["choosing_best_kept"], row["choosing_best_examples"]) == ("2", "2")
    assert (row["reporting_best_kept"], row["reporting_best_examples"]) == ("0", "1")
    assert row["reporting_meets_criterion"] == "no"
    assert row["choosing_random_long_mrr"] == "0.000000"
    assert row["choosing_longest_first_mrr"] == ""


def test_no_threshold_is_chosen_where_none_meets_the_criterion(study: JudgeStudy) -> None:
    study.runs[0].similarities[:] = 0.6
    row = build_judge_choice(study, dataset="tiny")[0]
    assert (row["choosing_lowest"], row["choosing_highest"], row["chosen"]) == (
        "0.6",
        "0.495",
        "none",
    )
    assert row["threshold"] == "0.495"
    assert row["choosing_random_long_mrr"] == "1.000000"


def test_without_examples_there_is_no_choice(study: JudgeStudy, tmp_path: Path) -> None:
    bare = JudgeStudy(**{**vars(study), "subjects": {}})
    row = build_judge_choice(bare, dataset="tiny")[0]
    assert (row["choosing_highest"], row["chosen"], row["threshold"]) == ("", "none", "")
    rows = build_judge_study(bare, dataset="tiny", thresholds=[0.5])
    write_rows(tmp_path / "judge_study.csv", STUDY_COLUMNS, rows)
    write_rows(tmp_path / "judge_choice.csv", CHOICE_COLUMNS, [row])
    with (tmp_path / "judge_study.csv").open() as file:
        assert next(csv.DictReader(file))["subject"] == "examples"


def test_figures_are_the_same_bytes_each_time(study: JudgeStudy, tmp_path: Path) -> None:
    rows = build_judge_study(study, dataset="tiny", thresholds=[0.1, 0.25, 0.28])
    write_rows(tmp_path / "judge_study.csv", STUDY_COLUMNS, rows)
    settings = StudySettings(
        dataset="tiny", models=("random_long", "ncs"), judge="jaccard", threshold=0.25,
        own_judge="charged_overlap", own_threshold=0.28, thresholds=(), depth=50,
    )  # fmt: skip
    for folder in ("one", "two"):
        draw_judge_study(
            settings,
            table=tmp_path / "judge_study.csv",
            output=tmp_path / folder,
        )
    for name in FIGURES:
        drawn = (tmp_path / "one" / name).read_bytes()
        assert drawn == (tmp_path / "two" / name).read_bytes()
        assert b"<svg" in drawn and b"dc:date" not in drawn


def judgements(pairs: list[tuple[int, int, float]]) -> pa.Table:
    rows, ids, values = zip(*pairs, strict=True)
    return pa.table([rows, ids, *([values] * len(SIMILARITIES))], schema=JUDGEMENT_SCHEMA)


def test_rankings_are_read_with_their_judgements(tmp_path: Path) -> None:
    run = make_run(
        query_ids=np.array([2, 2, 9], np.int32), ids=np.array([5, 1, 5]),
        scores=np.array([1.0, 2.0, 3.0]), depth=50,
    )  # fmt: skip
    write_run(tmp_path / "runs" / "ncs.trec.gz", run, tag="ncs")
    write_table(
        tmp_path / "ncs.parquet",
        judgements([(2, 1, 0.1), (2, 5, 0.5), (9, 5, 0.9)]),
        JUDGEMENT_SCHEMA,
    )
    rows = np.array([1, 2], np.int32)
    options = {"query_ids": rows, "depth": 3, "results": tmp_path, "judgements": tmp_path}
    (read,) = read_judged_runs(["ncs"], **options)
    assert read.ids.tolist() == [[-1, -1, -1], [1, 5, -1]]
    assert read.similarities[0].tolist() == [[0, 0, 0], [0.1, 0.5, 0]]
    assert read.first_ranks("dice", 0.25).tolist() == [0, 2]
    write_table(tmp_path / "ncs.parquet", judgements([(2, 1, 0.1)]), JUDGEMENT_SCHEMA)
    with pytest.raises(DataError, match="method 5 of question 2 is not judged"):
        read_judged_runs(["ncs"], **options)


def test_subjects_are_as_deep_as_they_are(tmp_path: Path) -> None:
    pairs = pa.table([["a", "b", "b"], [1, 1, 1], [3, 1, 2], [4, 5, 6]], schema=STUDY_PAIR_SCHEMA)
    write_table(tmp_path / "pairs.parquet", pairs, STUDY_PAIR_SCHEMA)
    judged = judgements([(1, 4, 0.4), (1, 5, 0.5), (1, 6, 0.6)])
    write_table(tmp_path / "judgements.parquet", judged, JUDGEMENT_SCHEMA)
    read = read_study_subjects(tmp_path, np.array([1], np.int32))
    assert read["a"].ids.tolist() == [[-1, -1, 4]]
    assert read["b"].similarities[0].tolist() == [[0.5, 0.6]]


@pytest.mark.shared
def test_charged_overlap_keeps_the_best_examples_of_the_reference_scores(shared: Path) -> None:
    """Also where they lie outside the corpus at hand; similarities there have six digits."""
    best: dict[str, float] = {}
    with (shared / "data/aroma/example_scores_dev.csv").open(newline="") as file:
        for row in csv.DictReader(file):
            answer, method = int(row["n_answer_features_outer"]), int(row["n_method_features"])
            common = float(row["containment_outer"]) * answer
            value = similarity_of_sizes(
                UNPRUNED.index("charged_overlap"), common, answer, method, 1, 1, 1
            )
            id_ = row["stackoverflow_id"]
            best[id_] = max(best.get(id_, 0.0), value)
    assert (sum(value > 0.28 for value in best.values()), len(best)) == (181, 182)
