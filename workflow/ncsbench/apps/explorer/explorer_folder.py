"""The explorer of a dataset: one folder of static pages, their data, and the first page.

The first page has the tables, the numbers behind the figures, and the list of questions.
"""

from __future__ import annotations

import shutil
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from ncsbench.apps.explorer.question_files import (
    METHOD_COLUMNS,
    TOP,
    ShownDataset,
    ShownMethods,
    ShownResults,
    describe_methods,
    describe_questions,
    name_licences,
    read_shown_results,
    write_script,
)
from ncsbench.apps.shown_tables.best_row import find_best_rows, label_model, pack_answer
from ncsbench.base.files.corpus_stamps import tag_run
from ncsbench.base.files.csv_tables import read_headed_rows, read_rows
from ncsbench.base.files.hashes import forget_folder
from ncsbench.base.files.storage import atomic_folder, read_table
from ncsbench.base.text.safe_text import show_line
from ncsbench.code.aroma.similarity_names import SIMILARITIES
from ncsbench.corpus.layout.corpus_record import describe_corpus
from ncsbench.corpus.layout.layout import CorpusFolder
from ncsbench.errors import DataError
from ncsbench.evaluation.judge.answers import read_answers
from ncsbench.evaluation.measures.per_question import PER_QUESTION_SCHEMA
from ncsbench.evaluation.measures.rank_figures import SIGNIFICANCE_COLUMNS
from ncsbench.evaluation.statistics.evaluation_options import NEAR
from ncsbench.posts.questions.question_schema import QUESTION_SCHEMA
from ncsbench.studies.ncsed.model_names import read_model_names
from ncsbench.studies.ncsed.table1_files import read_table1
from ncsbench.studies.ncsed.table_settings import TableSettings
from ncsbench.version import __version__


def bundle_charting_library() -> str:
    """Bundle a classic script that sets ``ncsbench.embed``, Vega-Embed; equal bytes each time.

    The bundle has the interpreter of expressions too, so that a page may forbid ``eval``.
    """
    import vl_convert

    bundle = vl_convert.javascript_bundle("window.ncsbench.embed = vegaEmbed;")
    notice = (
        "/* Vega, Vega-Lite, Vega-Embed: copyright University of Washington Interactive Data Lab, "
        "BSD-3-Clause. D3: copyright Mike Bostock, ISC. */"
    )
    return f'{notice}\n(function () {{"use strict";\n{bundle}\n}})();\n'


PAGE = Path(__file__).with_name("page")
"""Folder of the page's files, which are copied into every explorer."""


def write_explorer(
    settings: TableSettings,
    questions: Path,
    answers: Path,
    corpus: CorpusFolder,
    licences: Path,
    judgements: Path,
    results: Path,
    tables: Path,
    output: Path,
    selected: Path | None = None,
    trial: str = "",
) -> None:
    """Write the explorer of a dataset into a folder; open its index.html.

    Args:
        settings: settings that the tables of the dataset are made with.
        questions: questions as Parquet.
        answers: ``answers.csv``, which says how each answer was read.
        corpus: folder of a built corpus.
        licences: licences of the repositories, as Parquet.
        judgements: folder of the judgements.
        results: results folder of the dataset, with its runs.
        tables: folder of the dataset's tables.
        output: folder to write, all of it or nothing.
        selected: folder of the selected questions; None where no questions were selected.
        trial: name of the trial whose tables these are.
    """

    def read_methods(ids: Collection[int]) -> Iterator[dict[str, Any]]:
        wanted = pa.array(ids, pa.int64())
        for table in corpus.iterate_methods(METHOD_COLUMNS):
            yield from table.filter(pc.is_in(table["id"], wanted)).to_pylist()

    shown = ShownDataset(
        settings=settings,
        questions=read_table(questions, QUESTION_SCHEMA).to_pylist(),
        answers=answers,
        judgements=judgements,
        results=results,
        tables=tables,
        corpus=describe_corpus(corpus.manifest()),
        read_methods=read_methods,
        licences=name_licences(licences),
        attribution=selected and selected / "attribution.csv",
        trial=trial,
    )
    write_pages(shown, output)


def write_pages(dataset: ShownDataset, output: Path) -> None:
    """Write the explorer of a dataset into a folder, all of it or nothing."""
    asked = dataset.questions
    shown = read_shown_results(dataset)
    positions = {query_id: position for position, query_id in enumerate(shown.query_ids)}
    read = read_answers({row["query_id"]: row["answer"] for row in asked if row["answer"]})
    features = {positions[id_]: read[i] for i, id_ in enumerate(read.query_ids.tolist())}
    methods = describe_methods(
        dataset.read_methods(list(shown.questions_of)),
        dataset.licences,
        shown.questions_of,
        features,
    )
    summary = summarise(dataset, shown)
    described = describe_questions(dataset, shown, methods.marks)
    with atomic_folder(output) as folder:
        copy_page(folder)
        for name, value in described.items():
            write_script(folder, name, value)
        _write_methods(folder, shown, methods)
        write_script(folder, "summary", summary)
    # No rule reads the pages: a changed or removed page ends no run, and is made anew.
    forget_folder(output)


def copy_page(folder: Path) -> None:
    """Copy the page into an empty folder, without data."""
    scripts = folder / "scripts"
    scripts.mkdir()
    for file in sorted(PAGE.iterdir()):
        shutil.copyfile(file, (scripts if file.suffix == ".js" else folder) / file.name)
    (scripts / "vega.js").write_text(bundle_charting_library(), encoding="utf-8")


