"""Makes a filter of comments: counts what rules keep, and finds the cut of the model's losses."""

from __future__ import annotations

import logging
import shutil
from array import array
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ncsbench.comment_filter.comment_filter import MODEL, CommentFilter, check_folder, save_filter
from ncsbench.comment_filter.comment_lines import open_lines, read_lines
from ncsbench.comment_filter.filter_options import CutOptions, FilterOptions, VaeOptions
from ncsbench.comment_filter.filter_stream import StreamCounts, cut_batches, judge_lines
from ncsbench.comment_filter.query_titles import naming
from ncsbench.comment_filter.rule_sets import RuleCounts, load_rule_set
from ncsbench.errors import DataError

if TYPE_CHECKING:
    from ncsbench.comment_filter.comment_model import CommentModel
    from ncsbench.comment_filter.cut import Cut

_LOG = logging.getLogger(__name__)


class Fitted(NamedTuple):
    """The cut of a filter, and what the filter does with the comments that it was fitted on."""

    cut: Cut | None
    counts: StreamCounts


def fit_filter(
    source: str,
    output: Path,
    options: FilterOptions,
    *,
    queries: Sequence[str] | None = None,
    titles: str = "titles",
    seed: int = 2022,
    field: str = "comment",
    report: Callable[[int], None] = lambda lines: None,
) -> Fitted:
    """Fit a filter on comments, which are read as a stream, and write its folder.

    Of each comment that the rules keep 9 bytes stay in memory where there is a model. Its training
    goes on from where an interrupted one ended.

    Args:
        source: JSON Lines with a comment each, plain or gzipped; ``-`` for standard input.
        output: folder to write; one that holds something else than a filter is refused.
        options: of the filter.
        queries: what the model learns (``query_titles.choose_titles``); None for rules alone.
        titles: name of the file that they are of, for messages.
        seed: of all that is drawn.
        field: that holds the comment.
        report: is told the number of lines read, now and then.

    Returns:
        Its cut, None without a model, and what it does with these comments.

    Raises:
        ConfigurationError: for options or an output that cannot be used.
        DataError: where the source cannot be read, no comment is kept, or no cut can be found.
    """
    check_folder(output)
    rules = CommentFilter(load_rule_set(options.rules))
    model, training = None, output.absolute().with_name(f".{output.absolute().name}.training")
    if queries is not None:
        with naming(titles):
            model = _train(queries, options.model or VaeOptions(), seed, training)
    counts = StreamCounts(RuleCounts(rules.rule_set))
    losses, changed = array("d"), bytearray()
    with open_lines(source) as stream:
        for batch in cut_batches(read_lines(stream, source, field)):
            kept = []
            for line, decision in judge_lines(rules, batch, counts.rules):
                counts.add(line, decision)
                if decision.kept:
                    kept.append(decision)
            if model is not None and kept:
                losses.extend(model.score([decision.comment for decision in kept]).tolist())
                changed.extend(decision.changed for decision in kept)
            report(counts.read)
    if not counts.read:
        raise DataError(f"{source}: holds no comment")
    counts.check_readable(source)
    if not counts.kept:
        said = "; ".join(filter(None, (counts.describe(), counts.describe_most_rejected())))
        raise DataError(f"{source}: the rules keep none of its comments; {said}")
    if model is None:
        save_filter(rules, output, fitted=describe_fit(counts), note=describe_model(queries))
        return Fitted(None, counts)
    from ncsbench.comment_filter.cut import find_cut
    from ncsbench.comment_filter.cut_figure import draw_cut

    found = np.frombuffer(losses, np.float64)
    cut = find_cut(found, options.cut or CutOptions(), seed=seed)
    keeps = cut.keeps(found)
    if not keeps.any():
        raise DataError(
            f"{source}: the cut keeps none of {len(found):,} comments; their losses are from "
            f"{found.min():.2f} to {found.max():.2f}"
        )
    counts.rejected[MODEL] += int((~keeps).sum())
    counts.kept = int(keeps.sum())
    counts.changed = int((keeps & np.frombuffer(changed, np.bool_)).sum())
    fitted = CommentFilter(rules.rule_set, model, cut)
    save_filter(
        fitted,
        output,
        fitted=describe_fit(counts),
        note=describe_model(queries),
        draw=partial(draw_cut, found, cut),
    )
    shutil.rmtree(training, ignore_errors=True)
    return Fitted(cut, counts)


def describe_model(queries: Sequence[str] | None) -> str:
    """Whether a filter compares comments with queries, in words."""
    if queries is None:
        return "rules only: no titles were given, so no comment is compared with queries"
    return f"rules, and a language model of {len(queries):,} queries"


def describe_fit(counts: StreamCounts) -> dict[str, Any]:
    """What a filter did with the comments that it was fitted on, as JSON."""
    return {
        "read": counts.read,
        "kept": counts.kept,
        "share_kept": counts.kept / counts.read,
        "changed": counts.changed,
        "rejected": dict(sorted(counts.rejected.items())),
        "rules": [row._asdict() for row in counts.rules.rows()],
    }


def _train(
    queries: Sequence[str], options: VaeOptions, seed: int, checkpoint: Path
) -> CommentModel:
    from ncsbench.comment_filter.comment_model import train_comment_model

    if options.unknown_words == "free" and not options.pieces:
        _LOG.warning(
            "unknown words cost a comment nothing, as released: one without a known word may pass "
            "the model; 'unknown_words: charged' counts them"
        )
    return train_comment_model(queries, options, seed=seed, checkpoint=checkpoint)
