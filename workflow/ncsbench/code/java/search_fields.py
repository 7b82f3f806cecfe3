"""The words of a method by their places, which are the fields of a search, and names it calls.

The code is read character by character, without a parser: a snippet has fields too, and any text
takes time in proportion to its length.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Literal

from ncsbench.base.text.possessive_groups import compile_possessive
from ncsbench.base.text.words import split_words
from ncsbench.code.java.java_terms import MAXIMUM_STRING, RESERVED
from ncsbench.code.java.javadoc import read_text

NameKind = Literal["call", "creation", "declaration"]

# Comments and literals are passed over and identifiers taken whole, so that every character is
# looked at once however long the text is (possessive quantifiers, no alternative that fails late).
_NAME_TOKEN = compile_possessive(
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

# Reserved words that can come before a parenthesis.
_NO_NAMES = frozenset(
    """assert case catch do else extends finally for if implements instanceof new return super
    switch synchronized this throw throws try while yield""".split()
)


def find_names(code: str) -> list[tuple[str, NameKind]]:
    """Every name directly before "(", in text order, and its kind as far as signs show it.

    Reserved words (``if (``, ``super(``) and annotations (``@Named(``) are no names. A name after
    ``new`` is a creation; one after a word or type that is no reserved word, as in
    ``void onClick(``, is a declaration; all others are calls. The text need not be Java: the rule
    looks at signs only and never fails.
    """
    names: list[tuple[str, NameKind]] = []
    for match in _NAME_TOKEN.finditer(code):
        name = match["name"]
        if match["opened"] is None or name in _NO_NAMES or not _LETTER.search(name):
            continue
        kind = _kind(code[max(0, match.start() - _BEFORE) : match.start()])
        if kind is not None:
            names.append((name, kind))
    return names


def _kind(before: str) -> NameKind | None:
    """The kind of a name by the text before it; None for an annotation."""
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


SearchFields = dict[str, list[str]]
"""Words by field, lower-case, repeated ones kept; the keys are ``FIELDS``."""
WORD_FIELDS = ("name", "class", "calls", "types", "constants", "strings", "doc")
"""Fields of split words."""
FIELDS = (*WORD_FIELDS, "unsplit")

# Comments and annotations are passed over. A chain is what dots join; every character is looked at
# once.
_TOKEN = compile_possessive(
    r"//[^\n]*+|/\*.*?(?:\*/|\Z)"
    r'|"""(?P<block>.*?)(?:"""|\Z)|"(?P<string>(?:\\[^\n]|[^"\\\n])*+)"?+'
    r"|'(?:\\[^\n]{1,5}|[^'\\\n])'"
    r"|@\s*+[\w$.]++"
    r"|(?P<chain>[\w$]++(?:\s*+\.\s*+[\w$]++)*+)(?=\s*+(?P<after>[\w$(.]|::)?+)",
    re.DOTALL,
)
_PART = re.compile(r"[\w$]+")
_ESCAPE = re.compile(r"\\.", re.DOTALL)
_CONSTANT = re.compile(r"[A-Z][A-Z0-9_$]+")
_BLOCK_TAG = re.compile(r"^[ \t]*+/?+\*{0,3}+[ \t]*+@[A-Za-z]", re.MULTILINE)
_BREAK = re.compile(
    r"</?(?:p|pre|[ou]l|li|d[ltd]|table|div|blockquote|h[1-6]|hr)\b[^<>]*+>"
    r"|\n[ \t]*+\*?+[ \t]*+(?=\n)",
    re.IGNORECASE,
)


def read_search_fields(
    code: str, class_name: str, comment: str | None, *, method_name: str = ""
) -> SearchFields:
    """The fields of a method or a snippet.

    ========= =====================================================================================
    name      the method's name
    class     the class around it
    calls     names of called methods, and of those that are declared within
    types     types, created classes, and receivers of calls: ``list`` of ``list.add(x)``
    constants names in capitals, and those of Android's resources: ``title`` of ``R.id.title``
    strings   string literals of at most 300 characters
    doc       the first paragraph of the comment without tags and markup
    unsplit   the names of all fields above but ``strings`` and ``doc``, unsplit: ``arraylist``
    ========= =====================================================================================

    A name in capitals is a type where a dot or a name follows, as in ``URL url``.

    Args:
        code: Java, complete or not.
        class_name: may be empty.
        comment: with its marks; None or empty without a comment.
        method_name: where it is known; else the first name that seems to be declared.
    """
    found = _NamesOfCode(code)
    declared = method_name or next((n for n, kind in find_names(code) if kind == "declaration"), "")
    if declared in found.calls:
        found.calls.remove(declared)  # the declaration, which comes first
    names = {
        "name": [declared],
        "class": [class_name],
        "calls": found.calls,
        "types": found.types,
        "constants": found.constants,
    }
    fields = {field: _split(listed) for field, listed in names.items()}
    fields["types"] += _split(found.receivers)
    fields["strings"] = _split(found.strings)
    fields["doc"] = _read_first_paragraph(comment) if comment else []
    fields["unsplit"] = [name.lower() for listed in names.values() for name in listed if name]
    return fields


class _NamesOfCode:
    """The names and strings of a code in text order, by the kinds that they seem to have."""

    def __init__(self, code: str) -> None:
        self.calls: list[str] = []
        self.types: list[str] = []
        self.receivers: list[str] = []
        """Receivers of calls in small letters, which are therefore no types."""
        self.constants: list[str] = []
        self.strings: list[str] = []
        before = ""
        for match in _TOKEN.finditer(code):
            if chain := match["chain"]:
                self._add(_PART.findall(chain), match["after"], is_created=before == "new")
                before = chain
            elif text := match["string"] or match["block"]:
                if len(text) <= MAXIMUM_STRING:
                    self.strings.append(_ESCAPE.sub(" ", text))

    def _add(self, chain: list[str], after: str | None, *, is_created: bool) -> None:
        """Add names joined by dots, given the text behind them."""
        *owners, last = chain
        is_called = after == "(" and not is_created
        for owner in owners:
            if _is_type(owner) or _CONSTANT.fullmatch(owner):
                self.types.append(owner)
            elif is_called and len(owner) > 1 and owner not in RESERVED:
                self.receivers.append(owner)
        if is_called:
            if last not in RESERVED:
                self.calls.append(last)
        elif _is_type(last) or (after == "(" and last not in RESERVED):
            self.types.append(last)
        elif owners[:1] == ["R"]:
            self.constants.append(last)
        elif _CONSTANT.fullmatch(last):
            (self.types if is_created or (after and not owners) else self.constants).append(last)


def _is_type(name: str) -> bool:
    return name[0].isupper() and not name.isupper()


def _split(names: Iterable[str]) -> list[str]:
    return [word for name in names for word in _split_name(name)]


@lru_cache(1 << 16)
def _split_name(name: str) -> tuple[str, ...]:
    # Names come again and again.
    return tuple(split_words(name))


def _read_first_paragraph(comment: str) -> list[str]:
    """Words of the first paragraph that has any, without block tags and all text behind them."""
    text = comment.replace("\r\n", "\n").replace("\r", "\n")
    tag = _BLOCK_TAG.search(text)
    for part in _BREAK.split(text if tag is None else text[: tag.start()]):
        words = split_words(read_text(part))
        if words:
            return words
    return []
