"""Integer codes of tokens; the judge reads bodies of methods as streams of these codes."""

from __future__ import annotations

from ncsbench.languages.java import java_language

CLOSE = 0
"""Ends a rule application."""

OPEN = 1
"""Begins a rule application of the reference grammar."""

KEYWORD, LEAF, VARIABLE = 0, 1, 2
"""Kinds of tokens: spelled by the language, spelled by the author, name of a variable."""

# Named nodes of tree-sitter-java without children whose text is always the same.
NAMED_KEYWORDS = {
    "asterisk": "*",
    "boolean_type": "boolean",
    "null_literal": "null",
    "super": "super",
    "this": "this",
    "underscore_pattern": "_",
    "void_type": "void",
}


def _keywords() -> list[str]:
    language = java_language()
    texts = set(NAMED_KEYWORDS.values())
    for kind in range(language.node_kind_count):
        text = language.node_kind_for_id(kind)
        if text and language.node_kind_is_visible(kind) and not language.node_kind_is_named(kind):
            texts.add(text)
    return sorted(texts)


KEYWORD_CODES = {text: code for code, text in enumerate(_keywords(), start=OPEN + 1)}
"""Codes of the keyword tokens, the same in every ``Symbols``."""


class _Codes(dict[bytes, int]):
    """Codes of leaves of one kind by their text in UTF-8; an unknown text gets the next code."""

    def __init__(self, symbols: Symbols) -> None:
        self._symbols = symbols

    def __missing__(self, text: bytes) -> int:
        code = self[text] = self._symbols.add(LEAF, text.decode("utf-8", "replace"))
        return code


class _VariableCodes(_Codes):
    """Codes of names where a variable may stand; an upper-case first letter tells a class."""

    def __missing__(self, text: bytes) -> int:
        spelled = text.decode("utf-8", "replace")
        is_class = spelled[:1].isupper()
        code = self._symbols.names[text] if is_class else self._symbols.add(VARIABLE, spelled)
        self[text] = code
        return code


class Symbols:
    """A growing table of tokens: one dense code from 2 on for each kind and text.

    Attributes:
        kinds: by code ``KEYWORD``, ``LEAF`` or ``VARIABLE``; those of 0 and 1 mean nothing.
        texts: by code the text of the token; those of 0 and 1 are empty.
        names: by text in UTF-8 the codes of leaves which are no variables.
        variables: by text in UTF-8 the codes of names where a variable may stand.
    """

    def __init__(self) -> None:
        self.kinds = [KEYWORD] * (len(KEYWORD_CODES) + 2)
        self.texts = ["", "", *KEYWORD_CODES]
        self.names: dict[bytes, int] = _Codes(self)
        self.variables: dict[bytes, int] = _VariableCodes(self)

    def __len__(self) -> int:
        return len(self.kinds)

    def add(self, kind: int, text: str) -> int:
        """Append a token and return its code."""
        self.kinds.append(kind)
        self.texts.append(text)
        return len(self.kinds) - 1
