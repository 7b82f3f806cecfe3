"""The language model of queries that a cleaning experiment judges comments with."""

from __future__ import annotations

import logging
import shutil
from pathlib import Path
from typing import Literal

from ncsbench.comment_filter.comment_lines import read_texts
from ncsbench.comment_filter.comment_model import train_comment_model
from ncsbench.comment_filter.filter_options import VaeOptions
from ncsbench.comment_filter.query_titles import Phrases, choose_titles, naming
from ncsbench.comment_filter.rule_sets import load_rule_set
from ncsbench.configuration.strict_model import StrictModel
from ncsbench.errors import DataError

_LOG = logging.getLogger(__name__)


class QueryModelSettings(StrictModel):
    """Settings of the stage ``cleaning_comment_model``."""

    model: VaeOptions
    """The network and its training."""
    rules: Literal["as_published", "as_released"]
    """What a title must pass."""
    phrases: Phrases
    """Which titles are taken."""
    seed: int
    """Of the training."""


def make_query_model(
    settings: QueryModelSettings, titles: Path, *, checkpoint: Path, output: Path
) -> None:
    """Train the model of queries on titles.

    Args:
        settings: of the stage.
        titles: a title a line, without those that a benchmark holds.
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
