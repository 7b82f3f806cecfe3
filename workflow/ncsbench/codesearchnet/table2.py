"""Table 2 of the CodeSearchNet paper: annotations by relevance; and how annotators disagree."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain, combinations, permutations
from pathlib import Path

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ncsbench.artifacts.csv_tables import Row, format_number, write_rows
from ncsbench.evaluation.agreement import quadratic_kappa
from ncsbench.evaluation.figure_text import format_columns, to_rows
from ncsbench.function_corpus.annotations import (
    GRADES,
    TITLES,
    Annotations,
    read_annotations,
    read_queries,
)
from ncsbench.published.printed_figures import PublishedCells, read_published_cells

COLUMNS = ("language", "measure", "value", "published", "difference")
"""Columns of ``table2.csv``, in order: one figure a row."""
SPREADS = GRADES[1:]
ANNOTATOR_COLUMNS = (
    *("language", "pairs", "pairs_judged_several_times", "same_grade", "different_grades"),
    *(f"spread_{spread}" for spread in SPREADS),
    *("mean_difference", "quadratic_kappa_first_two", "quadratic_kappa_all_ordered"),
)
"""Columns of ``annotators.csv``, in order. A spread is the highest less the lowest grade of a
query and a function, the mean difference is over any two annotations of these."""
ALL = "All"
"""The row of all languages."""

_DIGITS = 3


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
        published: the printed figures; without, nothing stands beside ours.
    """
    judged = read_annotations(annotations, read_queries(queries))
    write_rows(output, COLUMNS, count_annotations(judged, read_published_cells(published)))
    write_rows(annotators, ANNOTATOR_COLUMNS, describe_annotators(judged))


def count_annotations(annotations: Annotations, published: PublishedCells) -> list[Row]:
    """Rows of ``COLUMNS``: every language, then all; what was not published has empty cells."""
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
    """Rows of ``ANNOTATOR_COLUMNS``: every language, then all."""
    by_language = {
        TITLES[language]: list(annotations.pairs(language)) for language in annotations.languages
    }
    by_language[ALL] = list(chain.from_iterable(by_language.values()))
    return [_disagree(name, pairs) for name, pairs in by_language.items()]


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
    """Rows of ``COLUMNS`` from languages, measures, values and names of ``printed`` figures."""
    keys = zip(frame["language"], frame["printed"], strict=True)
    cells = [published.get(("Table 2", *key), "") for key in keys]
    difference = frame["value"] - pd.to_numeric(pd.Series(cells), errors="coerce")
    frame = frame.assign(published=cells, difference=difference)
    frame = format_columns(frame, ["difference"], digits, signed=True)
    return to_rows(format_columns(frame, ["value"], digits), COLUMNS)


def _disagree(name: str, pairs: Sequence[tuple[int, ...]]) -> Row:
    several = [grades for grades in pairs if len(grades) > 1]
    spreads = Counter(max(grades) - min(grades) for grades in several)
    differences = [abs(a - b) for grades in several for a, b in combinations(grades, 2)]
    kappas = {
        key: "" if kappa is None else format_number(kappa, _DIGITS)
        for key, kappa in _list_kappas(pairs).items()
    }
    return {
        "language": name,
        "pairs": str(len(pairs)),
        "pairs_judged_several_times": str(len(several)),
        "same_grade": str(spreads[0]),
        "different_grades": str(len(several) - spreads[0]),
        **{f"spread_{spread}": str(spreads[spread]) for spread in SPREADS},
        "mean_difference": format_number(float(np.mean(differences)), _DIGITS)
        if differences
        else "",
        **kappas,
    }


def _list_kappas(pairs: Sequence[tuple[int, ...]]) -> dict[str, float | None]:
    """Quadratic kappa of the first two annotations of each pair, and of all two in either order.

    What the paper compares is not said; both come near its 0.47 (DEV-139).
    """
    first_two = (grades[:2] for grades in pairs if len(grades) > 1)
    ordered = (two for grades in pairs for two in permutations(grades, 2))
    return {
        "quadratic_kappa_first_two": quadratic_kappa(_cross(first_two)),
        "quadratic_kappa_all_ordered": quadratic_kappa(_cross(ordered)),
    }


def _cross(twos: Iterator[tuple[int, ...]]) -> NDArray[np.int64]:
    counts = np.zeros((len(GRADES), len(GRADES)), np.int64)
    for first, second in twos:
        counts[first, second] += 1
    return counts
