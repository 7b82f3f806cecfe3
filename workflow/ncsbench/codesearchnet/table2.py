"""Table 2 of the CodeSearchNet paper: annotations by relevance; and how annotators disagree."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain, combinations, permutations

import numpy as np
from numpy.typing import NDArray

from ncsbench.artifacts.csv_tables import Row, format_number, name_cells
from ncsbench.evaluation.kappa import quadratic_kappa
from ncsbench.function_corpus.annotations import GRADES, TITLES, Annotations
from ncsbench.published.printed_cells import PublishedCells

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


def count_annotations(annotations: Annotations, published: PublishedCells) -> list[Row]:
    """Rows of ``COLUMNS``: every language, then all; what was not published has empty cells."""
    rows: list[Row] = []
    total: Counter[str] = Counter()
    for language in annotations.languages:
        counts = _count(annotations, language)
        total.update(counts)
        rows += _compare(TITLES[language], counts, published)
    rows += _compare(ALL, total, published)
    grades = list(chain.from_iterable(map(annotations.pairs, annotations.languages)))
    for name, kappa in _list_kappas(grades).items():
        printed = published.get(("Table 2", ALL, "quadratic_kappa"), "")
        rows.append(_row(ALL, name, kappa, printed, digits=_DIGITS))
    return rows


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


def _compare(
    name: str, counts: dict[str, int] | Counter[str], published: PublishedCells
) -> list[Row]:
    return [
        _row(name, measure, count, published.get(("Table 2", name, measure), ""))
        for measure, count in counts.items()
    ]


def _row(
    language: str, measure: str, value: float | None, published: str, *, digits: int = 0
) -> Row:
    shown = difference = ""
    if value is not None:
        shown = format_number(value, digits)
        if published:
            difference = format_number(value - float(published), digits, signed=True)
    return dict(zip(COLUMNS, (language, measure, shown, published, difference), strict=True))


def _disagree(name: str, pairs: Sequence[tuple[int, ...]]) -> Row:
    several = [grades for grades in pairs if len(grades) > 1]
    spreads = Counter(max(grades) - min(grades) for grades in several)
    differences = [abs(a - b) for grades in several for a, b in combinations(grades, 2)]
    figures = [float(np.mean(differences)) if differences else None, *_list_kappas(pairs).values()]
    counts = (len(pairs), len(several), spreads[0], len(several) - spreads[0])
    cells = (
        *(name, *counts, *(spreads[spread] for spread in SPREADS)),
        *(None if figure is None else format_number(figure, _DIGITS) for figure in figures),
    )
    return name_cells(ANNOTATOR_COLUMNS, [cells])[0]


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
