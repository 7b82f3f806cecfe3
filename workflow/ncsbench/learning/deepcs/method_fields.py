"""The inputs of DeepCS and CARLCS: fields of methods, and descriptions, as ids (docs/encoders.md).

The vocabularies come from training pairs.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from tree_sitter import Node

from ncsbench.base.networks.id_lists import IdLists, ListBuilder
from ncsbench.base.text.bpe_vocabulary import PAD, UNKNOWN, BpeVocabulary
from ncsbench.base.text.words import split_words
from ncsbench.code.java.java import parse_java_bounded, text_of, walk
from ncsbench.code.java.java_api_sequence import read_api_sequence
from ncsbench.code.java.java_terms import RESERVED
from ncsbench.learning.deepcs.field_options import FieldEncoderOptions
from ncsbench.pairs.training_pairs.held_out_pairs import PairParts
from ncsbench.pairs.training_pairs.pair_schema import iterate_pairs

_METHODS = {"method_declaration", "constructor_declaration", "compact_constructor_declaration"}
_NAMES = {"identifier", "type_identifier"}
# The released tokens have none of these words, although they have "of", "in" and "has".
_STOP_WORDS = frozenset("exception from is str string the to".split())
_DROPPED = RESERVED | _STOP_WORDS
_DIGITS = re.compile(r"\d+")
_SENTENCE_END = re.compile(r"[\r\n]|\.(?:\s|$)")
_WORD = re.compile(r"[^\W_]+")
_LEADING = re.compile(r"how (?:to|do i|can i)\s+")
_LONGEST_WORD = 100
_LONGEST_TEXT = 10_000  # Characters; a network reads 30 words.


@dataclass(frozen=True)
class MethodFields:
    """Three fields of a method.

    Attributes:
        name: words of the method's name.
        api: API sequence of the method (``code.java.java_api_sequence``).
        tokens: distinct words of the names in the method's body, in the order of the text.
    """

    name: list[str]
    api: list[str]
    tokens: list[str]


def read_fields(code: str, own_class: str = "") -> MethodFields:
    """Read the fields of a method, or of a snippet, which may have no name (DEV-186).

    The name is that of the first method or constructor. The tokens are the words of the names in
    the bodies of methods, or in all of the code where there is no method. Names in the head of a
    method and variables that a ``catch`` declares are left out; digits, single letters, Java's
    keywords and seven stop words are dropped.

    Args:
        code: Java, complete or not; where the parser takes too many steps (DEV-122), the words of
            the code are the tokens, and the other fields are empty.
        own_class: name of the class around the code; empty where it is not known.
    """
    root = _parse(code.replace("\0", " "))
    if root is None:
        return MethodFields([], [], _choose_words([code]))
    methods = list(_find_methods(root))
    bodies = [body for node in methods if (body := node.child_by_field_name("body")) is not None]
    named = methods[0].child_by_field_name("name") if methods else None
    return MethodFields(
        [] if named is None else [word[:_LONGEST_WORD] for word in split_words(text_of(named))],
        [token[:_LONGEST_WORD] for token in read_api_sequence(root, own_class)],
        _choose_words(name for body in bodies or [root] for name in _find_names(body)),
    )


def split_description(text: str) -> list[str]:
    """Return the words of the first sentence of a text, lower-case: runs of letters and digits."""
    text = text[:_LONGEST_TEXT].strip()
    end = _SENTENCE_END.search(text)
    sentence = text if end is None else text[: end.start()]
    return [word[:_LONGEST_WORD] for word in _WORD.findall(sentence.lower())]


def split_query(text: str) -> list[str]:
    """Return the words of a query without a leading "how to" or the like, as in released code."""
    words = " ".join(_WORD.findall(text[:_LONGEST_TEXT].lower()))
    return [word[:_LONGEST_WORD] for word in _LEADING.sub("", words, count=1).split()]


def _parse(code: str) -> Node | None:
    """Parse code as it is, or as a member of a class where only that gives a valid tree."""
    tree = parse_java_bounded(code.encode("utf-8", "replace"))
    if tree is None or not tree.root_node.has_error:
        return None if tree is None else tree.root_node
    wrapped = parse_java_bounded(f"class X {{ {code} }}".encode("utf-8", "replace"))
    if wrapped is None or wrapped.root_node.has_error:
        return tree.root_node
    body = wrapped.root_node.children[0].child_by_field_name("body")
    return tree.root_node if body is None else body


def _find_methods(root: Node) -> Iterator[Node]:
    """Find the methods and constructors that are not inside other ones."""
    end = -1
    for node in walk(root):
        if node.start_byte >= end and node.type in _METHODS:
            end = node.end_byte
            yield node


def _find_names(body: Node) -> Iterator[str]:
    end = -1
    for node in walk(body):
        if node.start_byte < end:
            continue
        kind = node.type
        if kind == "catch_formal_parameter":
            end = node.end_byte
        elif kind in _NAMES:
            yield text_of(node)


def _choose_words(names: Iterator[str] | list[str]) -> list[str]:
    words = (word for name in names for word in split_words(name))
    letters = (_DIGITS.sub("", word)[:_LONGEST_WORD] for word in words)
    kept = (word for word in letters if len(word) > 1)
    return list(dict.fromkeys(word for word in kept if word not in _DROPPED))


FIELDS = ("name", "api", "tokens")
"""The fields of code, in the order in which networks take them."""


@dataclass(frozen=True)
class CodeLists:
    """The three fields of n methods."""

    name: IdLists
    api: IdLists
    tokens: IdLists

    def __len__(self) -> int:
        """Return the number of methods."""
        return len(self.name)

    def take(self, rows: NDArray[np.int64]) -> CodeLists:
        """Return the fields of some methods, in the order of ``rows``."""
        return CodeLists(*(self.of(field).take(rows) for field in FIELDS))

    def of(self, field: str) -> IdLists:
        """Return the lists of one of ``FIELDS``."""
        lists: IdLists = getattr(self, field)
        return lists

    @property
    def lengths(self) -> NDArray[np.int64]:
        """Number of ids in all fields of each method, shape (n,)."""
        found: NDArray[np.int64] = sum(
            (self.of(field).lengths for field in FIELDS), np.zeros(len(self), np.int64)
        )
        return found


class WordLists:
    """A growing collection of lists of words, each cut at a length; four bytes for each word."""

    def __init__(self, length: int) -> None:
        self._length = length
        self._numbers: dict[str, int] = {}
        self._lists = ListBuilder("i")

    def add(self, words: Sequence[str]) -> None:
        """Add a list."""
        numbers = self._numbers
        kept = words[: self._length]
        self._lists.add([numbers.setdefault(word, len(numbers)) for word in kept])

    def learn(self, rows: NDArray[np.int64], size: int) -> BpeVocabulary:
        """Make a vocabulary of the most frequent words of some lists."""
        lists = self._lists.build().take(rows)
        counts = np.bincount(lists.ids, minlength=len(self._numbers)).tolist()
        found = {word: counts[number] for word, number in self._numbers.items() if counts[number]}
        return BpeVocabulary.learn(found, size=size, whole_words=1.0)

    def encode(self, vocabulary: BpeVocabulary, *, unknown: int) -> IdLists:
        """Return all lists as ids of a vocabulary."""
        words = FieldVocabulary(vocabulary, unknown)
        table = np.array([words.find(word) for word in self._numbers], np.uint16)
        offsets, numbers = self._lists.finish()
        return IdLists(offsets, table[numbers] if len(numbers) else np.zeros(0, np.uint16))


class FieldVocabulary:
    """Finds the ids of words: 0 is the padding, 1 the unknown word if it has an id of its own."""

    def __init__(self, vocabulary: BpeVocabulary, unknown: int) -> None:
        self._unknown = unknown
        self._ids = {word: number for number, word in enumerate(vocabulary.words) if number > 1}

    def find(self, word: str) -> int:
        """Return the id of a word."""
        return self._ids.get(word, self._unknown)

    def spell(self, words: Sequence[str], length: int) -> list[int]:
        """Return the ids of a list of words, cut at a length."""
        return [self.find(word) for word in words[:length]]


DESCRIPTION = "description"


@dataclass(frozen=True)
class FieldPairs:
    """Pairs of a method and its description."""

    code: CodeLists
    descriptions: IdLists

    def __len__(self) -> int:
        """Return the number of pairs."""
        return len(self.code)


@dataclass(frozen=True)
class ReadPairs:
    """The pairs of files, and the vocabularies of these or of other pairs.

    Attributes:
        training: pairs to train on.
        valid: held-out pairs, which decide when training ends.
        vocabularies: vocabularies of each field and of ``description``, from the pairs to train on,
            of these or of other files.
        empty: number of pairs that were left out since a side has no word.
        digest: digest of all pairs.
    """

    training: FieldPairs
    valid: FieldPairs
    vocabularies: dict[str, BpeVocabulary]
    empty: int
    digest: str


def read_pairs(
    paths: Sequence[Path], options: FieldEncoderOptions, *, vocabulary_paths: Sequence[Path] = ()
) -> ReadPairs:
    """Read files of ``PAIR_SCHEMA``; pairs are held out as DEV-160 says.

    Where a pair names no class, calls on the own class are left out of its API sequence.

    Args:
        paths: the files.
        options: options of the network.
        vocabulary_paths: files whose training pairs give the vocabularies; empty for ``paths``.
    """
    own = _PairWords(paths, options)
    others = own if list(vocabulary_paths or paths) == list(paths) else None
    vocabularies = (others or _PairWords(vocabulary_paths, options)).learn_vocabularies()
    training, valid = (own.encode(vocabularies, trained=trained) for trained in (True, False))
    return ReadPairs(training, valid, vocabularies, own.empty, own.digest)


class _PairWords:
    """The words of the pairs of files.

    Attributes:
        empty: number of pairs that were left out since a side has no word.
        digest: digest of all pairs.
    """

    def __init__(self, paths: Sequence[Path], options: FieldEncoderOptions) -> None:
        parts = PairParts(paths, options)
        self._options, self.digest, self.empty = options, parts.digest, 0
        self._words = {name: WordLists(length) for name, length in options.lengths.items()}
        trained: list[bool] = []
        for query, code, own_class in iterate_pairs(paths, "query", "code", "class_name"):
            part = parts.find(query, code)
            if part is None:
                continue
            fields, description = read_fields(code, own_class), split_description(query)
            if not (description and (fields.name or fields.api or fields.tokens)):
                self.empty += 1
                continue
            for field in FIELDS:
                self._words[field].add(getattr(fields, field))
            self._words[DESCRIPTION].add(description)
            trained.append(part == "train")
        self._trained = np.array(trained, bool)

    def learn_vocabularies(self) -> dict[str, BpeVocabulary]:
        """Make the vocabularies of the pairs to train on."""
        rows = np.flatnonzero(self._trained)
        size = self._options.vocabulary_size
        return {name: own.learn(rows, size) for name, own in self._words.items()}

    def encode(self, vocabularies: Mapping[str, BpeVocabulary], *, trained: bool) -> FieldPairs:
        """Return the pairs to train on, or the held-out pairs, as ids."""
        unknown, rows = unknown_id(self._options), np.flatnonzero(self._trained == trained)
        lists = {
            name: own.encode(vocabularies[name], unknown=unknown).take(rows)
            for name, own in self._words.items()
        }
        code = CodeLists(*(lists[field] for field in FIELDS))
        return FieldPairs(code, drop_padding(lists[DESCRIPTION]))


def unknown_id(options: FieldEncoderOptions) -> int:
    """Return the id of words that are not in the vocabulary."""
    return PAD if options.unknown_words == "padding" else UNKNOWN


def drop_padding(lists: IdLists) -> IdLists:
    """Drop ids that are the padding, since networks skip it in descriptions (DEV-187)."""
    kept = lists.ids != PAD
    counts = np.concatenate([[0], np.cumsum(kept)])
    return IdLists(counts[lists.offsets], lists.ids[kept])