def _write_methods(folder: Path, shown: ShownResults, found: ShownMethods) -> None:
    """Write each method into the file of the first question that has the method."""
    parts: dict[int, dict[str, Any]] = defaultdict(dict)
    places: dict[str, int] = {}
    for id_, of in shown.questions_of.items():
        if id_ not in found.methods:
            raise DataError(f"method {id_} is ranked but is not in the corpus; rank again")
        places[str(id_)] = shown.query_ids[of[0]]
        parts[places[str(id_)]][str(id_)] = found.methods[id_]
    for number, methods in sorted(parts.items()):
        write_script(folder, f"methods-{number}", methods)
    write_script(folder, "places", places)
    write_script(folder, "repositories", found.repositories)


FORMAT = 2
"""Version of the data's form; a page says so where its data have another one."""

_FIGURES = ("difference", "difference_low", "difference_high", "p_holm", "wins", "ties", "losses")


def summarise(dataset: ShownDataset, shown: ShownResults) -> dict[str, Any]:
    """Sum up results as the value of ``data/summary.js``; ``shown`` has the rankings of the rows.

    Read are ``table1.csv``, ``significance.csv`` and ``per_question.parquet`` of the tables.
    """
    settings, tables, questions = dataset.settings, dataset.tables, dataset.questions
    columns, rows = read_headed_rows(tables / "table1.csv")
    known = read_model_names()
    ranks = _read_ranks(tables / "per_question.parquet", settings)
    listed = [_list_question(shown, position, row, ranks) for position, row in enumerate(questions)]
    return {
        "format": FORMAT,
        "trial": dataset.trial,
        "texts": dataset.texts,
        "dataset": settings.dataset,
        "version": __version__,
        "corpus": tag_run("ncs", dataset.corpus.corpus_hash),
        "judge": _describe_judge(settings.judge, settings.threshold),
        "strict": _describe_judge(settings.strict_judge, settings.strict_threshold),
        "judges": list(SIMILARITIES),
        "near": NEAR,
        "depth": settings.depth,
        "measure": settings.measures[0],
        "top": TOP,
        "models": [ranking.name for ranking in shown.rankings],
        "baseline": settings.baseline,
        "facts": [
            ["Java methods", dataset.corpus.methods],
            ["repositories", dataset.corpus.repositories.get("taken", 0)],
            ["questions", len(questions)],
            ["models", len(shown.rankings)],
        ],
        "table": {
            "columns": columns,
            "rows": [[show_line(row[column]) for column in columns] for row in rows],
        },
        "names": {name: one.name for name, one in known.items()},
        "kinds": {name: one.kind for name, one in known.items()},
        "about": {name: one.about for name, one in known.items()},
        "intervals": {
            row["model"]: [row["strict_mrr_low"], row["strict_mrr_high"]]
            for row in read_table1(tables / "table1.csv")[0]
            if row["strict_mrr_low"]
        },
        "answer": pack_answer(find_best_rows(tables / "table1.csv"), label_model),
        "differences": _read_differences(tables / "significance.csv"),
        "questions": listed,
    }


def _describe_judge(name: str, threshold: float) -> dict[str, Any]:
    return {"name": name, "threshold": threshold}


def _read_ranks(path: Path, settings: TableSettings) -> dict[tuple[str, str], dict[int, Any]]:
    """Read each question's value by model and column.

    Columns are ranks of both judges, published ranks, and the first of the further measures under
    the lenient judge, rounded; None where the table has no measures.
    """
    table = read_table(path, PER_QUESTION_SCHEMA)
    judges = {
        (settings.judge, settings.threshold): "ranks",
        (settings.strict_judge, settings.strict_threshold): "strict",
    }
    found: dict[tuple[str, str], dict[int, Any]] = {}
    for row in table.filter(pc.is_null(table["replicate"])).to_pylist():
        column = judges.get((row["judge"], row["threshold"]))
        if column is None:  # the pages show two judges
            continue
        found.setdefault((row["model"], column), {})[row["query_id"]] = row["first_rank"]
        if column == "ranks":
            value = dict(row["measures"] or ()).get(settings.measures[0])
            shown = None if value is None else round(value, 3)
            found.setdefault((row["model"], "measured"), {})[row["query_id"]] = shown
        found.setdefault((row["model"], "published"), {})[row["query_id"]] = row["published_rank"]
    return found


def _list_question(
    shown: ShownResults,
    position: int,
    question: Mapping[str, Any],
    ranks: Mapping[tuple[str, str], Mapping[int, Any]],
) -> dict[str, Any]:
    names = [ranking.name for ranking in shown.rankings]
    default = SIMILARITIES.index(shown.judge.similarity)
    near = [
        int((ranking.similarities[default, position, :TOP] > NEAR).any())
        for ranking in shown.rankings
    ]
    return {
        "id": question["query_id"],
        "so": show_line(question["stackoverflow_id"]),
        "title": show_line(question["question"]),
        **{
            column: [ranks[name, column][question["query_id"]] for name in names]
            for column in ("ranks", "strict", "published", "measured")
        },
        "near": near,
    }


def _read_differences(path: Path) -> list[dict[str, Any]]:
    kept = ("model", "baseline", "measure", "judge")
    return [
        {
            **{name: row[name] for name in kept},
            **{name: float(row[name]) if row[name] else None for name in _FIGURES},
        }
        for row in read_rows(path, SIGNIFICANCE_COLUMNS)
    ]
