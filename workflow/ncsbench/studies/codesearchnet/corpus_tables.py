"""Tables 1 and 2 of the CodeSearchNet paper: functions, annotations and how far these agree."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain, combinations, permutations
from pathlib import Path

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ncsbench.base.files.csv_tables import Row, name_cells, write_rows
from ncsbench.base.files.storage import read_json
from ncsbench.corpus.function_corpus.annotations import (
    GRADES,
    TITLES,
    Annotations,
    read_annotations,
    read_queries,
)
from ncsbench.corpus.function_corpus.corpus_options import PARTS
from ncsbench.evaluation.published.printed_figures import PublishedCells, read_published_cells
from ncsbench.evaluation.statistics.agreement import quadratic_kappa
from ncsbench.evaluation.statistics.figure_text import format_columns, to_rows

COUNT_COLUMNS = (
    *("language", "stage", "functions", "documented"),
    *("published", "published_documented"),
)
"""Columns of ``table1.csv``, in order. A stage is a stage of the making of a corpus (its
``funnel``), or the pairs of a part, whose published numbers are those of the released files."""
COLUMNS = ("language", "measure", "value", "published", "difference")
"""Columns of ``table2.csv``, in order: one figure a row."""
SPREADS = GRADES[1:]
ANNOTATOR_COLUMNS = (
    *("language", "pairs", "pairs_judged_several_times", "same_grade", "different_grades"),
    *(f"spread_{spread}" for spread in SPREADS),
    *("mean_difference", "quadratic_kappa_first_two", "quadratic_kappa_all_ordered"),
)
"""Columns of ``annotators.csv``, in order. A spread is the highest less the lowest grade of a pair
of query and function; the mean difference is over any two annotations of the same pair."""
ALL = "All"
"""The row of all languages."""

_DIGITS = 3


def count_functions(
    corpora: Mapping[str, Path], output: Path, published: Path | None = None
) -> None:
    """Count the functions of corpora, stage by stage, beside the paper's Table 1.

    Args:
        corpora: folder of the corpus of each language, in the order of the table.
        output: CSV file of ``COUNT_COLUMNS`` to write: every language, then all together.
        published: the printed figures; without them, their columns are empty.
    """
    cells = read_published_cells(published)
    counts = {TITLES[language]: _read_stages(corpus) for language, corpus in corpora.items()}
    sums: dict[str, tuple[int, int]] = {}
    for stage, (functions, documented) in chain.from_iterable(map(dict.items, counts.values())):
        known = sums.get(stage, (0, 0))
        sums[stage] = known[0] + functions, known[1] + documented
    records = [
        (name, stage, *numbers, *_find_published(name, stage, stages, cells))
        for name, stages in {**counts, ALL: sums}.items()
        for stage, numbers in stages.items()
    ]
    write_rows(output, COUNT_COLUMNS, name_cells(COUNT_COLUMNS, records))


def write_table2(
    annotations: Path,
    queries: Path,
    output: Path,
    annotators: Path,
    published: Path | None = None,
) -> None:
    """Count annotations beside the paper's Table 2, and measure how far annotators disagree.

    Args:
        annotations: annotations of the challenge, ``annotationStore.csv``.
        queries: queries of the challenge, ``queries.csv``.
        output: CSV file of ``COLUMNS`` to write.
        annotators: CSV file of ``ANNOTATOR_COLUMNS`` to write.
        published: the printed figures; without them, their columns are empty.
    """
    judged = read_annotations(annotations, read_queries(queries))
    write_rows(output, COLUMNS, count_annotations(judged, read_published_cells(published)))
    write_rows(annotators, ANNOTATOR_COLUMNS, describe_annotators(judged))


def count_annotations(annotations: Annotations, published: PublishedCells) -> list[Row]:
    """Count rows of ``COLUMNS``: every language, then all; unpublished figures are empty cells."""
    counts = pd.DataFrame({TITLES[one]: _count(annotations, one) for one in annotations.languages})
    counts = counts.assign(**{ALL: counts.sum(axis=1)}).unstack()
    frame = counts.rename_axis(["language", "measure"]).reset_index(name="value")
    grades = list(chain.from_iterable(map(annotations.pairs, annotations.languages)))
    kappas = pd.DataFrame(_list_kappas(grades).items(), columns=["measure", "value"])
    kappas = kappas.assign(language=ALL, printed="quadratic_kappa").astype({"value": float})
    return [
        *_compare(frame.assign(printed=frame["measure"]), published, 0),
        *_compare(kappas, published, _DIGITS),
    ]


def describe_annotators(annotations: Annotations) -> list[Row]:
    """Make rows of ``ANNOTATOR_COLUMNS``: every language, then all."""
    pairs = {TITLES[one]: list(annotations.pairs(one)) for one in annotations.languages}
    pairs[ALL] = list(chain.from_iterable(pairs.values()))
    frame = pd.DataFrame([{"language": name, **_disagree(some)} for name, some in pairs.items()])
    frame = format_columns(frame, ANNOTATOR_COLUMNS[1:-3], 0)
    return to_rows(format_columns(frame, ANNOTATOR_COLUMNS[-3:], _DIGITS), ANNOTATOR_COLUMNS)


def _read_stages(folder: Path) -> dict[str, tuple[int, int]]:
    """Read the numbers of functions and of documented functions by stage, in order."""
    manifest = read_json(folder / "manifest.json")
    stages = {line["stage"]: (line["functions"], line["documented"]) for line in manifest["funnel"]}
    parts, pairs = manifest["parts"], manifest["pairs"]
    return stages | {f"pairs of {one}": (parts[one]["functions"], pairs[one]) for one in PARTS}


def _find_published(
    name: str, stage: str, stages: Iterable[str], published: PublishedCells
) -> tuple[str, str]:
    """Find the printed numbers of functions and of documented functions, or ``""`` for either."""
    # The printed table counts after copies were removed.
    if stage == [one for one in stages if one.startswith("without")][-1]:
        documented = published.get(("Table 1", name, "with_documentation"), "")
        return published.get(("Table 1", name, "all"), ""), documented
    part = stage.removeprefix("pairs of ")
    return "", published.get(("released pairs", name, part), "") if part != stage else ""


def _count(annotations: Annotations, language: str) -> dict[str, int]:
    pairs = list(annotations.pairs(language))
    grades = Counter(chain.from_iterable(pairs))
    relevances = annotations.relevances(language)
    return {
        **{f"relevance_{grade}": grades[grade] for grade in GRADES},
        "annotations": grades.total(),
        "pairs": len(pairs),
        "pairs_judged_several_times": sum(len(pair) > 1 for pair in pairs),
        "queries": len(relevances),
        "queries_with_positive": sum(any(found.values()) for found in relevances.values()),
    }


def _compare(frame: pd.DataFrame, published: PublishedCells, digits: int) -> list[Row]:
    """Make rows of ``COLUMNS`` from languages, measures, values and names of printed figures."""
    keys = zip(frame["language"], frame["printed"], strict=True)
    cells = [published.get(("Table 2", *key), "") for key in keys]
    difference = frame["value"] - pd.to_numeric(pd.Series(cells), errors="coerce")
    frame = frame.assign(published=cells, difference=difference)
    frame = format_columns(frame, ["difference"], digits, signed=True)
    return to_rows(format_columns(frame, ["value"], digits), COLUMNS)


def _disagree(pairs: Sequence[tuple[int, ...]]) -> dict[str, float | None]:
    """Compute the numbers of ``ANNOTATOR_COLUMNS`` from the grades of each pair."""
    several = [grades for grades in pairs if len(grades) > 1]
    spreads = Counter(max(grades) - min(grades) for grades in several)
    differences = [abs(a - b) for grades in several for a, b in combinations(grades, 2)]
    return {
        "pairs": len(pairs),
        "pairs_judged_several_times": len(several),
        "same_grade": spreads[0],
        "different_grades": len(several) - spreads[0],
        **{f"spread_{spread}": spreads[spread] for spread in SPREADS},
        "mean_difference": float(np.mean(differences)) if differences else None,
        **_list_kappas(pairs),
    }


def _list_kappas(pairs: Sequence[tuple[int, ...]]) -> dict[str, float | None]:
    """Compute quadratic kappas of each pair's first two annotations, and of any two, either order.

    The paper does not say which annotations it compares; both kappas come near its 0.47 (DEV-139).
    """
    first_two = (grades[:2] for grades in pairs if len(grades) > 1)
    ordered = (two for grades in pairs for two in permutations(grades, 2))
    return {
        "quadratic_kappa_first_two": quadratic_kappa(_cross(first_two)),
        "quadratic_kappa_all_ordered": quadratic_kappa(_cross(ordered)),
    }


def _cross(twos: Iterable[tuple[int, ...]]) -> NDArray[np.int64]:
    counts = np.zeros((len(GRADES), len(GRADES)), np.int64)
    for first, second in twos:
        counts[first, second] += 1
    return counts
