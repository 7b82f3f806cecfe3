"""What people may judge in a page: the first results of all rows, without who ranked them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ncsbench.explorer.shown_results import ShownResults
from ncsbench.label_files.label_file import LANGUAGE
from ncsbench.label_files.scales import RELEVANCE
from ncsbench.labels.pool import PooledResult, order_pool

_SEED = 2019


def describe_pool(
    questions: Sequence[Mapping[str, Any]], shown: ShownResults, names: Mapping[int, str]
) -> dict[str, Any]:
    """The value of ``data/label.js``: pairs of question and method, shuffled as at a terminal.

    Args:
        questions: rows of ``QUESTION_SCHEMA``; those with the same text are one.
        shown: what the rows rank.
        names: of the methods in a file of labels, by id.
    """
    pairs: dict[tuple[tuple[str, str], int], tuple[PooledResult, int]] = {}
    for id_, positions in shown.questions_of.items():
        for position in positions:
            row = questions[position]
            one = PooledResult(row["question"], id_, names[id_])
            pairs.setdefault((one.pair, id_), (one, row["query_id"]))
    asked = {(one.pair, one.id): query_id for one, query_id in pairs.values()}
    pool = [pairs[key][0] for key in sorted(pairs, key=lambda key: (key[0][0], key[1]))]
    return {
        "instructions": RELEVANCE.instructions,
        "grades": RELEVANCE.grades,
        "columns": RELEVANCE.columns,
        "language": LANGUAGE,
        "pool": [[asked[one.pair, one.id], one.id] for one in order_pool(pool, {}, _SEED)],
    }
