"""The words by which the leak check compares two snippets.

Comments, imports, layout, separators (brackets, commas, semicolons, dots), names of variables and
modifiers are left out. Literals, types, called methods, fields, constants, other keywords and
operators stay. So a copy is found although its variables were renamed or it was wrapped in a
method, while two snippets that share only their syntax are not similar (DEV-51).
"""

from __future__ import annotations

import re

from ncsbench.text.possessive_groups import compile_possessive

# Literals lose imports and ``this`` as well, on both sides of a comparison.
_IMPORT = re.compile(
    r"(?<![.\w$])(?:import|package)[ \t]++(?:static[ \t]++)?[\w.$*]++[ \t]*+(?:;|(?=[\n\r]|\Z))"
)
_FIELD_OF_THIS = re.compile(r"(?<![\w$])this\s*+\.\s*+(?=[a-z_$][\w$]*+(?!\s*+\())")
# A variable is a name in lower case that is neither called nor behind a dot. Possessive marks and
# literals that may end with their line keep hostile text linear.
_TOKEN = compile_possessive(
    r"""//[^\n\r]*+|/\*.*?(?:\*/|\Z)
    |(?P<variable>(?<![.\w$])[a-z_$][\w$]*+(?!\s*+\())
    |(?P<word>"(?:[^"\\\n\r]|\\.)*+"?|'(?:[^'\\\n\r]|\\.)*+'?|[\w$]++
    |>>>?=|<<=|->|::|\+\+|--|&&|\|\||[-+*/%&|^!=<>]=|[-+*/%&|^!=<>~?:])""",
    re.VERBOSE | re.DOTALL,
)
_SPACED_DOT = re.compile(r" ?\. ?")
_MODIFIERS = frozenset(
    "abstract default final native private protected public static strictfp synchronized this "
    "transient volatile".split()
)
_KEYWORDS = frozenset(
    "assert boolean break byte case catch char class const continue do double else enum extends "
    "false finally float for goto if implements import instanceof int interface long new null "
    "package return short super switch throw throws true try void while".split()
)


def split_code_tokens(code: str) -> tuple[list[str], list[str]]:
    """Tokens of a snippet, and those of them by which it is compared; both in text order.

    Args:
        code: any text; nothing is parsed, so that broken code is read as well.

    Returns:
        All tokens but comments, imports, separators and the ``this`` before a field; the same
        without variables and modifiers.
    """
    if "import" in code or "package" in code:
        code = _IMPORT.sub("", code)
    if "this" in code:
        code = _FIELD_OF_THIS.sub(" ", code)
    pairs = _TOKEN.findall(code)
    tokens = [variable or word for variable, word in pairs if variable or word]
    words = [
        variable or word
        for variable, word in pairs
        if (word and word not in _MODIFIERS) or variable in _KEYWORDS
    ]
    return tokens, words


def join_dots(code: str) -> tuple[str, ...]:
    """The code once more without blanks around its dots; nothing where there are none.

    Where all tokens stand apart, a called method is no more told from a variable.
    """
    joined = _SPACED_DOT.sub(".", code)
    return (joined,) if joined != code else ()
