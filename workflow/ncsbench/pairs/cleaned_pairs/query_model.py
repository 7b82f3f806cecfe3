"""The language model of queries, and losses of raw comments under it, once for all training sets.

Losses are results, not data: another processor rounds the training of the model in another way, and
a comment near the cut changes sides. From kept losses, every machine makes the same sets.
"""

from __future__ import annotations

import hashlib
import logging
import shutil
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa

from ncsbench.base.files.storage import (
    iterate_tables,
    read_json,
    read_table,
    write_json,
    write_tables,
)
from ncsbench.errors import DataError
from ncsbench.pairs.cleaned_pairs.stage_settings import LossSettings, QueryModelSettings
from ncsbench.pairs.comment_filter.comment_filter import CommentFilter
from ncsbench.pairs.comment_filter.comment_lines import read_texts
from ncsbench.pairs.comment_filter.comment_model import CommentModel, train_comment_model
from ncsbench.pairs.comment_filter.query_titles import choose_titles, naming
from ncsbench.pairs.comment_filter.rule_sets import load_rule_set
from ncsbench.pairs.training_pairs.pair_schema import PAIR_SCHEMA

LOSS_SCHEMA = pa.schema(
    [
        pa.field("loss_raw", pa.float64(), nullable=False),
        pa.field("loss_cleaned", pa.float64()),
    ]
)
"""A row for each raw pair, in order: the loss of its unchanged comment, and the loss of the comment
as the rules leave it; null where the rules reject the comment."""
_LOG = logging.getLogger(__name__)


def make_query_model(
    settings: QueryModelSettings, titles: Path, *, checkpoint: Path, output: Path
) -> None:
    """Train the model of queries on titles.

    Args:
        settings: settings of the stage.
        titles: text file with a title in each line, without the queries of benchmarks.
        checkpoint: folder written after every epoch; removed at the end.
        output: folder of a ``CommentModel`` to write.

    Raises:
        ConfigurationError: where the loss is no longer finite.
        DataError: where the file cannot be read, or titles are too few.
    """
    texts, faults = read_texts(str(titles), "title")
    if faults:
        raise DataError(f"{faults}; make the titles again")
    chosen = choose_titles(texts, load_rule_set(settings.rules), phrases=settings.phrases)
    _LOG.info("%d titles: %s", len(texts), chosen.counts)
    with naming(f"{titles}, phrases: {settings.phrases}"):
        model = train_comment_model(
            chosen.titles, settings.model, seed=settings.seed, checkpoint=checkpoint
        )
    model.save(output)
    shutil.rmtree(checkpoint, ignore_errors=True)


def score_pairs(
    settings: LossSettings, pairs: Path, model: Path, *, output: Path, record: Path
) -> None:
    """Score the comments of raw pairs, both unchanged and cleaned.

    Args:
        settings: settings of the stage.
        pairs: the raw pairs (``PAIR_SCHEMA``).
        model: folder of the model of queries.
        output: file of ``LOSS_SCHEMA`` to write.
        record: JSON file to write beside ``output``, with the same name: ``source``, ``comments``,
            ``digest`` (SHA-256 of keys and comments) and ``settings``.

    Raises:
        DataError: where a file is missing or damaged.
    """
    rules, scorer = CommentFilter(load_rule_set(settings.rules)), CommentModel.load(model)
    digest, count = _hash_comments(pairs)
    write_tables(output, _score(pairs, rules, scorer), LOSS_SCHEMA)
    counted = {"source": settings.source, "comments": count, "digest": digest}
    write_json(record, {**counted, "settings": settings.as_json()})


def read_losses(losses: Path, pairs: Path) -> pa.Table:
    """Read the losses of raw pairs, a table of ``LOSS_SCHEMA``.

    Args:
        losses: file that ``score_pairs`` wrote, with its record beside it.
        pairs: the raw pairs.

    Raises:
        DataError: where a file is missing or damaged, and for losses of other comments.
    """
    record = losses.with_suffix(".json")
    about, table = read_json(record), read_table(losses, LOSS_SCHEMA)
    found = _hash_comments(pairs)
    known = about if isinstance(about, dict) else {}
    if (known.get("digest"), known.get("comments"), len(table)) != (*found, found[1]):
        raise DataError(
            f"{losses}: has losses of other comments than {pairs}; remove {record} to score these, "
            "and what was made of the others"
        )
    return table


def _hash_comments(pairs: Path) -> tuple[str, int]:
    """Return the SHA-256 of the keys and comments of pairs, and the number of pairs."""
    found, count = hashlib.sha256(), 0
    for table in iterate_tables(pairs, PAIR_SCHEMA, ["key", "query"]):
        for row in zip(table["key"].to_pylist(), table["query"].to_pylist(), strict=True):
            for text in row:
                data = text.encode("utf-8", "surrogatepass")
                found.update(len(data).to_bytes(8, "little") + data)
        count += len(table)
    return found.hexdigest(), count


def _score(pairs: Path, rules: CommentFilter, scorer: CommentModel) -> Iterator[pa.Table]:
    for table in iterate_tables(pairs, PAIR_SCHEMA, ["query"]):
        comments = table["query"].to_pylist()
        decisions = rules.judge(comments)
        kept = [one.comment for one in decisions if one.kept]
        losses = scorer.score([*comments, *kept]).tolist()
        of_kept = iter(losses[len(comments) :])
        columns = {
            "loss_raw": losses[: len(comments)],
            "loss_cleaned": [next(of_kept) if one.kept else None for one in decisions],
        }
        yield pa.table(columns, LOSS_SCHEMA)
