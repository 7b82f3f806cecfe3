"""The stage that keeps titles of questions apart from the queries of benchmarks."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from ncsbench.base.files.csv_tables import name_cells, write_rows
from ncsbench.base.files.storage import iterate_tables, read_table, write_text
from ncsbench.errors import DataError
from ncsbench.pairs.cleaned_pairs.benchmarks import load_guard
from ncsbench.pairs.cleaned_pairs.stage_settings import TitleSettings
from ncsbench.pairs.comment_filter.comment_lines import read_texts_and_faults
from ncsbench.pairs.leak_checks.benchmark_overlap import keep_apart
from ncsbench.posts.dump.dump_options import PostSettings
from ncsbench.posts.dump.dump_passes import LEDGER, POSTS, read_questions
from ncsbench.posts.dump.post_schemas import POST_QUESTION_SCHEMA
from ncsbench.posts.dump.row_xml import POST_LEDGER_SCHEMA

TITLE_COLUMNS = ("reason", "held", "titles", "keys")
"""Columns of the CSV: numbers of titles that were ``kept``, that could not be read, and that hold
all words of a ``query``. ``held`` names this query; ``keys`` names the titles by the ids of their
questions, or by the numbers of the titles, from 1."""

_DUMPS = (".xml", ".xml.gz", ".7z")


def write_titles(
    settings: TitleSettings,
    benchmarks: Sequence[Path],
    output: Path,
    overlap: Path,
    questions: Sequence[Path] = (),
) -> None:
    """Write the titles of questions that hold no query of a benchmark.

    Args:
        settings: settings of the stage.
        benchmarks: folders of the benchmarks.
        output: text file in UTF-8 to write: a title in each line, with single blanks, in order.
        overlap: CSV of ``TITLE_COLUMNS`` to write, without texts.
        questions: files of evaluation questions, in the published form of NCSED.

    Raises:
        DataError: where the titles cannot be read, or no title is left.
    """
    titles, unreadable = _read_titles(settings, output.parent)
    ledger: list[dict[str, str]] = []
    guard = load_guard(benchmarks, questions)
    kept = list(keep_apart(titles, guard.find_text, ledger))
    if not kept:
        raise DataError(
            f"{settings.titles}: has no title that holds no query of a benchmark; name other titles"
        )
    write_text(output, "".join(f"{title}\n" for title in kept))
    held: dict[str, list[str]] = {}
    for row in ledger:
        held.setdefault(row["held"], []).append(row["key"])
    counts = [("kept", "", len(kept), ""), ("not readable", "", unreadable, "")]
    counts += [("query", name, len(keys), " ".join(keys)) for name, keys in sorted(held.items())]
    write_rows(overlap, TITLE_COLUMNS, name_cells(TITLE_COLUMNS, counts))


def _read_titles(settings: TitleSettings, folder: Path) -> tuple[Iterator[tuple[str, str]], int]:
    """Read the titles that are not blank, with their keys, and the number of unreadable titles."""
    if settings.titles.name.endswith(_DUMPS):
        found, unreadable = _read_dump(settings, folder)
    else:
        texts, faults = read_texts_and_faults(str(settings.titles), "title")
        unreadable = len(faults)
        found = [(str(number), text) for number, text in enumerate(texts, 1)]
    plain = ((key, " ".join(title.split())) for key, title in found)
    return ((key, title) for key, title in plain if title), unreadable


def _read_dump(settings: TitleSettings, folder: Path) -> tuple[list[tuple[str, str]], int]:
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder, prefix=".titles-") as name:
        made = Path(name)
        read_questions(PostSettings(path=settings.titles, tags=("java",)), part=0, output=made)
        found = [
            (str(row["id"]), row["title"])
            for table in iterate_tables(made / POSTS, POST_QUESTION_SCHEMA, ["id", "title"])
            for row in table.to_pylist()
        ]
        return found, len(read_table(made / LEDGER, POST_LEDGER_SCHEMA))
