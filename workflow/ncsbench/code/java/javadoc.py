"""Javadoc comments as plain text: the whole of one, or its first sentence; cleaned or as it is.

A raw sentence is that of a training set whose comments nobody has cleaned (Sun et al., On the
Importance of Building High-quality Training Datasets for Neural Code Search, ICSE 2022).
"""

from __future__ import annotations

import html
import re
from textwrap import dedent

from ncsbench.base.text.possessive_groups import compile_possessive

JAVADOC = r"^(?:/\*\*|//(/))(?:[^/]|$)"
"""The beginning of documentation: ``/**``, or ``///`` with Markdown (JEP 467, DEV-213)."""
_JAVADOC = re.compile(JAVADOC)

# No star before the last ones: else each of a row is the first of a search for the end of it.
_FRAME = re.compile(r"\A/\*\*+|(?<!\*)\*+/\Z")
_LEADING_STARS = re.compile(r"^[ \t]*\*+ ?", re.MULTILINE)
_STROKES = re.compile(r"^[ \t]*///", re.MULTILINE)
_BLOCK_TAG = re.compile(r"^[ \t]*@[A-Za-z]", re.MULTILINE)
# With the name of the parameter or type parameter that it describes.
_TAG_AND_NAME = re.compile(
    r"^[ \t]*@(?:param\b\s*+(?:[\w$]++|<\s*+[\w$]++\s*+>)?|[A-Za-z][\w.-]*+)", re.MULTILINE
)
_INLINE_TAG = compile_possessive(r"\{@(\w+)((?:[^{}]|\{[^{}]*+\})*+)\}")
_REFERENCE = re.compile(r"\s*+([\w.$]*+)(?:#(\w++))?(?:\([^)]*+\))?(.*)", re.DOTALL)
_BLOCK_ELEMENTS = "p|pre|ul|ol|li|dl|dt|dd|table|div|blockquote|h[1-6]|hr"
_ELEMENTS = (
    "a|abbr|acronym|b|big|br|center|cite|code|dfn|em|font|i|img|kbd|s|samp|small|span|strike|"
    "strong|sub|sup|tbody|td|th|thead|tr|tt|u|var"
)
_NEW_LINE = re.compile(r"<br\b[^<>]*>", re.IGNORECASE)
_BREAK = re.compile(rf"</?(?:{_BLOCK_ELEMENTS})\b[^<>]*>|\n[ \t]*\n", re.IGNORECASE)
_ELEMENT = re.compile(
    rf"</?(?:{_ELEMENTS}|{_BLOCK_ELEMENTS}|br)\b[^<>]*>|<!--.*?(?:-->|\Z)", re.I | re.S
)
# An ideographic full stop needs no blank behind it.
_END = re.compile(r"[.!?](?=\s|\Z)|[。！？]")  # noqa: RUF001
# Something always follows the first kind; the second also ends sentences, so the next letter tells.
_NEVER_LAST = re.compile(r"\b(?:e\.g|i\.e|vs|cf|approx|resp|incl|inc)\.\Z", re.I)
_ABBREVIATION = re.compile(r"\b(?:etc|no|fig|[a-z])\.\Z", re.I)
_CONTINUES = re.compile(r"\s+[^A-Z\s]")


def is_javadoc(comment: str) -> bool:
    """Say whether a comment with its marks is documentation."""
    return _JAVADOC.match(comment) is not None


def is_markdown(comment: str) -> bool:
    """Say whether a comment is documentation of lines that begin with ``///``."""
    found = _JAVADOC.match(comment)
    return found is not None and found[1] is not None


def strip_markdown(comment: str) -> str:
    """The text of lines that begin with ``///``, shifted left as javadoc does."""
    return dedent(_STROKES.sub("", comment))


def read_text(comment: str) -> str:
    """The whole text of a comment without its tags and markup, several lines long (DEV-87).

    Of a block tag the text behind it stays, but for the name of a parameter behind ``@param``.
    Inline tags, elements and entities are read as by ``read_first_sentence``. The stars before
    lines go, those within them stay.
    """
    text = _strip_frame(comment)
    if "@" in text:
        text = _TAG_AND_NAME.sub("", _INLINE_TAG.sub(_read_inline_tag, text))
    if "<" in text:
        text = _ELEMENT.sub(" ", text)
    return html.unescape(text)


def read_first_sentence(comment: str) -> str:
    """The first sentence of a comment without stars, tags and markup; empty where it has none.

    Conventions of the javadoc tool: the sentence ends at the first full stop before a blank or at
    the first block tag. Here an empty line and an element that begins a block end it as well, and
    the full stop of an abbreviation does not (DEV-52). ``{@link A#b label}`` gives its label or
    ``A.b``, ``{@code x}`` gives ``x``, ``{@inheritDoc}`` nothing; elements of HTML are dropped,
    entities resolved, and what only looks like an element (``List<String>``) stays.
    """
    text = _strip_frame(comment)
    tag = _BLOCK_TAG.search(text)
    text = text if tag is None else text[: tag.start()]
    text = _INLINE_TAG.sub(_read_inline_tag, text)
    for part in _BREAK.split(text):
        plain = " ".join(html.unescape(_ELEMENT.sub("", _NEW_LINE.sub(" ", part))).split())
        if any(character.isalnum() for character in plain):
            return _cut_sentence(plain)
    return ""


def _strip_frame(comment: str) -> str:
    lines = comment.strip().replace("\r\n", "\n").replace("\r", "\n")
    if is_markdown(lines):
        return strip_markdown(lines)
    return _LEADING_STARS.sub("", _FRAME.sub("", lines))


def _read_inline_tag(match: re.Match[str]) -> str:
    name, content = match[1].lower(), match[2]
    if name in {"code", "literal", "index"}:
        return html.escape(content.strip(), quote=False)
    if name in {"link", "linkplain"}:
        reference = _REFERENCE.match(content)
        if reference is None:
            return content
        label = reference[3].strip()
        return label or ".".join(part for part in reference.group(1, 2) if part)
    return ""


def _cut_sentence(text: str) -> str:
    for match in _END.finditer(text):
        end, start = match.end(), max(0, match.end() - 8)
        if _NEVER_LAST.search(text, start, end):
            continue
        if not (_ABBREVIATION.search(text, start, end) and _CONTINUES.match(text, end)):
            return text[:end]
    return text


_STOP = re.compile(r"[.\r\n]")


def read_raw_sentence(comment: str) -> str:
    """The first sentence of a comment with its delimiters; empty where it has none (DEV-180)."""
    return cut_raw_sentence(strip_delimiters(comment))


def cut_raw_sentence(text: str) -> str:
    """A text up to its first full stop, CR or LF, without blanks around it (DEV-180).

    Nothing else ends it, and any full stop does: that of ``e.g.``, and that within a name.

    Args:
        text: without delimiters.
    """
    return _STOP.split(text.strip(), maxsplit=1)[0].rstrip()


def strip_delimiters(comment: str) -> str:
    """The text of a comment without its beginning, its end and the stars before its lines.

    A comment that does not end, or has no beginning, is read as well; line ends become LF.
    """
    text = comment.strip()
    if is_markdown(text):
        return strip_markdown(text.replace("\r\n", "\n").replace("\r", "\n"))
    begins = text.startswith("/*")
    if text.endswith("*/"):
        text = text[:-1].rstrip("*")
    if begins:
        text = text[1:].lstrip("*")
    return _LEADING_STARS.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))
