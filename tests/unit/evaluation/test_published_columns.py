"""Table 1 with the published figures beside ours."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from ncsbench.base.files.csv_tables import Row
from ncsbench.errors import ConfigurationError
from ncsbench.evaluation.measures.results import Judge, ModelResult
from ncsbench.evaluation.published.systems import PublishedTable
from ncsbench.evaluation.published.verdicts import compare_cells
from ncsbench.evaluation.statistics.resampling import Sampling
from ncsbench.studies.ncsed.table1 import add_published, build_table1
from ncsbench.studies.ncsed.table1_files import CELLS, PUBLISHED_COLUMNS
from tests.published_results import model, system

RESULTS = [model("bm25", [1, 2, 0] * 7, ""), model("ncs", [1, 1, 3] * 7, "NCS")]
NONE = np.zeros(21, np.int32)


def table(published: PublishedTable, results: list[ModelResult] = RESULTS) -> list[Row]:
    cells = compare_cells(results, published, Sampling(1, 200))
    rows = build_table1(
        dataset="tiny", results=results, ceiling={"lenient": NONE},
        judges={"lenient": Judge("dice", 0.25)}, sampling=Sampling(1, 200),
    )  # fmt: skip
    return add_published(rows, results=results, published=published, cells=cells, reasons={})


def test_every_published_system_is_in_the_table_dev_80() -> None:
    systems = (system("NCS", [0, 0, 9] * 7), system("UNIF", [1, 0, 0] * 7), system("SCS", None))
    rows = table(PublishedTable(systems, np.arange(21)))
    assert [row["model"] for row in rows] == ["bm25", "ncs", "UNIF", "SCS", "ceiling"]
    assert all(tuple(row) == CELLS for row in rows)
    bm25, ncs, unif, scs, ceiling = rows
    assert {bm25[name] for name in PUBLISHED_COLUMNS} == {""} == {ceiling["published_as"]}
    assert (ncs["published_as"], ncs["published_answered_10"], ncs["printed_mrr"]) == (
        *("NCS", "7", "0.189"),
    )
    assert (ncs["difference_answered_10"], ncs["published_questions"]) == ("14", "21")
    assert ncs["verdict_answered_10"] == "different: unexplained"
    assert ncs["verdict_alone_answered_10"] == "different"
    assert ncs["verdict_answered_5"] == "not comparable: margin"
    assert (unif["trained_on"], unif["questions"], unif["answered_1"]) == ("theirs", "", "")
    assert (unif["published_answered_1"], unif["difference_answered_1"]) == ("7", "")
    assert (scs["printed_answered_1"], scs["published_answered_1"]) == ("33", "")
    assert (scs["published_questions"], scs["seeds"]) == ("", "")


def test_nothing_is_published_of_other_questions_dev_80() -> None:
    rows = table(PublishedTable((system("NCS", []), system("UNIF", [])), np.arange(0)))
    assert [row["model"] for row in rows] == ["bm25", "ncs", "ceiling"]
    assert {row[name] for row in rows for name in PUBLISHED_COLUMNS} == {""}


def test_a_model_beside_a_system_has_its_figures_and_no_verdict_dev_80() -> None:
    systems = (system("NCS", NONE.tolist()), system("UNIF", [1] * 21))
    published = PublishedTable(systems, np.arange(21))
    other = replace(model("other", [2] * 21, ""), beside="NCS")
    rows = {row["model"]: row for row in table(published, [*RESULTS, other])}
    assert list(rows) == ["bm25", "ncs", "other", "UNIF", "ceiling"]
    assert (rows["other"]["published_as"], rows["other"]["published_mrr"]) == ("NCS", "0.000000")
    assert (rows["other"]["difference_answered_5"], rows["other"]["verdict_answered_5"]) == (
        *("21", ""),
    )
    assert rows["ncs"]["verdict_answered_5"] == "not comparable: margin"
    # The figures are shown: no row of the system alone stands beside them.
    assert "NCS" not in [row["model"] for row in table(published, [RESULTS[0], other])]


def test_mistakes_in_names_end_in_one_line() -> None:
    published = PublishedTable((system("NCS", NONE.tolist()),), np.arange(21))
    with pytest.raises(ConfigurationError, match="no published system 'NSC'; choose from NCS"):
        table(published, [model("ncs", [1] * 21, "NSC")])
    with pytest.raises(ConfigurationError, match="model NCS: has the name of a published system"):
        table(published, [model("NCS", [1] * 21, "")])
