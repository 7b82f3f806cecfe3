"""The explorer of a dataset: one folder of static pages and their data."""

from __future__ import annotations

import shutil
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ncsbench.artifacts.hashes import forget_folder
from ncsbench.artifacts.storage import atomic_folder, read_table
from ncsbench.corpus.layout import CorpusFolder
from ncsbench.errors import DataError
from ncsbench.explorer.question_files import ShownMethods, describe_questions, read_shown_methods
from ncsbench.explorer.shown_results import ShownResults, read_shown_results, write_script
from ncsbench.explorer.summary import summarise
from ncsbench.judge.answers import read_answers
from ncsbench.questions.question_schema import QUESTION_SCHEMA
from ncsbench.tables.stage_usage import summarise_usage
from ncsbench.tables.table_settings import TableSettings


def bundle_charting_library() -> str:
    """A classic script that sets ``ncsbench.embed``, Vega-Embed; equal bytes each time.

    The bundle holds the interpreter of expressions too, so that a page may forbid ``eval``.
    """
    import vl_convert

    bundle = vl_convert.javascript_bundle("window.ncsbench.embed = vegaEmbed;")
    notice = (
        "/* Vega, Vega-Lite, Vega-Embed: copyright University of Washington Interactive Data Lab, "
        "BSD-3-Clause. D3: copyright Mike Bostock, ISC. */"
    )
    return f'{notice}\n(function () {{"use strict";\n{bundle}\n}})();\n'


PAGE = Path(__file__).with_name("page")
"""The page: what is copied into every explorer."""


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
    logs: Path | None = None,
    trial: str = "",
) -> None:
    """Write the explorer of a dataset into a folder; open its index.html.

    Args:
        settings: what its tables are made with.
        questions: questions as Parquet.
        answers: how each answer was read, ``answers.csv``.
        corpus: folder of a built corpus.
        licences: licences of the repositories, as Parquet.
        judgements: folder of the judgements.
        results: results folder of the dataset, with its runs.
        tables: folder of its tables.
        output: folder to write, all of it or nothing.
        selected: folder of the selected questions, where they were selected.
        logs: folder of the logs of its jobs, for time and memory, which differ from run to run.
        trial: name of the trial whose tables these are.
    """
    asked = read_table(questions, QUESTION_SCHEMA).to_pylist()
    shown = read_shown_results(
        settings, questions=questions, judgements=judgements, results=results
    )
    positions = {query_id: position for position, query_id in enumerate(shown.query_ids)}
    read = read_answers({row["query_id"]: row["answer"] for row in asked})
    features = {positions[id_]: read[i] for i, id_ in enumerate(read.query_ids.tolist())}
    methods = read_shown_methods(corpus, licences, shown.questions_of, features)
    summary = {"trial": trial} | summarise(
        settings,
        shown,
        questions=asked,
        corpus=corpus,
        tables=tables,
        answers=answers,
        funnel=selected and selected / "funnel.csv",
    )
    described = describe_questions(
        asked,
        shown,
        methods.marks,
        answers=answers,
        attribution=selected and selected / "attribution.csv",
    )
    with atomic_folder(output) as folder:
        copy_page(folder)
        for name, value in described.items():
            write_script(folder, name, value)
        _write_methods(folder, shown, methods)
        write_script(folder, "usage", {"stages": _summarise_usage(logs)})
        write_script(folder, "summary", summary)
    # Nothing is made of pages: a changed or removed one ends no run, and is made anew.
    forget_folder(output)


def copy_page(folder: Path) -> None:
    """Copy the page into an empty folder, without data."""
    scripts = folder / "scripts"
    scripts.mkdir()
    for file in sorted(PAGE.iterdir()):
        shutil.copyfile(file, (scripts if file.suffix == ".js" else folder) / file.name)
    (scripts / "vega.js").write_text(bundle_charting_library(), encoding="utf-8")


def _write_methods(folder: Path, shown: ShownResults, found: ShownMethods) -> None:
    """Each method stands in the file of the first question that has it."""
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


def _summarise_usage(logs: Path | None) -> Sequence[Mapping[str, str]]:
    try:
        return summarise_usage(logs) if logs else []
    except DataError:  # made elsewhere and taken over: there are no logs
        return []
