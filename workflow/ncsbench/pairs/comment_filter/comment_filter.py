"""A filter of comments: rules, then the loss under a language model of queries; and its folder.

The folder holds JSON and safetensors, no code. Of the user's own rules it holds the name and hash
of their Python file; whoever reads the folder must name that file again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from ncsbench.base.configuration.strict_model import StrictModel
from ncsbench.base.files.storage import atomic_folder, read_json, write_json
from ncsbench.errors import ConfigurationError, DataError
from ncsbench.pairs.comment_filter.rule_sets import (
    RuleCounts,
    RuleSet,
    hash_rules,
    make_rule_set,
)
from ncsbench.pairs.comment_filter.rules import NOT_READABLE, is_unicode

if TYPE_CHECKING:
    from ncsbench.pairs.comment_filter.comment_model import CommentModel
    from ncsbench.pairs.comment_filter.cut import Cut

EMPTY = "empty"
MODEL = "model"
_BATCH = 1024


class Decision(NamedTuple):
    """The decision of a filter on a comment.

    Attributes:
        comment: the text as the rules that detach left it.
        reason: why the comment is rejected: the name of a rule, ``model``, ``empty`` or
            ``not readable:`` and the fault; empty where the comment is kept.
        changed: True where a rule took something away.
        loss: loss of the comment under the model; None where no model scored the comment.
    """

    comment: str
    reason: str
    changed: bool = False
    loss: float | None = None

    @property
    def kept(self) -> bool:
        """True where the comment is kept."""
        return not self.reason


class CommentFilter:
    """A filter of comments; ``save_filter`` and ``load_filter`` write and read its folder.

    Attributes:
        rule_set: rules that every comment must pass.
        model: a language model of queries; None for rules alone.
        cut: the range of the model's losses that are kept; None for rules alone.
    """

    def __init__(
        self, rule_set: RuleSet, model: CommentModel | None = None, cut: Cut | None = None
    ) -> None:
        self.rule_set, self.model, self.cut = rule_set, model, cut

    def apply(self, comments: Iterable[str]) -> Iterator[Decision]:
        """Yield the decision on each comment, in order, and read the comments as a stream.

        Raises:
            DataError: where a comment is no text.
            ConfigurationError: where a rule of the user's own fails.
        """
        read = iter(comments)
        while batch := list(islice(read, _BATCH)):
            yield from self.judge(batch)

    def judge(self, comments: Sequence[str], counts: RuleCounts | None = None) -> list[Decision]:
        """Return the decision on each comment of a list; ``counts`` takes the rules' verdicts.

        Empty comments are not counted.
        """
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
        verdict = self.rule_set.judge(comment)
        if counts is not None:
            counts.add(verdict)
        reason = verdict.rejected_by
        if not reason and verdict.changed_by and not verdict.comment.strip():
            reason = EMPTY
        return Decision(verdict.comment, reason, bool(verdict.changed_by))


ABOUT, FIGURE = "filter.json", "cut.svg"
_MODEL = "model"


class PythonFile(StrictModel):
    """The file of the user's own rules."""

    name: str
    """Name of the file without its folder."""
    sha256: str
    """SHA-256 of the file's bytes."""


class FilterRules(StrictModel):
    """A set of rules by name."""

    name: str
    """Name of the set, or of its file."""
    rules: tuple[str, ...]
    """Names of the rules, in the order in which they are applied."""
    python: PythonFile | None = None
    """The user's own file, where it defines some of the rules."""


class FilterAbout(StrictModel):
    """The content of ``filter.json``."""

    kind: Literal["comment filter"]
    """Mark that distinguishes the file from other JSON files."""
    rules: FilterRules
    """The rules that every comment must pass."""
    cut: dict[str, Any] | None
    """The losses of ``model/`` that are kept (``Cut``); None for rules alone."""
    fitted: dict[str, Any]
    """Numbers of the comments that the filter was fitted on, and the share of kept comments."""
    note: str
    """A remark for readers: says if the filter compares comments with queries."""


def save_filter(
    comment_filter: CommentFilter,
    folder: Path,
    *,
    fitted: dict[str, Any],
    note: str,
    draw: Callable[[Path], None] | None = None,
) -> None:
    """Write a filter: ``filter.json``, ``model/`` where it has a model, and ``cut.svg``.

    Args:
        comment_filter: the filter to write.
        folder: a new or empty folder, or the folder of another filter, which is replaced.
        fitted: numbers of the comments that the filter was fitted on, as JSON.
        note: a remark for readers of the folder.
        draw: writes the figure of the filter's cut to a path; None without a cut.

    Raises:
        ConfigurationError: where the folder holds something else.
    """
    check_folder(folder)
    cut = comment_filter.cut
    about = {
        "kind": "comment filter",
        "rules": comment_filter.rule_set.as_json(),
        "cut": None if cut is None else cut.as_json(),
        "fitted": fitted,
        "note": note,
    }
    with atomic_folder(folder) as temporary:
        write_json(temporary / ABOUT, about)
        if comment_filter.model is not None:
            comment_filter.model.save(temporary / _MODEL)
        if draw is not None:
            draw(temporary / FIGURE)


def check_folder(folder: Path) -> None:
    """Raise ``ConfigurationError`` for a folder that holds something else than a filter."""
    if folder.is_dir() and not (folder / ABOUT).is_file() and any(folder.iterdir()):
        raise ConfigurationError(f"{folder}: holds other things; name a new or an empty folder")
    if folder.exists() and not folder.is_dir():
        raise ConfigurationError(f"{folder}: is no folder; name a new one")


def load_filter(folder: str | Path, *, python: str | Path | None = None) -> CommentFilter:
    """Read a filter that ``ncsbench clean fit`` made.

    Args:
        folder: folder that ``ncsbench clean fit`` wrote.
        python: the Python file of the user's own rules, where the filter has some; the file is
            executed.

    Raises:
        DataError: where the folder holds no filter, or is damaged.
        ConfigurationError: where the Python file is missing, has changed, or is not needed.
    """
    place = Path(folder)
    if not (place / ABOUT).is_file():
        raise DataError(
            f"{place}: holds no filter; make one: ncsbench clean fit COMMENTS --output FOLDER"
        )
    about = FilterAbout.parse(read_json(place / ABOUT), where=str(place / ABOUT))
    rule_set = _read_rules(about.rules, place, None if python is None else Path(python))
    if about.cut is None:
        return CommentFilter(rule_set)
    from ncsbench.pairs.comment_filter.comment_model import CommentModel
    from ncsbench.pairs.comment_filter.cut import Cut

    cut = Cut.parse(about.cut, where=str(place / ABOUT), within="cut")
    return CommentFilter(rule_set, CommentModel.load(place / _MODEL), cut)


def _read_rules(rules: FilterRules, folder: Path, python: Path | None) -> RuleSet:
    wanted = rules.python
    if wanted is None and python is not None:
        raise ConfigurationError(f"{python}: counts for nothing: {folder} has no rules of a file")
    if wanted is not None:
        if python is None:
            raise ConfigurationError(
                f"{folder}: has rules of the file {wanted.name}, which would be executed; name it: "
                f"--python {wanted.name} (a set of pairs executes nothing and takes no such filter)"
            )
        if hash_rules(python) != wanted.sha256:
            raise ConfigurationError(
                f"{python}: is not the file that {folder} was made with (its SHA-256 begins with "
                f"{wanted.sha256[:12]}); fit the filter again"
            )
    return make_rule_set(rules.name, rules.rules, python, where=str(folder / ABOUT))
