"""The NCS items of a piece of Java that need not be a whole method, as in a Stack Overflow answer.

The extraction of ``java_methods`` sees methods of whole files. A snippet is therefore parsed as the
body of a method and, where that has syntax errors, as the members of a class within one; the items
of the outermost method are those of the snippet. What cannot be read so at all is read by signs.
"""

from __future__ import annotations

import re

from ncsbench.languages.call_names import find_names
from ncsbench.languages.java_methods import ParsedFile, parse_methods
from ncsbench.records import ItemKind

MAXIMUM_CHARACTERS = 16_384
"""What stands behind them is not read: of 46,070 real snippets 8 are longer, and the parser takes
quadratic time on hostile ones."""

# The wrappers' names are no words: "$" is neither a letter nor a digit.
_AS_BODY = ("class ${void $(){", "\n}}")
_AS_MEMBERS = ("class ${void $(){class ${", "\n}}}")
_HEAD = re.compile(r"^[ \t]*+(?:import|package)\s[^;\n]*+;?", re.MULTILINE)
_KIND_OF_NAME = {
    "call": ItemKind.INVOCATION,
    "creation": ItemKind.CREATION,
    "declaration": ItemKind.METHOD_NAME,
}


def find_snippet_items(code: str) -> tuple[list[int], list[str]]:
    """Kinds (values of ``records.ItemKind``) and texts of the items of a snippet.

    They are what the extraction gives for the methods of a corpus: names of declared methods and
    of the types around them, comments, invocations, constants, short strings, creations, resource
    identifiers. Names of methods and types come first, everything else in text order; imports are
    left out, as they stand in no method. Broken code and other languages never raise.
    """
    text = _HEAD.sub("", code[:MAXIMUM_CHARACTERS].replace("\0", " "))
    best: tuple[list[int], list[str]] = ([], [])
    for before, after in (_AS_BODY, _AS_MEMBERS):
        source = (before + text + after).encode("utf-8", "replace")
        parsed = parse_methods(source)
        items = _collect_items(parsed)
        if len(items[0]) > len(best[0]):
            best = items
        if not parsed.has_errors:
            return items
    if best[0]:
        return best
    names = find_names(text)
    return [int(_KIND_OF_NAME[kind]) for _, kind in names], [name for name, _ in names]


def _collect_items(parsed: ParsedFile) -> tuple[list[int], list[str]]:
    """Items of the wrapper with the names of the methods within it, each type's name once."""
    if not parsed.methods:
        return [], []
    outer, *inner = parsed.methods
    types = dict.fromkeys(method.class_name for method in inner if method.class_name != "$")
    named = [(int(ItemKind.CLASS_NAME), name) for name in types]
    named += [(int(ItemKind.METHOD_NAME), method.name) for method in inner]
    # The first two items are the names of the wrapper itself.
    kinds = [kind for kind, _ in named] + outer.kinds[2:]
    return kinds, [name for _, name in named] + outer.texts[2:]
