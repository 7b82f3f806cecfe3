"""A run whose tables are explained, and what is said of them."""

import shutil
from pathlib import Path

import pytest

from ncsbench.pipeline.provenance.explanation import Explanation, explain_table, format_explanation
from ncsbench.pipeline.provenance.job_graph import write_provenance
from ncsbench.pipeline.provenance.lineage import Checkout
from tests.unit import made_up_run
from tests.unit.made_up_run import METADATA, TABLE

COPY = Path("results/table1.csv")


def begin_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Make a run with its provenance in a folder, and go there."""
    monkeypatch.chdir(tmp_path)
    here = Checkout("0.1.0", "1a" * 20)  # whatever the state of this one
    monkeypatch.setattr("ncsbench.pipeline.provenance.job_graph.describe_checkout", lambda: here)
    made_up_run.make_run()
    describe()
    shutil.copy2(TABLE, COPY)


def describe() -> None:
    write_provenance(
        Path("results/toy/provenance.json"),
        tables=[Path(TABLE)],
        dataset="toy",
        metadata=METADATA,
        settings=made_up_run.SETTINGS,
    )


def explain(row: str | None = None, column: str | None = None, table: Path = COPY) -> Explanation:
    return explain_table(table, row=row, column=column)


def show(explanation: Explanation) -> list[str]:
    return list(format_explanation(explanation))
