"""Frames of results: read from files, or made of a run, with the corpus that their ids are of."""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from ncsbench.artifacts.corpus_stamps import one_corpus
from ncsbench.artifacts.hashes import check_file
from ncsbench.artifacts.renamed_columns import rename_header
from ncsbench.artifacts.storage import read_corpus_hash
from ncsbench.errors import ConfigurationError, DataError
from ncsbench.runs.rankings import Run, ranks_in_run
from ncsbench.runs.trec_files import read_run

CORPUS = "ncsbench.corpus"
"""Key in ``DataFrame.attrs``: the path of whose corpus, and its hash."""


def read_table(path: str | Path) -> pd.DataFrame:
    """Read what a run wrote: a table as CSV or Parquet, or a ranking as a TREC run.

    Raises:
        DataError: where there is no such file, or it is damaged.
        ConfigurationError: for a file of another kind.
    """
    file = Path(path)
    if file.suffix not in {".csv", ".parquet", ".trec", ".gz"}:
        raise ConfigurationError(f"{path}: is no table; give a .csv, .parquet, .trec or .trec.gz")
    check_file(file)
    try:
        if file.suffix == ".parquet":
            return mark_corpus(pd.read_parquet(file), file, read_corpus_hash(file))
        if file.suffix == ".csv":
            # Empty is unknown; texts such as NF and None are what they say.
            frame = pd.read_csv(file, keep_default_na=False, na_values=[""])
            return frame.set_axis(rename_header(file, list(frame.columns)), axis="columns")
        with one_corpus() as noted:
            frame = show_run(read_run(file))
        return mark_corpus(frame, file, noted[0][1] if noted else "")
    except OSError as error:
        raise DataError(f"{path}: cannot be read ({error.strerror})") from error
    except ValueError as error:
        raise DataError(f"{path}: is damaged ({error})") from error


def mark_corpus(frame: pd.DataFrame, source: Path, corpus_hash: str) -> pd.DataFrame:
    """The frame, which remembers to which corpus its method ids belong where that is known."""
    if corpus_hash:
        frame.attrs[CORPUS] = [str(source), corpus_hash]
    return frame


def show_run(run: Run) -> pd.DataFrame:
    """A run as a frame of ``query_id``, ``rank``, ``method_id`` and ``score``."""
    ranks = ranks_in_run(run)
    columns = {"query_id": run.query_ids, "rank": ranks, "method_id": run.ids, "score": run.scores}
    return pd.DataFrame(columns)
