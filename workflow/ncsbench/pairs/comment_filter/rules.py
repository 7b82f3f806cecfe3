"""Rules against comments that are unlike queries (Sun et al., ICSE 2022, Section 3.1, Table 1).

Each rule is as the paper describes it. Where the released code (v587su/NLQF at 806de48,
``rule_filter.py``) differs, a second function ``..._as_released`` follows the code. A function
``detach_...`` returns the comment without some of its parts; any other function returns True where
the comment is rejected. All take time that is linear in the length of the comment.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

NOT_READABLE = "not readable"
"""Beginning of the reason for a line or comment that cannot be judged."""

_ELEMENTS = (
    "a abbr acronym address applet area article aside audio b base basefont bdi bdo big blockquote "
    "body br button canvas caption center cite code col colgroup data datalist dd del details dfn "
    "dialog dir div dl dt em embed fieldset figcaption figure font footer form frame frameset h1 "
    "h2 h3 h4 h5 h6 head header hr html i iframe img input ins kbd label legend li link main map "
    "mark menu meta meter nav noframes noscript object ol optgroup option output p param picture "
    "pre progress q rp rt ruby s samp script section select small source span strike strong style "
    "sub summary sup table tbody td template textarea tfoot th thead time title tr track tt u ul "
    "var video wbr"
)
_NAMES = "|".join([_ELEMENTS, _ELEMENTS.upper()]).replace(" ", "|")
# No tag extends over another "<", so that no text is searched twice. A single capital behind a
# word, as in List<P>, is a type argument and no tag.
_HTML_TAG = re.compile(rf"(?!(?<=\w)<[A-Z]>)</?(?:{_NAMES})(?:[\s/][^<>]*)?>")
_PARENTHESIS = re.compile(r"[()]")
_JAVADOC_TAG = re.compile(r"(?<!\w)@[A-Za-z]")
_TAG_AS_RELEASED = re.compile(r"@[a-zA-Z0-9]")
_ABOVE_LATIN_1 = re.compile(r"[^\x00-\xff]")
_LETTER = re.compile(r"[a-zA-Z]")


def detach_html_tags(comment: str) -> str:
    """Remove tags of HTML elements; their content and ``List<String>`` stay (DEV-165)."""
    return _HTML_TAG.sub("", comment) if "<" in comment else comment


def detach_html_tags_as_released(comment: str) -> str:
    """Remove all text from any ``<`` to the next ``>`` where something is between the two."""
    return _detach_spans(comment, "<", ">", shortest=1)


def detach_parentheses(comment: str) -> str:
    """Remove parentheses, also nested ones, with their content; an unpaired parenthesis stays."""
    if "(" not in comment:
        return comment
    opened: list[int] = []
    spans: list[tuple[int, int]] = []  # outermost pairs so far, in order
    for found in _PARENTHESIS.finditer(comment):
        if found[0] == "(":
            opened.append(found.start())
        elif opened:
            start = opened.pop()
            while spans and spans[-1][0] > start:
                spans.pop()
            spans.append((start, found.end()))
    return _cut_out(comment, spans)


def detach_parentheses_as_released(comment: str) -> str:
    """Remove all text from any ``(`` to the next ``)``: of ``(a (b) c)`` there remains `` c)``."""
    return _detach_spans(comment, "(", ")", shortest=0)


def has_javadoc_tag(comment: str) -> bool:
    """Say whether a word begins with ``@`` and a letter, such as ``@return`` and ``{@link``."""
    return "@" in comment and _JAVADOC_TAG.search(comment) is not None


def has_javadoc_tag_as_released(comment: str) -> bool:
    """Say whether a letter or digit follows an ``@``, which also holds for e-mail addresses."""
    return "@" in comment and _TAG_AS_RELEASED.search(comment) is not None


def has_url(comment: str) -> bool:
    """Say whether the comment has a URL: ``://``."""
    return "://" in comment


def is_non_english(comment: str) -> bool:
    """Say whether the comment has a non-ASCII character, also a typographic quote (Section 7)."""
    return not comment.isascii()


def is_non_english_as_released(comment: str) -> bool:
    """Say whether the comment has a character above U+00FF; ``é`` is not above."""
    return not comment.isascii() and _ABOVE_LATIN_1.search(comment) is not None


def has_no_letter(comment: str) -> bool:
    """Say whether the comment has no ASCII letter, such as a row of ``=``."""
    return _LETTER.search(comment) is None


def is_question(comment: str) -> bool:
    """Say whether the comment ends with a question mark, white space apart."""
    return comment.rstrip().endswith("?")


def is_question_as_released(comment: str) -> bool:
    """Say whether the last character is a question mark; a blank behind hides the mark."""
    return comment.endswith("?")


def is_short(comment: str) -> bool:
    """Say whether the comment has at most two words, as white space divides them."""
    return len(comment.split(None, 2)) <= 2


def has_html_left_as_released(comment: str) -> bool:
    """Say whether ``detach_html_tags_as_released`` would remove something of the comment."""
    return next(_find_spans(comment, "<", ">", shortest=1), None) is not None


def is_unicode(text: str) -> bool:
    """Say whether a text can be written as UTF-8: half of a surrogate pair of UTF-16 cannot."""
    try:
        return text.isascii() or bool(text.encode())
    except UnicodeEncodeError:
        return False


def _detach_spans(comment: str, opening: str, closing: str, *, shortest: int) -> str:
    return _cut_out(comment, _find_spans(comment, opening, closing, shortest=shortest))


def _find_spans(
    comment: str, opening: str, closing: str, *, shortest: int
) -> Iterator[tuple[int, int]]:
    """Yield spans from an opening mark to the next closing one, ``shortest`` characters apart.

    A regular expression would look for a missing closing mark again for every opening mark.
    """
    start = comment.find(opening)
    while start >= 0:
        end = comment.find(closing, start + 1)
        if end < 0:
            return
        if end - start > shortest:
            yield start, end + 1
            start = comment.find(opening, end + 1)
        else:
            start = comment.find(opening, start + 1)


def _cut_out(comment: str, spans: Iterable[tuple[int, int]]) -> str:
    """Return the comment without some spans, which are in order and do not overlap."""
    parts, end = [], 0
    for start, stop in spans:
        parts.append(comment[end:start])
        end = stop
    return "".join([*parts, comment[end:]]) if parts else comment
