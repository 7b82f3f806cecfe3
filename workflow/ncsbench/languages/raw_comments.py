"""Comments as they stand: without their delimiters, with all tags, links and HTML.

What a training set has whose comments nobody has cleaned, as the study of Sun et al. (On the
Importance of Building High-quality Training Datasets for Neural Code Search, ICSE 2022) has it.
"""

from __future__ import annotations

import re

from ncsbench.languages.javadoc import is_markdown, strip_markdown

_LEADING_STARS = re.compile(r"^[ \t]*\*+ ?", re.MULTILINE)
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

    One that does not end, or has no beginning, is read as well; line ends become LF.
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
