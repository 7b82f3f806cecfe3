"""Finds leaks: training pairs that contain an evaluation question or its answer (DEV-51, DEV-55).

A pair leaks if the id of its question or answer is that of an evaluation question or answer, if its
query has the words of an evaluation title, or if its code is nearly the same as an evaluation
answer.

Snippets are compared by words. Comments, imports, layout, separators (brackets, commas, semicolons,
dots), names of variables and modifiers are left out. Literals, types, called methods, fields,
constants, other keywords and operators stay. So a copy is found although its variables were renamed
or it was wrapped in a method, while two snippets that share only their syntax are not similar.
"""

from __future__ import annotations

import html
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Literal

import numpy as np
import pyarrow as pa

from ncsbench.base.text.possessive_groups import compile_possessive

# Imports and ``this`` are removed inside literals, too, on both sides of a comparison.
_IMPORT = re.compile(
    r"(?<![.\w$])(?:import|package)[ \t]++(?:static[ \t]++)?[\w.$*]++[ \t]*+(?:;|(?=[\n\r]|\Z))"
)
_FIELD_OF_THIS = re.compile(r"(?<![\w$])this\s*+\.\s*+(?=[a-z_$][\w$]*+(?!\s*+\())")
# A variable is a name in lower case that is neither called nor behind a dot. Possessive quantifiers
# and literals that may end with their line keep the time linear for hostile text.
_TOKEN = compile_possessive(
    r"""//[^\n\r]*+|/\*.*?(?:\*/|\Z)
    |(?P<variable>(?<![.\w$])[a-z_$][\w$]*+(?!\s*+\())
    |(?P<word>"(?:[^"\\\n\r]|\\.)*+"?|'(?:[^'\\\n\r]|\\.)*+'?|[\w$]++
    |>>>?=|<<=|->|::|\+\+|--|&&|\|\||[-+*/%&|^!=<>]=|[-+*/%&|^!=<>~?:])""",
    re.VERBOSE | re.DOTALL,
)
_SPACED_DOT = re.compile(r" ?\. ?")
_MODIFIERS = frozenset(
    "abstract default final native private protected public static strictfp synchronized this "
    "transient volatile".split()
)
_KEYWORDS = frozenset(
    "assert boolean break byte case catch char class const continue do double else enum extends "
    "false finally float for goto if implements import instanceof int interface long new null "
    "package return short super switch throw throws true try void while".split()
)


def split_code_tokens(code: str) -> tuple[list[str], list[str]]:
    """Split a snippet into tokens, and choose the words by which it is compared.

    Args:
        code: any text; nothing is parsed, so that broken code is read as well.

    Returns:
        All tokens but comments, imports, separators and the ``this`` before a field; and of these
        the words, without variables and modifiers; both in the order of the text.
    """
    if "import" in code or "package" in code:
        code = _IMPORT.sub("", code)
    if "this" in code:
        code = _FIELD_OF_THIS.sub(" ", code)
    pairs = _TOKEN.findall(code)
    tokens = [variable or word for variable, word in pairs if variable or word]
    words = [
        variable or word
        for variable, word in pairs
        if (word and word not in _MODIFIERS) or variable in _KEYWORDS
    ]
    return tokens, words


def join_dots(code: str) -> tuple[str, ...]:
    """Return the code without blanks around its dots; empty for code without such blanks.

    Where blanks separate all tokens, names behind a dot would be taken for variables.
    """
    joined = _SPACED_DOT.sub(".", code)
    return (joined,) if joined != code else ()


SIMILAR = 0.65
"""Least Jaccard similarity of the multisets of word pairs of two snippets that are nearly equal."""

CONTAINED = 0.9
"""Least share of a snippet's word pairs that a larger snippet has where it contains the snippet."""

USEFUL_PAIRS = 10
"""Least number of word pairs of a contained snippet; fewer word pairs are too common to count."""

USEFUL_RUN = 7
"""Least number of words of an answer that counts as contained in a snippet where all its words
follow each other in the snippet without a gap."""

USEFUL_WORDS = 4
"""Least number of words of an answer that is compared by word pairs; a snippet must have exactly
the words of a shorter answer."""

COMMON_WORDS = 2
"""Largest number of words of an answer that a snippet must equal token by token, since code such as
``finish();`` is everywhere."""

_WORD = re.compile(r"\w+")
_ID = re.compile(r"\d{1,18}", re.ASCII)
_TITLE_MARK = re.compile(r"\[(?:duplicate|closed|on hold|migrated)\]|[-|]\s*stack overflow\s*\Z")
_TOPIC_WORDS = frozenset({"android", "java", "in"})

