"""Queries from titles of Stack Overflow, which the language model of queries learns (DEV-178).

Source: Sun et al. (ICSE 2022), section 4.1.3: titles that begin with "how to" and pass the rules.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from ncsbench.errors import ConfigurationError, DataError
from ncsbench.pairs.comment_filter.filter_options import Phrases
from ncsbench.pairs.comment_filter.rule_sets import RuleSet

HOW_TO = ("how to",)
ALL_PHRASES = (
    *HOW_TO,
    *(f"how {verb} {who}" for verb in ("do", "can", "could", "would", "should", "might")
      for who in ("i", "we", "you", "one", "someone")),
    "how does one",
    *(f"{verb} the {kind} way to" for verb in ("what is", "what's", "what would be")
      for kind in ("best", "easiest", "simplest", "fastest", "correct", "proper", "right")),
    *(f"{kind} way to" for kind in ("best", "easiest", "simplest", "fastest", "correct", "proper")),
    *(f"is there {kind} way to" for kind in ("a", "any", "an easy", "a simple", "a better")),
    *("is it possible to", "can i", "can we", "can you", "i want to", "i need to", "need to"),
    *("i am trying to", "i'm trying to", "trying to", "want to"),
)  # fmt: skip
"""Phrases that ``phrases: all`` removes from the begin of a title; other titles stay whole."""

_MOST_CHARACTERS = 1_000  # Largest length of a title; the site allows 150 characters.
_QUESTION_RULES = "interrogation"


@dataclass(frozen=True)
class QueryTitles:
    """Queries, and counts of the titles by their fate.

    Attributes:
        titles: the queries, in lower case with single blanks; distinct, ascending.
        counts: number of titles by fate: ``kept``, ``repeated`` (gives a query that an earlier
            title gave), ``other_start``, ``rejected`` by a rule, ``too_long``, ``empty``.
    """

    titles: tuple[str, ...]
    counts: dict[str, int]


def choose_titles(
    titles: Iterable[str], rules: RuleSet, *, phrases: Phrases = "how_to"
) -> QueryTitles:
    """Make queries of titles.

    Args:
        titles: titles as Stack Overflow has them.
        rules: rules that a title must pass; rules against questions are left out.
        phrases: ``how_to`` takes titles that begin with "how to", as published; ``all`` takes all
            titles. The phrase at the begin of a title is removed, and all question marks.
    """
    own = tuple(rule for rule in rules.rules if not rule.name.startswith(_QUESTION_RULES))
    judge = RuleSet(rules.name, own, rules.python).judge
    start = _match_phrases(HOW_TO if phrases == "how_to" else ALL_PHRASES)
    queries: set[str] = set()
    counts = Counter(kept=0, repeated=0, other_start=0, rejected=0, too_long=0, empty=0)
    for title in titles:
        query, fate = "", "too_long"
        if len(title) <= _MOST_CHARACTERS:
            plain = _write_plainly(title)
            begun = start.match(plain)
            if begun is None and phrases == "how_to":
                fate = "other_start"
            elif (verdict := judge(plain)).rejected_by:
                fate = "rejected"
            else:
                query = _write_plainly(start.sub("", _write_plainly(verdict.comment), count=1))
                query = _write_plainly(query.replace("?", " "))
                fate = "repeated" if query in queries else "kept" if query else "empty"
        counts[fate] += 1
        if query:
            queries.add(query)
    return QueryTitles(tuple(sorted(queries)), dict(counts))


@contextmanager
def naming(titles: str) -> Iterator[None]:
    """Let errors of a training on titles begin with the name of their file."""
    try:
        yield
    except (ConfigurationError, DataError) as error:
        raise type(error)(f"{titles}: {error}") from error


def _write_plainly(text: str) -> str:
    return " ".join(text.lower().replace("\u2019", "'").split())


def _match_phrases(phrases: Iterable[str]) -> re.Pattern[str]:
    # The longest phrase first: of two phrases that both match, the longer one is removed.
    ordered = sorted(phrases, key=lambda phrase: (-len(phrase), phrase))
    return re.compile(rf"^(?:{'|'.join(map(re.escape, ordered))})\b(?!['-])")
