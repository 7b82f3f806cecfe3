"""Fits a filter of comments: counts what rules keep, finds and draws the cut of the losses."""

from __future__ import annotations

import logging
import shutil
from array import array
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, get_args

import numpy as np
from matplotlib.figure import Figure

from ncsbench.base.configuration.files import read_yaml
from ncsbench.base.files.svg_figures import COLOURS, add_legend, make_panels, save_figure
from ncsbench.base.text.progress_line import report
from ncsbench.errors import ConfigurationError, DataError, nearest
from ncsbench.pairs.comment_filter.comment_filter import (
    MODEL,
    CommentFilter,
    check_folder,
    save_filter,
)
from ncsbench.pairs.comment_filter.comment_lines import open_lines, read_lines
from ncsbench.pairs.comment_filter.filter_options import (
    NEEDS,
    CutMethod,
    CutOptions,
    FilterOptions,
    VaeOptions,
)
from ncsbench.pairs.comment_filter.filter_stream import StreamCounts, cut_batches, judge_lines
from ncsbench.pairs.comment_filter.query_titles import naming
from ncsbench.pairs.comment_filter.rule_sets import RuleCounts, load_rule_set

if TYPE_CHECKING:
    from ncsbench.pairs.comment_filter.comment_model import CommentModel
    from ncsbench.pairs.comment_filter.cut import Cut, Losses


_LOG = logging.getLogger(__name__)
_BINS, _POINTS = 60, 400
_AXIS = 0.999  # Share of the losses that the axis shows; a few losses are far higher.


def draw_cut(losses: Losses, cut: Cut, path: Path) -> None:
    """Draw a histogram of losses, the densities of the components and the cut.

    Losses above the 99.9th percentile are left out of the picture.

    Args:
        losses: losses of comments, shape (n,).
        cut: cut that was found from these losses.
        path: SVG file to write, and beside it the one for dark pages.

    Raises:
        DataError: where there is no finite loss.
    """
    finite = losses[np.isfinite(losses)]
    if not len(finite):
        raise DataError(f"{path}: there is no finite loss to draw")
    save_figure(path, lambda: _draw(finite, cut))


def _draw(losses: Losses, cut: Cut) -> Figure:
    title = f"Comments by reconstruction loss: {100 * cut.share_kept:.1f} % are kept"
    figure, (panel,) = make_panels(height=4.2, title=title)
    low, high = float(losses.min()), float(np.quantile(losses, _AXIS))
    edges = np.linspace(low, max(high, low + 1e-6), _BINS + 1)
    # Shares of all losses, so that areas can be compared with the densities of the mixture.
    heights = np.histogram(losses, edges)[0] / len(losses) / np.diff(edges)
    label = f"{len(losses):,} comments"
    panel.stairs(heights, edges, fill=True, color=COLOURS[6], alpha=0.4, label=label)
    points = np.linspace(edges[0], edges[-1], _POINTS)
    for component, colour, style in zip(cut.components, COLOURS, ("-", "--"), strict=False):
        label = f"{100 * component.weight:.1f} %, mean {component.mean:.2f}"
        panel.plot(points, np.exp(component.log_density(points)), style, color=colour, label=label)
    kept = cut.keeps(points)
    panel.fill_between(points, 0, 0.02, where=kept, transform=panel.get_xaxis_transform(),
                       color=COLOURS[2], label="kept")  # fmt: skip
    changes = points[1:][kept[1:] != kept[:-1]] if cut.threshold is None else [cut.threshold]
    for edge in changes:
        panel.axvline(float(edge), color=COLOURS[7], linewidth=1, linestyle=":")
    panel.set_xlabel("reconstruction loss of a comment")
    panel.set_ylabel("density")
    add_legend(figure, panel, columns=2)
    return figure


class Fitted(NamedTuple):
    """The cut of a filter, and its counts of the comments that the filter was fitted on."""

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
) -> Fitted:
    """Fit a filter on comments, which are read as a stream, and write its folder.

    With a model, 9 bytes of each comment that the rules keep stay in memory. The training of the
    model goes on from where an interrupted one ended.

    Args:
        source: JSON Lines with a comment each, plain or gzipped; ``-`` for standard input.
        output: folder to write; a folder that holds something else than a filter is refused.
        options: options of the filter.
        queries: texts that the model learns from (``query_titles.choose_titles``); None for rules
            alone.
        titles: name of the file that the queries are from, for messages.
        seed: seed of all random numbers.
        field: name of the field that holds the comment.

    Returns:
        The cut, None without a model, and counts of what the filter does with these comments.

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
            report("comments read,", counts.read, 0)
    if not counts.read:
        raise DataError(f"{source}: holds no comment")
    counts.check_readable(source)
    if not counts.kept:
        said = "; ".join(filter(None, (counts.describe(), counts.describe_most_rejected())))
        raise DataError(f"{source}: the rules keep none of its comments; {said}")
    if model is None:
        save_filter(rules, output, fitted=describe_fit(counts), note=describe_model(queries))
        return Fitted(None, counts)
    from ncsbench.pairs.comment_filter.cut import find_cut

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
    """Say in words whether a filter compares comments with queries."""
    if queries is None:
        return "rules only: no titles were given, so no comment is compared with queries"
    return f"rules, and a language model of {len(queries):,} queries"


def describe_fit(counts: StreamCounts) -> dict[str, Any]:
    """Return the counts of the comments that a filter was fitted on, as JSON."""
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
    from ncsbench.pairs.comment_filter.comment_model import train_comment_model

    if options.unknown_words == "free" and not options.pieces:
        _LOG.warning(
            "unknown words cost a comment nothing, as released: one without a known word may pass "
            "the model; 'unknown_words: charged' counts them"
        )
    return train_comment_model(queries, options, seed=seed, checkpoint=checkpoint)


def read_options(
    path: Path | None, *, rules: str | None = None, cut: str | None = None
) -> FilterOptions:
    """Read options of a YAML file, or take the defaults, and replace some of them.

    Args:
        path: the file; None for the defaults.
        rules: value that replaces ``rules``; None keeps the option.
        cut: text that replaces ``cut``, in the form of ``parse_cut``; None keeps the option.

    Raises:
        ConfigurationError: where the file or a value cannot be used.
    """
    options = FilterOptions()
    if path is not None:
        options = FilterOptions.parse(read_yaml(path), where=str(path))
    return options.model_copy(
        update=({"rules": rules} if rules else {}) | ({"cut": parse_cut(cut)} if cut else {})
    )


def parse_cut(text: str) -> CutOptions:
    """Read options of a cut from a text: ``k_means``, ``percentile=0.5``, ``loss=4.2``.

    Raises:
        ConfigurationError: for anything else.
    """
    method, _, number = text.partition("=")
    methods = get_args(CutMethod)
    if method not in methods:
        raise ConfigurationError(f"--cut: {method!r} is unknown; {nearest(method, list(methods))}")
    name = NEEDS.get(method)
    if bool(name) != bool(number):
        wanted = f"={name.upper()}" if name else ""
        raise ConfigurationError(f"--cut: {text!r} should be '{method}{wanted}'")
    values = {"method": method} | ({name: number} if name else {})
    return CutOptions.parse(values, where="--cut", texts=True)
