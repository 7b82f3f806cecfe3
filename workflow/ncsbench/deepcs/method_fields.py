"""What DeepCS and CARLCS read: three fields of a method, and its description (docs/deepcs.md)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from tree_sitter import Node

from ncsbench.languages.java import parse_java_bounded, walk
from ncsbench.languages.java_api_sequence import read_api_sequence
from ncsbench.languages.java_terms import RESERVED
from ncsbench.text.words import split_words

_METHODS = {"method_declaration", "constructor_declaration", "compact_constructor_declaration"}
_NAMES = {"identifier", "type_identifier"}
# Of the released tokens, which have none of them; "of", "in" and "has" are there.
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
        name: words of its name.
        api: its API sequence (``languages.java_api_sequence``).
        tokens: distinct words of the names in its body, in the order of the text.
    """

    name: list[str]
    api: list[str]
    tokens: list[str]


def read_fields(code: str, own_class: str = "") -> MethodFields:
    """The fields of a method, or of a snippet, which may have no name (DEV-186).

    The name is that of the first method or constructor. The tokens are the words of the names in
    the bodies of methods, or in all of the code where it has none: neither names in the head of a
    method nor what a ``catch`` declares; digits, single letters, Java's keywords and seven stop
    words are dropped.

    Args:
        code: Java, complete or not; where the parser takes too many steps (DEV-122), its words are
            the tokens and nothing else is read.
        own_class: the class around it; empty where it is not known.
    """
    root = _parse(code.replace("\0", " "))
    if root is None:
        return MethodFields([], [], _choose_words([code]))
    methods = list(_find_methods(root))
    bodies = [body for node in methods if (body := node.child_by_field_name("body")) is not None]
    named = methods[0].child_by_field_name("name") if methods else None
    return MethodFields(
        [] if named is None else [word[:_LONGEST_WORD] for word in split_words(_text(named))],
        [token[:_LONGEST_WORD] for token in read_api_sequence(root, own_class)],
        _choose_words(name for body in bodies or [root] for name in _find_names(body)),
    )


def split_description(text: str) -> list[str]:
    """Words of the first sentence of a text, lower-case: runs of letters and digits."""
    text = text[:_LONGEST_TEXT].strip()
    end = _SENTENCE_END.search(text)
    sentence = text if end is None else text[: end.start()]
    return [word[:_LONGEST_WORD] for word in _WORD.findall(sentence.lower())]


def split_query(text: str) -> list[str]:
    """Words of a query: without its leading "how to" or the like, as the released search has it."""
    words = " ".join(_WORD.findall(text[:_LONGEST_TEXT].lower()))
    return [word[:_LONGEST_WORD] for word in _LEADING.sub("", words, count=1).split()]


def _parse(code: str) -> Node | None:
    """The tree of code as it is, or as a member of a class where only that is right."""
    tree = parse_java_bounded(code.encode("utf-8", "replace"))
    if tree is None or not tree.root_node.has_error:
        return None if tree is None else tree.root_node
    wrapped = parse_java_bounded(f"class X {{ {code} }}".encode("utf-8", "replace"))
    if wrapped is None or wrapped.root_node.has_error:
        return tree.root_node
    body = wrapped.root_node.children[0].child_by_field_name("body")
    return tree.root_node if body is None else body


def _find_methods(root: Node) -> Iterator[Node]:
    """Methods and constructors that are in no other one."""
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
            yield _text(node)


def _choose_words(names: Iterator[str] | list[str]) -> list[str]:
    words = (word for name in names for word in split_words(name))
    letters = (_DIGITS.sub("", word)[:_LONGEST_WORD] for word in words)
    kept = (word for word in letters if len(word) > 1)
    return list(dict.fromkeys(word for word in kept if word not in _DROPPED))


def _text(node: Node) -> str:
    return (node.text or b"").decode("utf-8", "replace")
