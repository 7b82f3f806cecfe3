"""Table 1 of the CodeSearchNet paper: how many functions, and how many with documentation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from ncsbench.artifacts.csv_tables import Row, name_cells, write_rows
from ncsbench.artifacts.storage import read_json
from ncsbench.function_corpus.annotations import TITLES
from ncsbench.function_corpus.corpus_options import PARTS
from ncsbench.published.printed_figures import PublishedCells, read_published_cells

COLUMNS = ("language", "stage", "functions", "documented", "published", "published_documented")
"""Columns of ``table1.csv``, in order. A stage is one of the making of a corpus (its ``funnel``),
or the pairs of a part, of which the published numbers are those of the released files."""
ALL = "All"


def count_functions(
    corpora: Mapping[str, Path], output: Path, published: Path | None = None
) -> None:
    """Count the functions of corpora, stage by stage, beside the paper's Table 1.

    Args:
        corpora: folder of the corpus of each language, in the order of the table.
        output: CSV file of ``COLUMNS`` to write: every language, then all together.
        published: the printed figures; without, nothing stands beside ours.
    """
    cells = read_published_cells(published)
    rows: list[Row] = []
    sums: dict[str, list[int]] = {}
    for language, corpus in corpora.items():
        stages = _read_stages(corpus)
        rows += _list_rows(TITLES[language], stages, cells)
        for stage, counts in stages.items():
            total = sums.setdefault(stage, [0, 0])
            sums[stage] = [one + other for one, other in zip(total, counts, strict=True)]
    write_rows(output, COLUMNS, rows + _list_rows(ALL, sums, cells))


def _read_stages(folder: Path) -> dict[str, tuple[int, int]]:
    """Functions and documented ones by stage, in order."""
    manifest = read_json(folder / "manifest.json")
    stages = {line["stage"]: (line["functions"], line["documented"]) for line in manifest["funnel"]}
    pairs = {
        part: (manifest["parts"][part]["functions"], manifest["pairs"][part]) for part in PARTS
    }
    return {**stages, **{f"pairs of {part}": counts for part, counts in pairs.items()}}


def _list_rows(
    name: str, stages: Mapping[str, Sequence[int]], published: PublishedCells
) -> list[Row]:
    last = [stage for stage in stages if stage.startswith("without")][-1]
    rows = []
    for stage, (functions, documented) in stages.items():
        cells = ("", "")
        if stage == last:  # what the printed table counts: after copies were removed
            cells = (
                published.get(("Table 1", name, "all"), ""),
                published.get(("Table 1", name, "with_documentation"), ""),
            )
        elif stage.startswith("pairs of "):
            part = stage.removeprefix("pairs of ")
            cells = ("", published.get(("released pairs", name, part), ""))
        rows.append((name, stage, functions, documented, *cells))
    return name_cells(COLUMNS, rows)
