"""A filter of comments: rules, and then the loss under a language model of queries."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from ncsbench.comment_filter.rule_filter import RuleCounts, RuleFilter
from ncsbench.comment_filter.rule_sets import RuleSet
from ncsbench.comment_filter.rules import is_unicode
from ncsbench.errors import DataError

EMPTY = "empty"
MODEL = "model"
NOT_READABLE = "not readable"
"""How the reason begins of what is no comment that could be judged."""
_BATCH = 1024


class Decision(NamedTuple):
    """What a filter says of a comment.

    Attributes:
        comment: as rules that detach left it.
        reason: why it is rejected: the name of a rule, ``model``, ``empty`` or ``not readable:``
            and what is wrong; empty where it is kept.
        changed: whether a rule took something away.
        loss: under the model; None where no model was asked.
    """

    comment: str
    reason: str
    changed: bool = False
    loss: float | None = None

    @property
    def kept(self) -> bool:
        """Whether it is kept."""
        return not self.reason


class LossModel(Protocol):
    """A language model of queries (``comment_model.CommentModel``)."""

    def score(self, comments: Sequence[str]) -> NDArray[np.float64]:
        """The loss of each comment, shape (n,)."""

    def save(self, folder: Path) -> None:
        """Write it."""


class LossCut(Protocol):
    """Which losses are kept (``cut.Cut``)."""

    def keeps(self, losses: NDArray[np.float64]) -> NDArray[np.bool_]:
        """Whether each loss is kept, shape (n,)."""

    def as_json(self) -> dict[str, Any]:
        """What it is read from again."""


class CommentFilter:
    """Says which comments are kept; ``filter_folder`` reads and writes it.

    Attributes:
        rule_set: rules that every comment must pass.
        model: a language model of queries; None for rules alone.
        cut: which of its losses are kept; None for rules alone.
    """

    def __init__(
        self, rule_set: RuleSet, model: LossModel | None = None, cut: LossCut | None = None
    ) -> None:
        self.rule_set, self.model, self.cut = rule_set, model, cut
        self._rules = RuleFilter(rule_set)

    def apply(self, comments: Iterable[str]) -> Iterator[Decision]:
        """What the filter says of each comment, in order, as a stream.

        Raises:
            DataError: where one is no text.
            ConfigurationError: where a rule of the user's own fails.
        """
        read = iter(comments)
        while batch := list(islice(read, _BATCH)):
            yield from self.judge(batch)

    def judge(self, comments: Sequence[str], counts: RuleCounts | None = None) -> list[Decision]:
        """The same for a list; ``counts`` counts what the rules say of all that are not empty."""
        decisions = [self._judge_by_rules(comment, counts) for comment in comments]
        if self.model is None or self.cut is None:
            return decisions
        left = [place for place, decision in enumerate(decisions) if decision.kept]
        losses = self.model.score([decisions[place].comment for place in left])
        for place, loss, keeps in zip(left, losses, self.cut.keeps(losses), strict=True):
            reason = "" if keeps else MODEL
            decisions[place] = decisions[place]._replace(reason=reason, loss=float(loss))
        return decisions

    def _judge_by_rules(self, comment: str, counts: RuleCounts | None) -> Decision:
        if not isinstance(comment, str):
            raise DataError(f"a comment must be a text, not {type(comment).__name__}")
        if not comment or comment.isspace():
            return Decision(comment, EMPTY)
        if not is_unicode(comment):
            return Decision(comment, f"{NOT_READABLE}: the comment has half a character")
        verdict = self._rules.judge(comment)
        if counts is not None:
            counts.add(verdict)
        reason = verdict.rejected_by
        if not reason and verdict.changed_by and not verdict.comment.strip():
            reason = EMPTY
        return Decision(verdict.comment, reason, bool(verdict.changed_by))