_SITE = r"(?<![\w.-])(?:(?:www|m)\.)?stackoverflow\.com/"
_POST = re.compile(
    _SITE + r"(?:questions|q|a|posts)/(\d{1,18})(?:/[^/#\s]*/(\d{1,18}))?",
    re.ASCII | re.IGNORECASE,
)
_ANSWER = re.compile(_SITE + r"[^#\s]*#(\d{1,18})$", re.ASCII | re.IGNORECASE)

# Comments, imports and annotations before the head may hold characters that no head holds. They are
# matched in a lookahead, so that they are not tried again. Possessive quantifiers keep the time
# linear for hostile text.
_METHOD = compile_possessive(
    r"""(?=(?P<before>(?:\s|//[^\n\r]*+|/\*.*?\*/|(?:import|package)\s[^;{}=()]*+;
    |@[\w.]++(?:\s*+\((?:[^()"]|"(?:[^"\\]|\\.)*+")*+\))?)*+))(?P=before)
    [^;{}=()]*+\([^;{}=()]*+\)[^;{}=()]*+\{(?P<body>.*)\}\s*\Z""",
    re.DOTALL | re.VERBOSE,
)

_WordPair = tuple[str, str]


@dataclass(frozen=True)
class Leak:
    """The leak of a pair: the evaluation question that it contains, and how.

    Attributes:
        kind: the matching part: ``id``, ``title`` or ``snippet``.
        query_id: row of the evaluation question; 0 for a further id without a row.
        stackoverflow_id: Stack Overflow id of the question.
        jaccard: similarity of the multisets of word pairs, in [0, 1]; 1 for ``id`` and ``title``.
        containment: share of the smaller snippet's word pairs that the larger snippet has, in
            [0, 1]; 1 for ``id`` and ``title``.
    """

    kind: Literal["id", "title", "snippet"]
    query_id: int
    stackoverflow_id: str
    jaccard: float = 1.0
    containment: float = 1.0


