"""Rules against comments that no query is like (Sun et al., ICSE 2022, Section 3.1, Table 1).

Each is as the paper says it. Where the released code (v587su/NLQF at 806de48, ``rule_filter.py``)
does something else, a second function does that. A function ``detach_...`` gives back the comment
without a part of it, any other whether the comment is rejected. All take time that is linear in the
length of the comment, whatever it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

NOT_READABLE = "not readable"
"""How the reason begins of what is no comment that could be judged."""

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
# No tag reaches over another "<": what is looked at once is not looked at again. A single capital
# behind a word is the type argument of List<P>.
_HTML_TAG = re.compile(rf"(?!(?<=\w)<[A-Z]>)</?(?:{_NAMES})(?:[\s/][^<>]*)?>")
_PARENTHESIS = re.compile(r"[()]")
_JAVADOC_TAG = re.compile(r"(?<!\w)@[A-Za-z]")
_TAG_AS_RELEASED = re.compile(r"@[a-zA-Z0-9]")
_ABOVE_LATIN_1 = re.compile(r"[^\x00-\xff]")
_LETTER = re.compile(r"[a-zA-Z]")


def detach_html_tags(comment: str) -> str:
    """Tags of HTML elements go, what they wrap stays; ``List<String>`` stays as it is (DEV-165)."""
    return _HTML_TAG.sub("", comment) if "<" in comment else comment


def detach_html_tags_as_released(comment: str) -> str:
    """From any ``<`` to the next ``>`` all goes that has something between them."""
    return _detach_spans(comment, "<", ">", shortest=1)


def detach_parentheses(comment: str) -> str:
    """What stands in parentheses goes with them, also nested ones; one without its like stays."""
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
    """From any ``(`` to the next ``)`` all goes, so that of ``(a (b) c)`` `` c)`` stays."""
    return _detach_spans(comment, "(", ")", shortest=0)


def has_javadoc_tag(comment: str) -> bool:
    """Whether a word begins with ``@`` and a letter, such as ``@return`` and ``{@link``."""
    return "@" in comment and _JAVADOC_TAG.search(comment) is not None


def has_javadoc_tag_as_released(comment: str) -> bool:
    """Whether a letter or digit stands behind an ``@``, as in addresses of e-mail too."""
    return "@" in comment and _TAG_AS_RELEASED.search(comment) is not None


def has_url(comment: str) -> bool:
    """Whether it has a URL: ``://``."""
    return "://" in comment


def is_non_english(comment: str) -> bool:
    """Whether it has a character that is not ASCII (Section 7), such as a typographic quote."""
    return not comment.isascii()


def is_non_english_as_released(comment: str) -> bool:
    """Whether it has a character above U+00FF; ``é`` is none."""
    return not comment.isascii() and _ABOVE_LATIN_1.search(comment) is not None


def has_no_letter(comment: str) -> bool:
    """Whether it has no letter of ASCII, as rows of ``=`` have none."""
    return _LETTER.search(comment) is None


def is_question(comment: str) -> bool:
    """Whether it ends with a question mark, white space apart."""
    return comment.rstrip().endswith("?")


def is_question_as_released(comment: str) -> bool:
    """Whether its last character is a question mark; a blank behind it hides it."""
    return comment.endswith("?")


def is_short(comment: str) -> bool:
    """Whether it has at most two words, as white space divides them."""
    return len(comment.split(None, 2)) <= 2


def has_html_left_as_released(comment: str) -> bool:
    """Whether ``detach_html_tags_as_released`` would take something away."""
    return next(_find_spans(comment, "<", ">", shortest=1), None) is not None


def is_unicode(text: str) -> bool:
    """Whether a text can be written: half of a pair of UTF-16 cannot."""
    try:
        return text.isascii() or bool(text.encode())
    except UnicodeEncodeError:
        return False


def _detach_spans(comment: str, opening: str, closing: str, *, shortest: int) -> str:
    return _cut_out(comment, _find_spans(comment, opening, closing, shortest=shortest))


def _find_spans(
    comment: str, opening: str, closing: str, *, shortest: int
) -> Iterator[tuple[int, int]]:
    """From each opening mark to the next closing one, with so many characters between them.

    As a regular expression it would look for a closing mark that is not there once for every
    opening one.
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
    """The comment without some spans, which stand in order and do not overlap."""
    parts, end = [], 0
    for start, stop in spans:
        parts.append(comment[end:start])
        end = stop
    return "".join([*parts, comment[end:]]) if parts else comment
