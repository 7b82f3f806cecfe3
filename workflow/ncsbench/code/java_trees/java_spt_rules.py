"""Turns nodes of tree-sitter-java into rule applications of Aroma's grammar, as streams of codes.

Aroma (Luan et al., OOPSLA 2019, section 3.1) simplifies the parse tree of its own ANTLR grammar.
An *expander* lists the children of one rule application of that grammar, given a node of
tree-sitter-java. ``RULES`` holds the expanders by kind of node; a kind without one is one rule
application over its own children. ``write_codes`` applies them with its own stack, so that no depth
of nesting exhausts the interpreter's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeAlias

from tree_sitter import Node

from ncsbench.code.java.java import COMMENTS, java_language

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
    """Codes of names where a variable is allowed; an upper-case first letter marks a class."""

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
        variables: by text in UTF-8 the codes of names where a variable is allowed.
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


DEPTH_CAP = 1000
"""Rule applications deeper than this, counted from the compilation unit, are dropped (DEV-24)."""


class Coder:
    """Gives codes to the names and literals of one source text."""

    __slots__ = ("names", "source", "variables")

    def __init__(self, source: bytes, symbols: Symbols) -> None:
        self.source = source
        self.names = symbols.names
        self.variables = symbols.variables

    def name(self, node: Node) -> int:
        """A name that cannot be a variable: of a method, field, type, label or annotation."""
        return self.names[self.source[node.start_byte : node.end_byte]]

    def variable(self, node: Node) -> int:
        """A name where a variable is allowed; an upper-case first letter marks a class."""
        return self.variables[self.source[node.start_byte : node.end_byte]]


Expander: TypeAlias = "Callable[[Node, Coder], Sequence[Item]]"
Expansion: TypeAlias = tuple[Expander, Node, int]
Item: TypeAlias = "int | Node | Expansion"
"""A child of a rule application: ``OPEN`` or ``CLOSE`` of one inside it, the code of a token, a
node to be read as its kind says (a bare ``identifier`` as an expression), or a node to be read by
the given expander as so many nested rule applications."""

EXPANDERS: dict[str, tuple[Expander, int]] = {}
"""By tree-sitter type: the expander, and the number of nested rule applications that the node
represents. With 0 the items take the place of the node."""

LEAVES = {
    "identifier": 2,  # of an expression
    "type_identifier": 2,
    "decimal_integer_literal": 4,
    "hex_integer_literal": 4,
    "octal_integer_literal": 4,
    "binary_integer_literal": 4,
    "decimal_floating_point_literal": 4,
    "hex_floating_point_literal": 4,
    "character_literal": 3,
    "string_literal": 3,
    "true": 3,
    "false": 3,
}
"""Rule applications between the place of a leaf and the leaf itself, by kind of leaf."""
_IDENTIFIER = java_language().id_for_node_kind("identifier", True)


def expands(*types: str, levels: int = 1) -> Callable[[Expander], Expander]:
    """Register an expander for tree-sitter types that represent ``levels`` rule applications."""

    def register(expander: Expander) -> Expander:
        for name in types:
            EXPANDERS[name] = (expander, levels)
        return expander

    return register


def children_of(node: Node) -> list[Node]:
    """Children in text order without comments, which are allowed anywhere."""
    return [child for child in node.children if child.type not in COMMENTS]


def children_as_items(node: Node, _: Coder) -> Sequence[Item]:
    """Children of the node as items of a rule application, which is the common case."""
    return node.children


@expands(*COMMENTS, levels=0)
def _comment(_: Node, __: Coder) -> list[Item]:
    return []


@expands("<<", ">>", ">>>", levels=0)
def _shift(node: Node, _: Coder) -> list[Item]:
    """The grammar has no shift tokens: they are two or three brackets."""
    return [KEYWORD_CODES[bracket] for bracket in node.type]


expands("modifiers", "dimensions", "dimensions_expr", levels=0)(children_as_items)


def deepen(node: Node, levels: int) -> Item:
    """Count further rule applications of one item, which leave no trace but their depth."""
    rule = RULES[node.kind_id]
    if isinstance(rule, int):
        return node
    expander, own = rule
    return (expander, node, own + levels) if own else node


class _Rules(dict[int, "int | tuple[Expander, int]"]):
    """Rules by kind of node: a code of a keyword, minus the levels of a leaf, or an expander."""

    def __missing__(self, kind: int) -> int | tuple[Expander, int]:
        """Find the rule of a kind when it is first met: all expanders are registered by then."""
        language = java_language()
        name = language.node_kind_for_id(kind) or ""
        is_named = language.node_kind_is_named(kind)
        rule: int | tuple[Expander, int] = (children_as_items, 1)
        # Tokens such as `throws` are spelled as the rule which they begin.
        if name in EXPANDERS and (is_named or not language.id_for_node_kind(name, True)):
            rule = EXPANDERS[name]
        elif name in NAMED_KEYWORDS or not is_named:
            rule = KEYWORD_CODES[NAMED_KEYWORDS.get(name, name)]
        elif name in LEAVES:
            rule = -LEAVES[name]
        self[kind] = rule
        return rule


RULES = _Rules()


def write_codes(node: Node, coder: Coder, level: int) -> list[int]:  # noqa: PLR0912  (one hot loop)
    """Expand a node as far as it goes.

    Args:
        node: node of a kind that is one rule application, as the block of a method.
        coder: codes of the source text.
        level: depth of the rule application, the compilation unit being 1. What lies deeper than
            ``DEPTH_CAP`` is left out, as the reference leaves it out.

    Returns:
        Codes of the tokens between ``OPEN`` and ``CLOSE`` of each rule application. Those with
        one item may lack the pair, or have one for several: they collapse.
    """
    source, names, variables = coder.source, coder.names, coder.variables
    rules, identifier, default = RULES, _IDENTIFIER, children_as_items
    codes = [OPEN]
    append = codes.append
    rule = rules[node.kind_id]
    assert not isinstance(rule, int)  # noqa: S101  (the caller gives a rule application)
    pending: Iterator[Item] = iter([(rule[0], node, 0)])
    enclosing: list[tuple[Iterator[Item], int]] = []  # and the level inside each
    while True:
        for item in pending:
            if isinstance(item, Node):
                kind = item.kind_id
                rule = rules[kind]
                if isinstance(rule, int):
                    if rule > 0:
                        append(rule)
                    elif level - rule <= DEPTH_CAP:
                        table = variables if kind == identifier else names
                        append(table[source[item.start_byte : item.end_byte]])
                    continue
                expander, levels = rule
                node = item
            elif isinstance(item, int):
                if item == OPEN and level >= DEPTH_CAP:
                    _skip_rule(pending)
                    continue
                append(item)
                if item <= OPEN:
                    level += 1 if item == OPEN else -1
                continue
            else:
                expander, node, levels = item
            if level + levels <= DEPTH_CAP:
                enclosing.append((pending, level))
                if levels:
                    append(OPEN)
                    level += levels
                try:
                    items = node.children if expander is default else expander(node, coder)
                except (IndexError, KeyError, StopIteration, ValueError):
                    items = node.children  # a syntax error within: not the usual shape
                pending = iter(items)
                break
        else:
            if not enclosing:
                append(CLOSE)
                return codes
            pending, outer = enclosing.pop()
            if level > outer:
                append(CLOSE)
                level = outer


def _skip_rule(pending: Iterator[Item]) -> None:
    """Pass over a rule application whose ``OPEN`` was just read."""
    depth = 1
    for item in pending:
        if isinstance(item, int) and item <= OPEN:
            depth += 1 if item == OPEN else -1
            if not depth:
                return
