"""Finds positives of a benchmark, near copies and queries in training data (DEV-181).

The leak check of ``pairs.leak_checks.leaks`` compares pairs with evaluation questions and their
answers. This check compares them with the functions that a benchmark counts as right (positives),
from any source. It also finds functions that cannot be distractors.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal, TypeVar

from ncsbench.corpus.function_corpus.annotations import Place, QueryWords, read_url
from ncsbench.corpus.methods.duplicate_methods import find_identifiers
from ncsbench.corpus.methods.near_join import Nearness
from ncsbench.pairs.leak_checks.leaks import split_code_tokens, title_keys

OVERLAP_COLUMNS = ("key", "reason", "held")
"""Columns of the ledger: key of the item that was left out, reason, and the positive or query that
the item holds."""

_Item = TypeVar("_Item")
_ALLAMANIS = Nearness()
_SLACK = 1e-9  # as in near_join: a pair may be compared in vain, but is never missed


@dataclass(frozen=True)
class Positive:
    """Code that a benchmark counts as right.

    Attributes:
        key: name of the code in the ledger.
        code: the function.
        url: address as of ``function_schema.make_url``; empty where it is not known.
    """

    key: str
    code: str
    url: str = ""


@dataclass(frozen=True)
class Overlap:
    """The reason why a pair, title or function must not be used.

    Attributes:
        reason: ``place``: the code shares a line of a file with a positive, at any commit;
            ``equal``: the code has the tokens of a positive; ``near``: the code has nearly the
            identifiers of a positive; ``query``: the text has all words of a query.
        held: the key of the positive, or the name or text of the query.
    """

    reason: Literal["place", "equal", "near", "query"]
    held: str

    def ledger_row(self, key: str) -> dict[str, str]:
        """Return a row of the ledger, with ``OVERLAP_COLUMNS``."""
        return dict(zip(OVERLAP_COLUMNS, (key, self.reason, self.held), strict=True))


class BenchmarkGuard:
    """Finds the overlap of pairs, titles or functions with a benchmark.

    Each piece of code is compared with the positives themselves, not with copies of copies.
    """

    def __init__(
        self,
        positives: Iterable[Positive],
        queries: Iterable[str] = (),
        nearness: Nearness = _ALLAMANIS,
        names: Mapping[str, str] | None = None,
    ) -> None:
        """Index a benchmark.

        Args:
            positives: positives; of several that overlap with an item, the first is named.
            queries: queries of the benchmark; no text holds a query without words.
            nearness: similarities from which on two bags of identifiers are near.
            names: names of queries in ledgers, by their texts; else the texts are the names.
        """
        self._names = names or {}
        self._positives = list(positives)
        self._queries = list(queries)
        self._words = QueryWords(self._queries)
        self._titles: dict[str, str] = {}
        for query in self._queries:
            for key in title_keys(query):
                self._titles.setdefault(key, query)
        self._lines: defaultdict[tuple[str, str], list[tuple[Place, str]]] = defaultdict(list)
        self._equal: dict[tuple[str, ...], str] = {}
        for positive in self._positives:
            place = read_url(positive.url)
            if place is not None:
                self._lines[place.repo.casefold(), place.path].append((place, positive.key))
            tokens = tuple(split_code_tokens(positive.code)[0])
            if tokens:
                self._equal.setdefault(tokens, positive.key)
        self._near = _NearBags([one.code for one in self._positives], nearness)

    def find(self, text: str, code: str, url: str = "") -> Overlap | None:
        """Find the overlap of a pair: that of its code, else of its text; None without one."""
        return self.find_code(code, url) or self.find_text(text)

    def find_code(self, code: str, url: str = "") -> Overlap | None:
        """Find the overlap of a function; None without an overlap.

        Args:
            code: Java code of the function.
            url: address of the function, which the reason ``place`` needs.
        """
        place = read_url(url)
        if place is not None:
            for other, key in self._lines.get((place.repo.casefold(), place.path), ()):
                if other.start_line <= place.end_line and place.start_line <= other.end_line:
                    return Overlap("place", key)
        equal = self._equal.get(tuple(split_code_tokens(code)[0]))
        if equal is not None:
            return Overlap("equal", equal)
        near = self._near.find_first(code)
        return None if near is None else Overlap("near", self._positives[near].key)

    def find_text(self, text: str) -> Overlap | None:
        """Find a query all of whose words a title or comment has, in any order and case.

        As for titles of evaluation questions (DEV-55), the words android, java and in may differ
        where the other words are the same.
        """
        for key in title_keys(text):
            if key in self._titles:
                return self._name(self._titles[key])
        if not self._words.occur_in(text):
            return None
        held = (query for query in self._queries if QueryWords([query]).occur_in(text))
        return self._name(next(held))

    def _name(self, query: str) -> Overlap:
        return Overlap("query", self._names.get(query, query))


class _NearBags:
    """Finds the first of some functions that a given function is near to, by identifiers.

    Where identifiers are sorted by rarity, two sets that are similar enough share one of their
    first few identifiers (``near_join``), so that an index of these gives all candidates.
    """

    def __init__(self, codes: list[str], nearness: Nearness) -> None:
        self._nearness = nearness
        self._bags = [Counter(find_identifiers(code)) for code in codes]
        self._frequencies = Counter(word for bag in self._bags for word in bag)
        self._index: defaultdict[str, list[int]] = defaultdict(list)
        for number, bag in enumerate(self._bags):
            for word in self._prefix(bag):
                self._index[word].append(number)

    def find_first(self, code: str) -> int | None:
        bag = Counter(find_identifiers(code))
        candidates = {number for word in self._prefix(bag) for number in self._index.get(word, ())}
        near = (number for number in sorted(candidates) if self._are_near(bag, self._bags[number]))
        return next(near, None)

    def _prefix(self, bag: Counter[str]) -> list[str]:
        """Return the rarest words of a bag; empty for a bag too small to be near to any other."""
        if bag.total() < max(self._nearness.minimum, 1):
            return []
        count = len(bag) - math.ceil(self._nearness.set_jaccard * len(bag) - _SLACK) + 1
        return sorted(bag, key=lambda word: (self._frequencies[word], word))[:count]

    def _are_near(self, one: Counter[str], other: Counter[str]) -> bool:
        common, least = len(one.keys() & other.keys()), (one & other).total()
        distinct, size = len(one) + len(other), one.total() + other.total()
        return (
            common / (distinct - common) >= self._nearness.set_jaccard
            and least / (size - least) >= self._nearness.multiset_jaccard
        )


def keep_apart(
    keyed: Iterable[tuple[str, _Item]],
    find: Callable[[_Item], Overlap | None],
    ledger: list[dict[str, str]],
) -> Iterator[_Item]:
    """Yield the pairs or titles that hold nothing of a benchmark, in order.

    Args:
        keyed: pairs or titles, each with its key.
        find: finds the overlap of a pair or title, such as ``BenchmarkGuard.find_text``.
        ledger: gets a row with ``OVERLAP_COLUMNS`` for each pair or title that is left out.
    """
    for key, item in keyed:
        overlap = find(item)
        if overlap is None:
            yield item
        else:
            ledger.append(overlap.ledger_row(key))