class LeakFinder:
    """Finds the leaks of pairs, about 10,000 pairs a second for some hundred questions.

    Any table of questions can replace the evaluation questions, also a table of many thousands.
    """

    def __init__(self, questions: pa.Table, further_ids: Iterable[str] = ()) -> None:
        """Index the evaluation questions.

        Args:
            questions: table of ``QUESTION_SCHEMA``.
            further_ids: ids of Stack Overflow questions whose text is not known.
        """
        self._posts: dict[int, Leak] = {}
        self._titles: dict[str, Leak] = {}
        self._by_tokens: defaultdict[tuple[str, ...], list[Leak]] = defaultdict(list)
        self._by_words: defaultdict[tuple[str, ...], list[Leak]] = defaultdict(list)
        self._answers: list[tuple[int, str]] = []
        self._runs: list[str] = []
        counts = [self._add_question(row) for row in questions.to_pylist()]
        for further in further_ids:
            for post_id in _read_id(further):
                self._posts.setdefault(post_id, Leak("id", 0, further))
        # The n-th occurrence of a word pair counts as a thing of its own. The number of a snippet's
        # things that an answer holds is the number of word pairs that they share.
        self._things: defaultdict[_WordPair, list[int]] = defaultdict(list)
        holders: list[tuple[int, int]] = []
        total = 0
        for answer, count in enumerate(counts):
            for word_pair, times in count.items():
                things = self._things[word_pair]
                things += range(total, total + times - len(things))
                total = max(total, things[-1] + 1)
                holders += [(thing, answer) for thing in things[:times]]
        held, holding = np.array(sorted(holders), dtype=np.int64).reshape(-1, 2).T
        self._holders = np.split(holding, np.searchsorted(held, np.arange(1, total)))
        self._sizes = np.array([count.total() for count in counts], dtype=np.int64)

    def find(
        self, query: str, code: str, post_ids: Collection[int], blocks: Iterable[str] = ()
    ) -> Leak | None:
        """Find the leak of a pair, or None; an id counts before a title, a title before a snippet.

        Args:
            query: title or sentence.
            code: the snippet.
            post_ids: ids of the pair's posts on Stack Overflow; empty for pairs from elsewhere.
            blocks: the blocks that the snippet was joined from, if any, which are compared, too: a
                short answer would hide among the other blocks.
        """
        for post_id in sorted(post_ids):
            if post_id in self._posts:
                return self._posts[post_id]
        for key in title_keys(query):
            if key in self._titles:
                return self._titles[key]
        return self.find_snippet(code, *blocks)

    def find_snippet(self, *codes: str) -> Leak | None:
        """Find the most similar evaluation answer that a snippet nearly equals or contains.

        A snippet that is one method is compared both as a whole and by its body: else the head of
        the method would hide a short answer.
        """
        return min(self.find_snippets(*codes), key=_badness, default=None)

    def find_snippets(self, *codes: str) -> list[Leak]:
        """Find all answers that a snippet nearly equals or contains; an answer may occur twice."""
        methods = filter(None, map(_METHOD.match, codes))
        found: list[Leak] = []
        for text in (*codes, *(method["body"] for method in methods)):
            tokens, words = split_code_tokens(text)
            found += self._compare(words)
            found += self._by_tokens.get(tuple(tokens), ())
            found += self._by_words.get(tuple(words), ())
        return found

    def _compare(self, words: list[str]) -> list[Leak]:
        """Find the answers that nearly equal the words of a snippet, or are contained in them."""
        counts = Counter(pairwise(words))
        size = counts.total()
        things: list[int] = []
        for word_pair in counts.keys() & self._things.keys():
            things += self._things[word_pair][: counts[word_pair]]
        # No answer can share more things than these. The limit is one less than SIMILAR asks for,
        # since a product can round up; a contained run needs the fewest.
        if len(things) < min(SIMILAR * size - 1, USEFUL_RUN - 1):
            return []
        holders = [self._holders[thing] for thing in things] or [np.zeros(0, np.int64)]
        shared = np.bincount(np.concatenate(holders), minlength=len(self._sizes))
        smaller = np.minimum(self._sizes, size)
        jaccard = shared / np.maximum(self._sizes + size - shared, 1)
        containment = np.where(smaller >= USEFUL_PAIRS, shared / np.maximum(smaller, 1), 0.0)
        whole = np.flatnonzero((shared == self._sizes) & (shared >= USEFUL_RUN - 1)).tolist()
        if whole:
            run = _write_run(words)
            containment[[answer for answer in whole if self._runs[answer] in run]] = 1.0
        wanted = (jaccard >= SIMILAR) | (containment >= CONTAINED)
        return [
            Leak(
                "snippet",
                *self._answers[answer],
                float(jaccard[answer]),
                float(containment[answer]),
            )
            for answer in np.flatnonzero(wanted).tolist()
        ]

    def _add_question(self, question: dict[str, Any]) -> Counter[_WordPair]:
        """Index the ids and the title of a question, and a very short answer.

        Returns:
            The word pairs of a longer answer, with counts; empty for a very short answer.
        """
        row, name = question["query_id"], question["stackoverflow_id"]
        urls = (question["question_url"], question["answer_url"])
        for post_id in sorted(_read_id(name).union(*map(read_post_ids, urls))):
            self._posts.setdefault(post_id, Leak("id", row, name))
        for key in title_keys(question["question"]):
            self._titles.setdefault(key, Leak("title", row, name))
        self._answers.append((row, name))
        tokens, words = split_code_tokens(question["answer"])
        self._runs.append(_write_run(words))
        if len(words) >= USEFUL_WORDS:
            return Counter(pairwise(words))
        if len(words) > COMMON_WORDS:
            self._by_words[tuple(words)].append(Leak("snippet", row, name))
        elif tokens:
            self._by_tokens[tuple(tokens)].append(Leak("snippet", row, name))
        return Counter()


def title_keys(title: str) -> list[str]:
    """Return two keys of a title: its words in small letters, sorted; and in order without blanks.

    Two titles that share a key are the same title: the first key ignores the order of the words,
    the second hyphens and apostrophes. A title without words has no keys.

    Entities are resolved; marks such as ``[duplicate]``, the name of the site behind the title and
    the topic (android, java) are left out, the topic unless nothing else is left.
    """
    words = _WORD.findall(_TITLE_MARK.sub(" ", html.unescape(title).casefold()))
    words = [word for word in words if word not in _TOPIC_WORDS] or words
    return [" ".join(sorted(words)), "".join(words)] if words else []


def read_post_ids(url: str) -> set[int]:
    """Return the ids of the posts on Stack Overflow that a link names."""
    groups = _POST.findall(url) + [(answer, "") for answer in _ANSWER.findall(url)]
    return {int(number) for group in groups for number in group if number}


def _read_id(text: str) -> set[int]:
    return {int(text)} if _ID.fullmatch(text) else set()


def _write_run(words: list[str]) -> str:
    """Join words to a text in which every run of the words is a substring."""
    return "".join(f"\0{word}\0" for word in words)


def _badness(leak: Leak) -> tuple[float, float, int]:
    return -max(leak.jaccard, leak.containment), -leak.jaccard, leak.query_id
