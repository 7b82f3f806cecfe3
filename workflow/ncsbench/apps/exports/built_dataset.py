"""A dataset that the workflow built: its folders, its judges, and the methods that they accept."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from ncsbench.base.configuration.files import read_yaml
from ncsbench.base.files.csv_tables import read_rows
from ncsbench.base.files.storage import read_table, write_json
from ncsbench.base.runs.trec_files import path_of_run
from ncsbench.corpus.layout.document_ids import iterate_places, write_document_id
from ncsbench.corpus.layout.layout import CorpusFolder
from ncsbench.errors import ConfigurationError, DataError, nearest
from ncsbench.evaluation.judge.answers import read_answers
from ncsbench.evaluation.judge.best_matches import find_matches
from ncsbench.evaluation.judge.judge_index import JudgeIndex
from ncsbench.evaluation.judge.judgement_schemas import MATCH_SCHEMA
from ncsbench.evaluation.measures.results import CEILING
from ncsbench.pipeline.files.run_options import RunOptions
from ncsbench.pipeline.runs.run import load_run
from ncsbench.pipeline.trials.trials import TRIALS
from ncsbench.posts.questions.question_schema import QUESTION_SCHEMA
from ncsbench.studies.gold.gold_methods import GOLD_SCHEMA
from ncsbench.studies.ncsed.table1_files import COLUMNS

_CONFIGURATION = Path("config/config.yaml")


@dataclass(frozen=True)
class BuiltDataset:
    """The folders of a dataset, its rows, and the judges of its results.

    Attributes:
        name: name of the dataset.
        data: ``data/<name>``.
        results: ``results/<name>``.
        rows: names of the models of its table.
        judges: by ``lenient``, ``strict`` and ``charged``: similarity and threshold to exceed;
            empty where gold alone says what is right.
        is_collection: True for documents of a collection in place of methods.
    """

    name: str
    data: Path
    results: Path
    rows: tuple[str, ...]
    judges: Mapping[str, tuple[str, float]]
    is_collection: bool = False

    @property
    def corpus(self) -> CorpusFolder:
        """The methods of the dataset."""
        return CorpusFolder(self.data / "corpus")

    def write_corpus(self, folder: Path) -> None:
        """Write ``corpus.json``, which names the corpus of an export; ``runs add`` asks for it."""
        about = {"dataset": self.name, "corpus_hash": self.corpus.manifest()["corpus_hash"]}
        write_json(folder / "corpus.json", about)

    def read_questions(self) -> pa.Table:
        """Read the questions of the dataset (``QUESTION_SCHEMA``)."""
        return read_table(self.data / "questions.parquet", QUESTION_SCHEMA)

    def find_runs(self, rows: Sequence[str] | None = None) -> dict[str, Path]:
        """Find the runs that are there, of some rows or all, by the row's name.

        Raises:
            DataError: where no run is there.
        """
        paths = {name: path_of_run(self.results, name) for name in rows or self.rows}
        present = {name: path for name, path in paths.items() if path.is_file()}
        if not present:
            raise DataError(
                f"{self.results / 'runs'}: holds no run; make the table: snakemake --cores all "
                f"results/{self.name}/table1.csv"
            )
        return present

    def list_document_ids(self) -> list[str]:
        """List the document id of every method, index = method id; of a collection its own ids."""
        if self.is_collection:
            paths = self.corpus.iterate_methods(["path"])
            return [path for table in paths for path in table["path"].to_pylist()]
        return [write_document_id(place) for place in iterate_places(self.corpus)]

    def name_queries(self, questions: pa.Table) -> dict[int, str]:
        """Name each query by its id; in a dataset with gold alone by the id of its question."""
        numbers = questions["query_id"].to_pylist()
        names = numbers if self.judges else questions["stackoverflow_id"].to_pylist()
        return dict(zip(numbers, map(str, names), strict=True))

    def list_gold(self) -> list[tuple[int, int, int]]:
        """List query id, method id and grade of gold that the corpus has; empty without gold."""
        path = self.data / "gold.parquet"
        rows = read_table(path, GOLD_SCHEMA).to_pylist() if path.is_file() else []
        grades: dict[tuple[int, int], int] = {}
        for row in rows:
            key = (row["query_id"], row["id"])
            grades[key] = max(int(row["grade"]), grades.get(key, 0))
        return [(*key, grade) for key, grade in grades.items() if key[1] >= 0]

    def find_right(self) -> pa.Table:
        """Find all methods that some judge accepts, not only methods that a model found.

        Returns:
            Shard by shard, a table of ``MATCH_SCHEMA`` whose ranks are ranks within the shard.
        """
        questions = self.read_questions()
        rows = (questions[name].to_pylist() for name in ("query_id", "answer"))
        answers = read_answers(dict(zip(*rows, strict=True)))
        limits = sorted(set(self.judges.values()))
        parts = [MATCH_SCHEMA.empty_table()]
        for shard, about in enumerate(self.corpus.manifest()["shards"] if limits else ()):
            methods = about["methods"]  # the largest number of matches: so no match is left out
            if methods:
                index = JudgeIndex(self.data / "judge_index", shard)
                parts.append(
                    find_matches(answers=answers, index=index, limits=limits, count=methods)
                )
        return pa.concat_tables(parts)

    def list_right(self, matches: pa.Table, judge: str) -> list[tuple[int, int]]:
        """List query id and method id of the matches that one of the judges accepts, ascending.

        Args:
            matches: the result of ``find_right``.
            judge: name of the judge.
        """
        similarity, threshold = self.judges[judge]
        accepted = pc.and_(
            pc.equal(matches["judge"], similarity), pc.greater(matches["similarity"], threshold)
        )
        kept = matches.filter(accepted)
        return sorted(zip(kept["query_id"].to_pylist(), kept["id"].to_pylist(), strict=True))


def open_dataset(name: str | None, *, trial: str | None = None) -> BuiltDataset:
    """Open a dataset that the workflow built in this folder.

    Args:
        name: name or file, as for ``snakemake``; None for that of the configuration.
        trial: the trial whose rows count; None for the rows of the dataset's table.

    Raises:
        ConfigurationError: for an unknown dataset or trial.
        DataError: where the dataset was not built.
    """
    config: dict[str, Any] = read_yaml(_CONFIGURATION)
    config |= {"dataset": name} if name else {}
    options = RunOptions.parse(config, where=str(_CONFIGURATION), texts=True)
    run = load_run(config, root=Path())
    asked = name or run.dataset
    dataset = BuiltDataset(
        name=run.dataset,
        data=Path("data", run.dataset),
        results=Path("results", run.dataset),
        rows=tuple(run.models) if trial is None else _list_rows(run.dataset, trial, asked),
        judges=options.named_judges() if run.judged else {},
        is_collection=run.file.source.kind == "collection",
    )
    dataset.corpus.check_built()
    judged = [dataset.data / "judge_index" / "0000"] if run.judged else []
    for path in (dataset.data / "questions.parquet", *judged):
        if not path.exists():
            raise DataError(
                f"{path}: is not there; make it: snakemake --cores all results/{dataset.name}/"
                f"table1.csv --config dataset={asked}"
            )
    return dataset


def check_empty(folder: Path) -> None:
    """Raise ``ConfigurationError`` where a folder holds a file, or a path is not a folder."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise ConfigurationError(f"{folder}: is there already; name a new or an empty folder")


def _list_rows(dataset: str, trial: str, asked: str) -> tuple[str, ...]:
    """List the rows of a trial's table, as its settings may be of a later run that failed."""
    trials = Path("results", dataset, TRIALS)
    known = sorted(path.parent.name for path in trials.glob("*/table1.csv"))
    if trial not in known:
        raise ConfigurationError(
            f"{dataset}: has no tables of a trial {trial!r} ({nearest(trial, known)}); make them: "
            f"snakemake --cores all trial --config dataset={asked} trial={trial} 'models=[...]'"
        )
    rows = read_rows(trials / trial / "table1.csv", COLUMNS)
    return tuple(row["model"] for row in rows if row["model"] != CEILING)
