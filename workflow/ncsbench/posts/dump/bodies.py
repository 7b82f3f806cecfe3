"""Extraction of the blocks of code from the bodies of posts.

Bodies are parsed by lexbor, which follows the HTML standard, so that a body is read as a browser
shows it. Lexbor never runs out of stack, but some malformed bodies take quadratic time. A body that
is larger or has more tags than a post can have is therefore first reduced to its ``pre`` and ``br``
tags, without nesting.
"""

from __future__ import annotations

import re

from selectolax.lexbor import LexborHTMLParser, LexborNode

MOST_CHARACTERS = 150_000
"""Most characters of a body that is parsed unchanged; the site takes 30,000 of markdown."""

MOST_TAGS = 4_000
"""Most tags of a body that is parsed unchanged."""

_BLANK = " \t\n\f"
_ANY_BLOCK = re.compile(r"<pre\b", re.IGNORECASE)
_TAG = re.compile(r"<(/?)(pre|br)\b[^<>]*>|</?[a-z!?][^<>]*>|<", re.IGNORECASE)


def extract_code(html: str) -> list[str]:
    """Return the blocks of code of a body in document order, as text, without code within lines.

    No string raises an error. A block is a ``pre`` element, of nested ones the outermost, with
    entities resolved and without outer blank lines. Empty blocks are left out.
    """
    if _ANY_BLOCK.search(html) is None:
        return []
    if len(html) > MOST_CHARACTERS or html.count("<") > MOST_TAGS:
        html = _reduce_tags(html)
    # With the tag, comments at the start of the body stay in it, beside its elements.
    tree = LexborHTMLParser(_replace_surrogates(f"<!DOCTYPE html><body>{html}"))
    found = []
    inside = 0
    for node in tree.css("pre"):
        if inside > 0:
            inside -= 1
            continue
        parts = list(node.traverse(include_text=True))
        inside = sum(part.tag == "pre" for part in parts) - 1
        found.append(_read_text(parts))
    return [text for text in found if text]


def _read_text(parts: list[LexborNode]) -> str:
    """Return the text of an element's nodes without outer blank lines; empty where all is blank."""
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


def _replace_surrogates(html: str) -> str:
    try:
        html.encode()
    except UnicodeEncodeError:
        return html.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return html


def _reduce_tags(html: str) -> str:
    """Reduce a body to its text, ``pre`` tags without nesting, and ``br`` tags.

    Lexbor reads such a body in linear time.
    """
    opened = False

    def reduce_tag(match: re.Match[str]) -> str:
        nonlocal opened
        closing, name = match.groups()
        if name is None:
            return "&lt;" if match[0] == "<" else ""
        if name.lower() == "br":
            return "<br>"
        if bool(closing) != opened:
            return ""
        opened = not opened
        return f"<{closing}pre>"

    return _TAG.sub(reduce_tag, html)
