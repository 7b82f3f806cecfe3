"""A dataset as NCSED is released: methods, questions with examples, download list, score sheet."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

import pyarrow.compute as pc

from ncsbench.base.files.storage import (
    atomic_folder,
    copy_file,
    iterate_tables,
    read_table,
    write_text,
)
from ncsbench.corpus.layout.layout import CorpusFolder
from ncsbench.corpus.methods.released_methods import write_released_methods
from ncsbench.corpus.sources.inventory import INVENTORY_SCHEMA, REPOSITORY
from ncsbench.evaluation.judge.judgement_schemas import MATCH_SCHEMA
from ncsbench.evaluation.statistics.evaluation_options import MatchSettings
from ncsbench.posts.questions.question_schema import QUESTION_SCHEMA
from ncsbench.posts.questions.selection import write_questions


def write_release(
    settings: MatchSettings,
    corpus: CorpusFolder,
    questions: Path,
    matches: Path,
    score_sheet: Path,
    output: Path,
) -> None:
    """Write a dataset as NCSED is released (its paper, section 2): methods, questions and links.

    ``search_corpus_*.tar.gz``: the methods; ``questions.json``: the questions, each with the
    methods of this corpus that resemble its answer most as ``examples``, best first;
    ``repositories.txt``: a download link for each repository with a commit that was read, in corpus
    order; ``score_sheet.csv``.

    Args:
        settings: settings of the matches; matches by the first similarity are the examples.
        corpus: folder of a built corpus with its inventory.
        questions: table of ``QUESTION_SCHEMA``.
        matches: table of ``MATCH_SCHEMA``.
        score_sheet: the score sheet of the tables.
        output: folder to write, atomically.
    """
    with atomic_folder(output) as folder:
        write_released_methods(corpus, folder)
        links = (f"{link}\n" for link in _find_links(corpus))
        write_text(folder / "repositories.txt", "".join(links))
        copy_file(score_sheet, folder / score_sheet.name)
        examples = defaultdict(list)
        is_first = pc.field("judge") == settings.limits[0][0]
        found = read_table(matches, MATCH_SCHEMA).filter(is_first)
        for match in found.sort_by([("query_id", "ascending"), ("rank", "ascending")]).to_pylist():
            examples[match["query_id"]].append(match["id"])
        asked = [
            question | {"examples": examples[question["query_id"]]}
            for question in read_table(questions, QUESTION_SCHEMA).to_pylist()
        ]
        ids = {id_ for some in examples.values() for id_ in some}
        urls = {id_: method["url"] for id_, method in corpus.read_methods(ids, ["url"]).items()}
        write_questions(folder / "questions.json", asked, urls)


def _find_links(corpus: CorpusFolder) -> list[str]:
    taken = (pc.field("kind") == REPOSITORY) & (pc.field("status") == "taken")
    rows = (
        row
        for table in iterate_tables(corpus.inventory_path, INVENTORY_SCHEMA)
        for row in table.filter(taken).to_pylist()
    )
    return [
        f"https://github.com/{row['repository']}/archive/{row['commit']}.zip"
        for row in rows
        if row["commit"]
    ]
