"""Named sets of rules in their order, sets from files, and counts of each rule's verdicts."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

from ncsbench.base.configuration.files import (
    PythonFileKind,
    describe_failure,
    execute_file,
    read_yaml,
)
from ncsbench.base.configuration.strict_model import Names, StrictModel
from ncsbench.errors import ConfigurationError, nearest
from ncsbench.pairs.comment_filter import rules
from ncsbench.pairs.comment_filter.rules import is_unicode

DETACH = "detach"
"""Beginning of the names of rules that change comments."""
RESERVED = ("empty", "model")
"""Reasons for rejecting a comment that must not be names of rules."""
_PAGE = "docs/cleaning.md"
_KIND = PythonFileKind(
    module="ncsbench_rules_",
    named="a file of rules names it by its key 'python'",
    single="rules are one file",
    page=_PAGE,
)
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_SHOWN = 60


def load_user_rules(path: Path) -> dict[str, Callable[[str], Any]]:
    """Load the functions that a file names as ``RULES``, by the names of their rules.

    Each function takes a comment. A function whose rule's name begins with ``detach`` returns the
    changed comment; any other function returns True where the comment is rejected, else False. A
    function that fails or returns anything else ends in a ``ConfigurationError`` that names file
    and line.

    Raises:
        ConfigurationError: where the file cannot be read or executed, or names no functions.
    """
    rules = getattr(execute_file(path, _KIND), "RULES", None)
    if not isinstance(rules, Mapping) or not rules:
        raise ConfigurationError(
            f"{path}: names no rules as RULES; add a last line "
            f"'RULES = {{\"name\": function}}' ({_PAGE})"
        )
    for name, function in rules.items():
        if not isinstance(name, str) or not _NAME.fullmatch(name) or name in RESERVED:
            raise ConfigurationError(
                f"{path}: RULES: {name!r} is no name of a rule; use letters, digits and '_', and "
                f"none of {', '.join(RESERVED)}"
            )
        if not callable(function):
            raise ConfigurationError(f"{path}: RULES: {name!r} is no function")
    return {name: _check_calls(path, name, function) for name, function in rules.items()}


def hash_rules(path: Path) -> str:
    """Return the SHA-256 of a file of rules; ``ConfigurationError`` where it cannot be read."""
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError as error:
        raise ConfigurationError(f"{path}: cannot be read ({error.strerror})") from error


def _check_calls(path: Path, name: str, function: Callable[[str], Any]) -> Callable[[str], Any]:
    """Wrap a function so that each of its faults becomes a message of one line."""
    detaches = name.startswith(DETACH)

    def apply(comment: str) -> Any:
        try:
            answer = function(comment)
        except (Exception, SystemExit) as error:
            raise ConfigurationError(
                f"{describe_failure(path, error)}; in the rule {name!r} for the comment "
                f"{_show(comment)}"
            ) from error
        if isinstance(answer, str) and is_unicode(answer) if detaches else isinstance(answer, bool):
            return answer
        line = getattr(getattr(function, "__code__", None), "co_firstlineno", None)
        place = f"{path}, line {line}" if line else f"{path}"
        wanted = (
            "Unicode text, since its name begins with 'detach'" if detaches else "True or False"
        )
        raise ConfigurationError(
            f"{place}: the rule {name!r} must give {wanted}, not {_show(answer)}, for the comment "
            f"{_show(comment)}"
        )

    return apply


def _show(value: Any) -> str:
    try:
        text = ascii(value)
    except Exception:
        text = type(value).__name__
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."


RULES: Mapping[str, Callable[[str], Any]] = {
    "detach_html_tags": rules.detach_html_tags,
    "detach_parentheses": rules.detach_parentheses,
    "javadoc_tags": rules.has_javadoc_tag,
    "urls": rules.has_url,
    "non_english": rules.is_non_english,
    "punctuation": rules.has_no_letter,
    "interrogation": rules.is_question,
    "short_sentence": rules.is_short,
    "detach_html_tags_as_released": rules.detach_html_tags_as_released,
    "detach_parentheses_as_released": rules.detach_parentheses_as_released,
    "javadoc_tags_as_released": rules.has_javadoc_tag_as_released,
    "non_english_as_released": rules.is_non_english_as_released,
    "interrogation_as_released": rules.is_question_as_released,
    "html_tags_left_as_released": rules.has_html_left_as_released,
}
"""All rules of the project by name; rules whose names begin with ``detach`` change comments."""

RULE_SETS: Mapping[str, tuple[str, ...]] = {
    "as_published": (
        *("detach_html_tags", "detach_parentheses", "javadoc_tags", "urls", "non_english"),
        *("punctuation", "interrogation", "short_sentence"),
    ),
    "as_released": (
        *("detach_parentheses_as_released", "detach_html_tags_as_released", "urls"),
        *("javadoc_tags_as_released", "non_english_as_released", "punctuation", "short_sentence"),
        *("interrogation_as_released", "html_tags_left_as_released"),
    ),
    "none": (),
}
"""Names of rules in the order of the paper's Table 6 (``as_published``), and in the order of the
released code (``as_released``); ``none`` is empty, for the model alone (Table 3)."""


class RuleFile(StrictModel):
    """A set of rules: a YAML file."""

    rules: Names
    """Names of rules, in the order in which they are applied."""
    python: str | None = None
    """Python file with more rules, from the folder of this file; it is executed."""


@dataclass(frozen=True)
class Rule:
    """One rule.

    Attributes:
        name: name of the rule; also the reason of the comments that the rule rejects.
        apply: function of a comment that returns the changed comment where the rule detaches, else
            True where the comment is rejected.
    """

    name: str
    apply: Callable[[str], Any]

    @cached_property
    def detaches(self) -> bool:
        """True where the rule changes comments and rejects no comment."""
        return self.name.startswith(DETACH)


@dataclass(frozen=True)
class RuleSet:
    """Rules in the order in which they are applied.

    Attributes:
        name: name of the set, or of its file without the folder.
        rules: rules in the order of their application; their names are distinct.
        python: name of the user's Python file without its folder, and its SHA-256; None without
            such a file.
    """

    name: str
    rules: tuple[Rule, ...]
    python: tuple[str, str] | None = None

    def judge(self, comment: str) -> Verdict:
        """Apply the rules to a comment, in order, until one rejects.

        Each rule sees the comment as the rule before left it. White space is not stripped from the
        comment (DEV-166).

        Raises:
            ConfigurationError: where a rule of the user's own fails.
        """
        changed: tuple[str, ...] = ()
        for rule in self.rules:
            answer = rule.apply(comment)
            if rule.detaches:
                if answer != comment:
                    comment = answer
                    changed += (rule.name,)
            elif answer:
                return Verdict(comment, rule.name, changed)
        return Verdict(comment, "", changed)

    def as_json(self) -> dict[str, Any]:
        """Return the set as ``comment_filter.load_filter`` reads it: names alone, never code."""
        python = self.python and {"name": self.python[0], "sha256": self.python[1]}
        return {"name": self.name, "rules": [rule.name for rule in self.rules], "python": python}


def load_rule_set(name: str) -> RuleSet:
    """Load the rules of a named set, or of a YAML file (``RuleFile``).

    Args:
        name: one of ``RULE_SETS``, or the path of a file that ends in ``.yaml`` or ``.yml``. The
            Python file that such a file names is executed.

    Raises:
        ConfigurationError: for an unknown name, or a file that cannot be used.
    """
    if name in RULE_SETS:
        return make_rule_set(name, RULE_SETS[name], None, where=name)
    path = Path(name)
    if path.suffix not in {".yaml", ".yml"}:
        hint = nearest(name, sorted(RULE_SETS))
        raise ConfigurationError(
            f"rules: {name!r} is unknown; {hint}; or name a file of rules that ends in .yaml"
        )
    file = RuleFile.parse(read_yaml(path), where=name)
    python = None if file.python is None else path.parent / file.python
    return make_rule_set(path.name, file.rules, python, where=name)


def make_rule_set(name: str, names: Sequence[str], python: Path | None, *, where: str) -> RuleSet:
    """Make a set of rules from their names.

    Args:
        name: name of the set.
        names: names of the rules, in order.
        python: file with rules of the user's own, which is executed; None without such a file.
        where: name of the file of rules in an error message.

    Raises:
        ConfigurationError: for an unknown rule, a Python file that cannot be used, or a Python
            file whose rules ``names`` does not have.
    """
    own = {} if python is None else load_user_rules(python)
    for rule in own:
        if rule in RULES:
            raise ConfigurationError(
                f"{python}: RULES: {rule!r} is a rule of ncsbench; give yours another name"
            )
    if own and not own.keys() & set(names):
        raise ConfigurationError(
            f"{where}: rules: has none of the rules of {python} ({', '.join(sorted(own))}); "
            "name them where they shall be applied"
        )
    known = {**RULES, **own}
    for rule in names:
        if rule not in known:
            raise ConfigurationError(
                f"{where}: rules: {rule!r} is unknown; "
                + nearest(rule, list(known), page="docs/cleaning.md")
            )
    return RuleSet(
        name,
        tuple(Rule(rule, known[rule]) for rule in names),
        None if python is None else (python.name, hash_rules(python)),
    )


class Verdict(NamedTuple):
    """The verdict of a set of rules on a comment.

    Attributes:
        comment: the text as the detaching rules left it.
        rejected_by: name of the first rule that rejects the comment; empty where no rule does.
        changed_by: names of the rules that changed the comment, in order.
    """

    comment: str
    rejected_by: str
    changed_by: tuple[str, ...]


class RuleCount(NamedTuple):
    """Counts of a rule, as a row of the paper's Table 6.

    Attributes:
        rule: name of the rule.
        changed: number of comments from which the rule removed something; the paper has it under
            "#Discarded".
        rejected: number of comments that the rule rejected.
        retained: number of comments that were left after the rule.
    """

    rule: str
    changed: int
    rejected: int
    retained: int


class RuleCounts:
    """Counts verdicts, rule by rule."""

    def __init__(self, rule_set: RuleSet) -> None:
        self.read = 0
        self._names = [rule.name for rule in rule_set.rules]
        self._changed: Counter[str] = Counter()
        self._rejected: Counter[str] = Counter()

    def add(self, verdict: Verdict) -> None:
        """Count a comment."""
        self.read += 1
        if verdict.changed_by:
            self._changed.update(verdict.changed_by)
        if verdict.rejected_by:
            self._rejected[verdict.rejected_by] += 1

    def rows(self) -> list[RuleCount]:
        """Return a row for each rule, in order."""
        rows, retained = [], self.read
        for name in self._names:
            retained -= self._rejected[name]
            rows.append(RuleCount(name, self._changed[name], self._rejected[name], retained))
        return rows
