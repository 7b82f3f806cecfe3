"""Extracts the code from the bodies of posts.

Bodies are parsed by lexbor, which follows the HTML standard, so that a body is read as a browser
shows it. Lexbor never runs out of stack, but some malformed bodies take quadratic time. A body that
is larger or has more tags than a post can have is therefore first reduced to its ``pre``, ``code``
and ``br`` tags, without nesting.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from selectolax.lexbor import LexborHTMLParser, LexborNode

MOST_CHARACTERS = 150_000
"""Of a body that is parsed as it stands; the site takes at most 30,000 characters of markdown."""

MOST_TAGS = 4_000
"""Of a body that is parsed as it stands."""

_BLANK = " \t\n\f"
_ANY_CODE = re.compile(r"<(?:pre|code)\b", re.IGNORECASE)
_CLASS = re.compile(r"(?:^|\s)lang(?:uage)?-(\S+)")
_HINT = re.compile(r"\s*language(-all)?:\s*(?:lang(?:uage)?-)?(\S+)\s*", re.IGNORECASE)
_TAG = re.compile(r"<(/?)(pre|code|br)\b([^<>]*)>|</?[a-z!?][^<>]*>|<", re.IGNORECASE)
_TAG_CLASS = re.compile(r"\blang(?:uage)?-[^\s\"'<>]+", re.IGNORECASE)


@dataclass(frozen=True)
class CodeBlock:
    """A code block of a body, as text.

    Attributes:
        text: the code with entities resolved, without outer blank lines.
        kind: ``block`` (``pre`` with ``code``), ``preformatted`` (``pre`` alone), ``inline``.
        language: from a class or a comment of the body, lower-case ("java"); None where unstated.
    """

    text: str
    kind: Literal["block", "preformatted", "inline"]
    language: str | None


def extract_code(html: str) -> list[CodeBlock]:
    """All code of a body in document order.

    No string raises an error. Of nested elements the outermost counts, except that a ``pre`` in a
    ``code`` is a block of its own and the rest of that ``code`` is left out: a missing end tag
    would otherwise turn prose into code. Empty code is left out. ``lang-none``, common for logs,
    is the language "none". A comment states the language of the next ``pre``
    (``language: lang-java``) or of every ``pre`` (``language-all: lang-java``); a class goes before
    a comment.
    """
    if _ANY_CODE.search(html) is None:
        return []
    if len(html) > MOST_CHARACTERS or html.count("<") > MOST_TAGS:
        html = _reduce_tags(html)
    # The tag keeps comments at the start of a body beside its elements.
    tree = LexborHTMLParser(_replace_surrogates(f"<!DOCTYPE html><body>{html}"))
    hinted = "<!--" in html
    common = _find_common_language(tree) if hinted else None
    found = []
    inside = 0
    in_code = 0
    for node in tree.css("pre, code"):
        in_code -= 1
        if inside > 0:
            inside -= 1
            continue
        parts = list(node.traverse(include_text=True))
        tags = [part.tag for part in parts]
        nested = tags.count("pre") + tags.count("code") - 1
        if node.tag == "code" and "pre" in tags:
            in_code = max(in_code, nested + 1)
            continue
        inside = nested
        text = _read_text(parts)
        if not text:
            continue
        language = _find_class_language(parts)
        if node.tag == "code":
            found.append(CodeBlock(text, "inline", language))
            continue
        if language is None and hinted:
            language = _find_hint(node) or common
        block = "code" in tags or in_code > 0
        found.append(CodeBlock(text, "block" if block else "preformatted", language))
    return found


def _read_text(parts: list[LexborNode]) -> str:
    """The text of an element's nodes without outer blank lines; empty where all is blank."""
    text = "".join(
        (part.text_content or "") if part.is_text_node else "\n" if part.tag == "br" else ""
        for part in parts
    )
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    if not text.strip():
        return ""
    behind = len(text) - len(text.lstrip(_BLANK))
    return text[text.rfind("\n", 0, behind) + 1 :].rstrip(_BLANK)


def _find_class_language(parts: list[LexborNode]) -> str | None:
    for part in parts:
        if part.is_element_node and part.tag in {"pre", "code"}:
            match = _CLASS.search((part.attributes.get("class") or "").lower())
            if match is not None:
                return match[1]
    return None


def _find_hint(pre: LexborNode) -> str | None:
    """The language that the comment directly before a ``pre`` states."""
    before = pre.prev
    while before is not None and before.is_text_node and not (before.text_content or "").strip():
        before = before.prev
    hint = _read_hint(before) if before is not None else None
    return hint[2].lower() if hint is not None and hint[1] is None else None


def _find_common_language(tree: LexborHTMLParser) -> str | None:
    """The language that a comment of the body states for all of it."""
    for node in tree.root.traverse() if tree.root is not None else ():
        hint = _read_hint(node)
        if hint is not None and hint[1] is not None:
            return hint[2].lower()
    return None


def _read_hint(node: LexborNode) -> re.Match[str] | None:
    return _HINT.fullmatch(node.comment_content or "") if node.is_comment_node else None


def _replace_surrogates(html: str) -> str:
    try:
        html.encode()
    except UnicodeEncodeError:
        return html.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return html


def _reduce_tags(html: str) -> str:
    """The body with its ``pre``, ``code`` and ``br`` tags only, none inside its own kind.

    What lexbor reads in linear time: at most a ``code`` in a ``pre``, no attribute but a class.
    """
    opened: list[str] = []

    def reduce_tag(match: re.Match[str]) -> str:
        closing, name, attributes = match.groups()
        if name is None:
            return "&lt;" if match[0] == "<" else ""
        name = name.lower()
        if name == "br":
            return "<br>"
        if closing:
            if name not in opened:
                return ""
            closed = opened[opened.index(name) :]
            del opened[opened.index(name) :]
            return "".join(f"</{each}>" for each in reversed(closed))
        if name in opened:
            return ""
        before = "</code>" if opened == ["code"] else ""
        opened[:] = ["pre", "code"] if opened == ["pre"] else [name]
        language = _TAG_CLASS.search(attributes)
        state = f' class="{language[0]}"' if language is not None else ""
        return f"{before}<{name}{state}>"

    return _TAG.sub(reduce_tag, html)
