"""Named sets of rules in their order, and sets from files."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ncsbench.comment_filter import rules
from ncsbench.comment_filter.user_rules import DETACH, hash_rules, load_user_rules
from ncsbench.configuration.files import read_yaml
from ncsbench.configuration.nearest_name import nearest
from ncsbench.configuration.strict_model import Names, StrictModel
from ncsbench.errors import ConfigurationError

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
"""All rules of the project by name; one whose name begins with ``detach`` changes comments."""

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
"""Names of rules in the order of the paper's Table 6, and in that of the released code; none of
them, for the model alone (Table 3)."""


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
        name: of the rule; the reason of what it rejects.
        apply: takes a comment; gives it back changed where the rule detaches, else whether it is
            rejected.
    """

    name: str
    apply: Callable[[str], Any]

    @property
    def detaches(self) -> bool:
        """Whether it changes comments and rejects none."""
        return self.name.startswith(DETACH)


@dataclass(frozen=True)
class RuleSet:
    """Rules in the order in which they are applied.

    Attributes:
        name: of a named set, or how the file ends.
        rules: in order; names are distinct.
        python: name of the user's Python file without its folder, and its SHA-256; None without.
    """

    name: str
    rules: tuple[Rule, ...]
    python: tuple[str, str] | None = None

    def as_json(self) -> dict[str, Any]:
        """What ``reload_rule_set`` reads: names alone, never code."""
        python = self.python and {"name": self.python[0], "sha256": self.python[1]}
        return {"name": self.name, "rules": [rule.name for rule in self.rules], "python": python}


def load_rule_set(name: str) -> RuleSet:
    """The rules of a named set, or of a YAML file (``RuleFile``).

    Args:
        name: of ``RULE_SETS``; or path of a file that ends in ``.yaml`` or ``.yml``. The Python
            file that such a file names is executed.

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
    """Rules by their names.

    Args:
        name: of the set.
        names: of the rules, in order.
        python: file with rules of the user's own, which is executed; None: there is none.
        where: what to call the file in an error message.

    Raises:
        ConfigurationError: for an unknown rule, or a Python file that cannot be used or is not.
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
