"""The sentence that says which row of a Table 1 is best, from the figures alone."""

import shutil
from pathlib import Path

import numpy as np
import pytest

from ncsbench.apps.shown_tables.best_row import (
    BestRow,
    describe_best_rows,
    find_best_rows,
    pack_answer,
)
from ncsbench.apps.shown_tables.shown_table import format_any_table
from ncsbench.base.files.csv_tables import read_headed_rows, write_rows
from ncsbench.errors import DataError
from ncsbench.evaluation.measures.row_differences import read_first_ranks

RESULTS = Path(__file__).parents[3] / "results" / "ncsed_383"


@pytest.fixture(scope="module")
def found() -> list[BestRow]:
    return find_best_rows(RESULTS / "table1.csv")


def test_best_rows_are_those_of_the_table(found: list[BestRow]) -> None:
    _, rows = read_headed_rows(RESULTS / "table1.csv")
    chance = {"random", "random_long", "longest_first", "ceiling"}
    rows = [row for row in rows if row["questions"] and row["model"] not in chance]
    assert [one.judge for one in found] == ["strict", "lenient"]
    for one, column in zip(found, ("strict_mrr", "mrr"), strict=True):
        ranked = sorted(rows, key=lambda row, by=column: -float(row[by]))  # type: ignore[misc]
        assert (one.model, one.following) == (ranked[0]["model"], ranked[1]["model"])
        assert one.value == float(ranked[0][column])
        difference = float(ranked[0][column]) - float(ranked[1][column])
        assert one.difference == pytest.approx(difference, abs=2e-6)
        assert one.difference_low < one.difference < one.difference_high
        assert one.low < one.value < one.high
        assert one.questions == 287


def test_the_smallest_difference_is_that_of_a_power_of_80_percent(found: list[BestRow]) -> None:
    """A normal mean of this spread is shown in 80 of 100 samples, to the error of 4,000 samples."""
    _, ranks = read_first_ranks(RESULTS)
    by_name = {(judge.similarity, name): one for (judge, name), one in ranks.items()}
    one = found[0]
    first, second = (by_name["dice", name] for name in (one.model, one.following))
    shares = [np.where(ranks > 0, 1 / np.maximum(ranks, 1), 0) for ranks in (first, second)]
    spread = np.std(shares[0] - shares[1], ddof=1)
    means = np.random.default_rng(0).normal(one.smallest, spread / np.sqrt(len(first)), 4000)
    assert np.mean(means > 1.96 * spread / np.sqrt(len(first))) == pytest.approx(0.8, abs=0.03)


def test_rows_that_are_not_shown_to_differ_are_named(found: list[BestRow]) -> None:
    strict, lenient = found
    assert strict.same == ()
    assert "ncs_postrank" in lenient.same
    text = describe_best_rows(found)
    assert text.startswith("Best on 287 questions under the strict judge, which does not reward ")
    assert f": fused_parts, MRR {strict.value:.3f} (95 %: " in text
    assert f"above the next model, {strict.following} (95 %: " in text
    assert f"p {strict.p:.2g}, corrected for all models)." in text and strict.p < 0.05
    assert "which cannot be distinguished from ncs_postrank, " in text
    assert f"a difference of {strict.smallest:.2f} is found in four cases of five" in text


def test_the_packed_answer_has_the_sentence_and_its_figures(found: list[BestRow]) -> None:
    packed = pack_answer(found, str.upper)
    assert packed is not None
    assert "FUSED_PARTS" in packed["text"]
    assert packed["judges"][0]["model"] == "fused_parts"
    assert pack_answer([], str) is None


def test_one_comparable_row_has_no_answer(tmp_path: Path) -> None:
    _copy(tmp_path, keep={"random", "bm25", "ceiling"})
    assert find_best_rows(tmp_path / "table1.csv") == []
    assert describe_best_rows([]) == ""


def test_a_table_of_another_run_is_refused(tmp_path: Path) -> None:
    _copy(tmp_path, rename={"bm25": "bm26"})
    with pytest.raises(DataError, match=r"has no ranks of bm26, which table1\.csv has"):
        find_best_rows(tmp_path / "table1.csv")


def test_the_copy_of_a_table_has_the_answer_of_its_dataset(tmp_path: Path) -> None:
    _copy(tmp_path)
    (tmp_path / "ncsed_383").mkdir()
    for path in list(tmp_path.glob("*.*")):
        shutil.copyfile(path, tmp_path / "ncsed_383" / path.name)
    (tmp_path / "per_question.parquet").unlink()
    assert "Best on 287 questions" in format_any_table(tmp_path / "table1.csv", brief=True)
    assert "Best on" not in format_any_table(tmp_path / "table1.csv")


def _copy(
    folder: Path, *, keep: set[str] | None = None, rename: dict[str, str] | None = None
) -> None:
    for name in ("table1.csv", "table1_long.csv"):
        header, rows = read_headed_rows(RESULTS / name)
        kept = [row for row in rows if keep is None or not row["model"] or row["model"] in keep]
        renamed = [{**row, "model": (rename or {}).get(row["model"], row["model"])} for row in kept]
        write_rows(folder / name, header, renamed)
    shutil.copyfile(RESULTS / "per_question.parquet", folder / "per_question.parquet")
