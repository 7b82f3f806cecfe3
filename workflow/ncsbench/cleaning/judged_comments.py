"""What rules and the model of queries say of every raw comment, once for all training sets."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import pyarrow as pa

from ncsbench.artifacts.storage import iterate_tables, write_tables
from ncsbench.comment_filter.comment_filter import CommentFilter
from ncsbench.comment_filter.comment_model import CommentModel
from ncsbench.comment_filter.rule_sets import load_rule_set
from ncsbench.configuration.strict_model import StrictModel
from ncsbench.pairs.pair_schema import PAIR_SCHEMA

JUDGED_SCHEMA = pa.schema(
    [
        pa.field("key", pa.string(), nullable=False),
        pa.field("reason", pa.string(), nullable=False),
        pa.field("cleaned", pa.string()),
        pa.field("loss_cleaned", pa.float64()),
        pa.field("loss_raw", pa.float64()),
    ]
)
"""A row for each raw pair, in order. ``reason`` is why the rules reject its comment: the name of
the first rule, or ``empty``; it is empty where they keep it. ``cleaned`` is what they leave of one
that they keep, and ``loss_cleaned`` its loss under the model; ``loss_raw`` is that of the comment
as it stands. Without a model there are no losses."""


class JudgeSettings(StrictModel):
    """Settings of the stage ``cleaning judge``."""

    rules: Literal["as_published", "as_released"]
    """The rules that comments must pass."""


def judge_comments(settings: JudgeSettings, raw: Path, model: Path | None, output: Path) -> None:
    """Judge the comments of raw pairs.

    Args:
        settings: how.
        raw: file of ``PAIR_SCHEMA``.
        model: folder of the model of queries; None for none.
        output: file of ``JUDGED_SCHEMA`` to write.

    Raises:
        DataError: where a file is missing or damaged.
    """
    rules = CommentFilter(load_rule_set(settings.rules))
    scorer = None if model is None else CommentModel.load(model)
    write_tables(output, _judge(raw, rules, scorer), JUDGED_SCHEMA)


def _judge(raw: Path, rules: CommentFilter, scorer: CommentModel | None) -> Iterator[pa.Table]:
    for table in iterate_tables(raw, PAIR_SCHEMA, ["key", "query"]):
        comments = table["query"].to_pylist()
        decisions = rules.judge(comments)
        cleaned = [decision.comment for decision in decisions if decision.kept]
        losses: list[float | None] = [None] * (len(comments) + len(cleaned))
        if scorer is not None:
            losses[:] = scorer.score([*comments, *cleaned]).tolist()
        of_cleaned = iter(losses[len(comments) :])
        columns = {
            "key": table["key"].to_pylist(),
            "reason": [decision.reason for decision in decisions],
            "cleaned": [decision.comment if decision.kept else None for decision in decisions],
            "loss_cleaned": [next(of_cleaned) if one.kept else None for one in decisions],
            "loss_raw": losses[: len(comments)],
        }
        yield pa.table(columns, JUDGED_SCHEMA)
