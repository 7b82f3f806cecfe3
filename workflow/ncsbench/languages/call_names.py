"""Finds the names before opening parentheses in Java code, complete or not, without a parser."""

from __future__ import annotations

import re
from typing import Literal

from ncsbench.text.possessive_groups import compile_possessive

NameKind = Literal["call", "creation", "declaration"]

# Comments and literals are passed over and identifiers taken whole, so that every character is
# looked at once however long the text is (possessive quantifiers, no alternative that fails late).
_TOKEN = compile_possessive(
    r"//[^\n]*+|/\*.*?(?:\*/|\Z)"
    r'|""".*?(?:"""|\Z)|"(?:\\[^\n]|[^"\\\n])*+"?+'
    r"|'(?:\\[^\n]{1,5}|[^'\\\n])'"
    r"|(?P<name>[\w$]++)(?P<opened>\s*+\()?+",
    re.DOTALL,
)
_LETTER = re.compile(r"\A\D*[^\W\d_]")  # no number, nor "$" or "_" alone
_BEFORE = 200  # characters that decide about the kind of a name
_QUALIFIERS = compile_possessive(r"\bnew\s++(?:[\w$]++\s*+\.\s*+)*+\Z")
_TYPE_ARGUMENTS = re.compile(r"[\w$]<[\w$\s,.<>?\[\]]*[\w$>?\]]>\Z")
_LAST_WORD = re.compile(r"[\w$]+\Z")
_ANNOTATION = compile_possessive(r"@\s*+(?:[\w$]++\s*+\.\s*+)*+\Z")

# Reserved words that can stand before a parenthesis.
_NO_NAMES = frozenset(
    """assert case catch do else extends finally for if implements instanceof new return super
    switch synchronized this throw throws try while yield""".split()
)


def find_names(code: str) -> list[tuple[str, NameKind]]:
    """Every name directly before "(", in text order, and what it seems to be.

    Reserved words (``if (``, ``super(``) and annotations (``@Named(``) are no names. A name after
    ``new`` is a creation; one after a word or type that is no reserved word, as in
    ``void onClick(``, is a declaration; all others are calls. The text need not be Java: the rule
    looks at signs only and never fails.
    """
    names: list[tuple[str, NameKind]] = []
    for match in _TOKEN.finditer(code):
        name = match["name"]
        if match["opened"] is None or name in _NO_NAMES or not _LETTER.search(name):
            continue
        kind = _kind(code[max(0, match.start() - _BEFORE) : match.start()])
        if kind is not None:
            names.append((name, kind))
    return names


def _kind(before: str) -> NameKind | None:
    """What a name is by the text before it; None for an annotation."""
    if _QUALIFIERS.search(before):
        return "creation"
    text = before.rstrip()
    if _ANNOTATION.search(before):
        return None
    if text.endswith("]") or _TYPE_ARGUMENTS.search(text):
        return "declaration"
    word = _LAST_WORD.search(text)
    if word is None or word[0] in _NO_NAMES:
        return "call"
    return "declaration"
