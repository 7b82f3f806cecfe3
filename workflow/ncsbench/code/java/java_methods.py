"""Extracts the methods of a Java file: spans, names, comments, tokens, and the NCS items.

What counts as a method follows the released data (``docs/deviations.md``, DEV-01 to DEV-04): a
method declaration with a body, anywhere (class, interface, enum, record, anonymous or local class);
never a constructor, initialiser or lambda. Which of them a corpus holds, the caller decides by
their places (DEV-82, DEV-83).
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from tree_sitter import Node, Query, QueryCursor

from ncsbench.code.java.java import (
    ANNOTATIONS,
    COMMENTS,
    ReadableJava,
    java_language,
    parse_shallow,
    read_java,
)
from ncsbench.code.java.java_terms import MAXIMUM_STRING, RESERVED, ItemKind, MethodPlace
from ncsbench.code.java.javadoc import is_javadoc, is_markdown

_QUERY = """
(method_declaration body: (block)) @method
[(class_declaration) (interface_declaration) (enum_declaration) (record_declaration)
 (annotation_type_declaration)] @type
(object_creation_expression (class_body)) @type
(object_creation_expression type: (_) @creation)
(method_invocation name: (identifier) @invocation)
(string_literal) @string
[(line_comment) (block_comment)] @comment
(lambda_expression) @lambda
[(constructor_declaration) (compact_constructor_declaration) (static_initializer)] @constructor
(class_body (block) @constructor)
(enum_body_declarations (block) @constructor)
[(field_declaration) (constant_declaration)] @field
(enum_constant arguments: (argument_list) @field)
(package_declaration) @package
"""
_COMMENT = int(ItemKind.COMMENT)
_NAME_KINDS = [int(ItemKind.CLASS_NAME), int(ItemKind.METHOD_NAME)]
_QUALIFIER_BYTES = 80
# Candidates only: the tree decides whether a match really is an identifier.
# It begins with a plain character class, so that the engine skips ahead quickly.
_CONSTANT = re.compile(rb"[A-Z](?<![\w$][A-Z])[A-Z0-9_$]+(?![\w$]|\s*\()")
_QUALIFIER = re.compile(rb"(?:\b[A-Z][\w$]*\.)+$")
_RESOURCE = re.compile(rb"R(?<![\w$]R)\.\w+\.\w+")
# Blanks and frequent signs come first, for speed: else every alternative is tried at each.
_TOKEN = re.compile(
    rb"""\s*+(?:[\w$\x80-\xff]++(?:\.\d\w*)?|[(){};,@\[\]]
    |(//[^\n]*|/\*.*?(?:\*/|\Z))
    |"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'
    |>>>?=|<<=|->|::|\+\+|--|&&|\|\||[-+*/%&|^!=<>]=|\.\.\.
    |\S)""",
    re.VERBOSE | re.DOTALL,
)


@dataclass(frozen=True)
class Method:
    """One method declaration with a body.

    Attributes:
        name: the method's name.
        class_name: the nearest enclosing type; for an anonymous class the type it extends.
        start_line: line (from 1) of the method's name; lines end at LF alone, as released.
        end_line: line of the closing brace.
        code: text from the declaration, without its leading annotations, to the closing brace.
        comment: the Javadoc comment directly before it, with its marks, or None.
        tokens: number of lexer tokens of ``code``, without comments.
        kinds: kinds of the items of the NCS extraction (values of ``ItemKind``), in text order,
            leading comments first.
        texts: the text of each item, aligned with ``kinds``.
        place: the surroundings of the method.
    """

    name: str
    class_name: str
    start_line: int
    end_line: int
    code: str
    comment: str | None
    tokens: int
    kinds: list[int]
    texts: list[str]
    place: MethodPlace


@dataclass(frozen=True)
class ParsedFile:
    """The methods of a file in text order.

    Attributes:
        methods: those of the file.
        has_errors: whether the file has syntax errors.
        has_deep_types: whether a part of it was read as blanks (DEV-183); ``code`` has that part.
    """

    methods: list[Method]
    has_errors: bool
    has_deep_types: bool


def parse_methods(source: bytes, *, file_class: str = "") -> ParsedFile:
    """All methods of a Java file given as UTF-8; broken syntax never raises.

    Args:
        source: of the file.
        file_class: name of the file without its ending: the class of methods outside of classes,
            where a compiler takes it so (JEP 512, DEV-214).
    """
    java = read_java(source)
    root = parse_shallow(java.parsed).root_node
    captures = QueryCursor(_query()).captures(root)
    methods = sorted(captures.get("method", []), key=lambda node: node.start_byte)
    if not methods:
        return ParsedFile([], root.has_error, java.is_deep)
    item_starts, kinds, texts = _file_items(java, root, captures)
    is_compact = file_class.isidentifier() and not root.has_error and "package" not in captures
    outermost = file_class if is_compact else ""
    class_names = _class_names(java, methods, captures.get("type", []), outermost)
    places = _find_places(methods, captures)
    found = []
    for node, class_name, place in zip(methods, class_names, places, strict=True):
        name, start = _node_field(node, "name"), _declaration_start(node)
        first, last = bisect_left(item_starts, start), bisect_left(item_starts, node.end_byte)
        leading = _leading_comments(node, java)
        before = [*leading, class_name, java.text(name)]
        javadoc = [text for text in leading if is_javadoc(text)]
        found.append(
            Method(
                name=before[-1],
                class_name=class_name,
                start_line=java.line(name.start_byte),
                end_line=java.line(node.end_byte),
                code=java.original_slice(start, node.end_byte),
                comment=javadoc[-1] if javadoc else None,
                tokens=_TOKEN.findall(java.decoded, start, node.end_byte).count(b""),
                kinds=[*[_COMMENT] * len(leading), *_NAME_KINDS, *kinds[first:last]],
                texts=[*before, *texts[first:last]],
                place=place,
            )
        )
    return ParsedFile(found, root.has_error, java.is_deep)


@cache
def _query() -> Query:
    return Query(java_language(), _QUERY)


def _node_field(node: Node, field: str) -> Node:
    child = node.child_by_field_name(field)
    return node if child is None else child


def _declaration_start(method: Node) -> int:
    """First byte after the leading annotations."""
    first = method.child(0)
    if first is None or first.type != "modifiers":
        return method.start_byte
    for modifier in first.children:
        if modifier.type not in ANNOTATIONS | COMMENTS:
            return modifier.start_byte
    following = first.next_sibling
    while following is not None and following.is_extra:
        following = following.next_sibling
    return method.start_byte if following is None else following.start_byte


def _leading_comments(method: Node, java: ReadableJava) -> list[str]:
    """The comments directly before a declaration; a run of Markdown lines is one (DEV-213).

    A comment on the line where other code ends is about that code, unless it is documentation.
    """
    comments: list[Node] = []
    node = method.prev_sibling
    while node is not None and node.type in COMMENTS:
        comments.append(node)
        node = node.prev_sibling
    comments.reverse()
    if comments and node is not None and node.is_named:
        ends_line = comments[0].start_point.row == node.end_point.row
        if ends_line and not is_javadoc(java.original_text(comments[0])):
            del comments[0]
    texts: list[str] = []
    row = start = -2
    for comment in comments:
        text = java.original_text(comment)
        if comment.start_point.row == row + 1 and is_markdown(text) and is_markdown(texts[-1]):
            texts[-1] = java.original_slice(start, comment.end_byte)
        else:
            texts.append(text)
            start = comment.start_byte
        row = comment.end_point.row
    return texts


def _class_names(
    java: ReadableJava, methods: list[Node], types: list[Node], outermost: str
) -> list[str]:
    """Name of the innermost type around each method; both in text order, by one sweep."""
    waiting = sorted(types, key=lambda node: (node.start_byte, -node.end_byte))[::-1]
    around: list[tuple[int, str]] = []
    names = []
    for method in methods:
        while waiting and waiting[-1].start_byte <= method.start_byte:
            node = waiting.pop()
            around = [entry for entry in around if entry[0] > node.start_byte]
            around.append((node.end_byte, _type_name(java, node)))
        around = [entry for entry in around if entry[0] > method.start_byte]
        names.append(around[-1][1] if around else outermost)
    return names


def _find_places(methods: list[Node], captures: dict[str, list[Node]]) -> list[MethodPlace]:
    in_method = _are_inside(methods, [*methods, *captures.get("lambda", [])])
    in_constructor = _are_inside(methods, captures.get("constructor", []))
    in_field = _are_inside(methods, captures.get("field", []))
    return [
        (method and MethodPlace.METHOD)
        or (constructor and MethodPlace.CONSTRUCTOR)
        or (field and MethodPlace.FIELD_INITIALISER)
        or MethodPlace.TYPE
        for method, constructor, field in zip(in_method, in_constructor, in_field, strict=True)
    ]


def _are_inside(methods: list[Node], around: list[Node]) -> Iterator[bool]:
    """Say of each method, in text order, whether it lies inside one of the nodes, by one sweep."""
    waiting = sorted((node.start_byte, node.end_byte) for node in around)[::-1]
    end = 0
    for method in methods:
        while waiting and waiting[-1][0] < method.start_byte:
            end = max(end, waiting.pop()[1])
        # Nodes of a tree do not cross: what began before and goes on here is around the method.
        yield method.start_byte < end


def _type_name(java: ReadableJava, node: Node) -> str:
    if node.type != "object_creation_expression":
        return java.text(_node_field(node, "name"))
    return _created_name(java.text(_node_field(node, "type")))


def _created_name(name: str) -> str:
    """``Map.Entry<K, V>`` -> ``Entry``."""
    return name.split("<", 1)[0].rsplit(".", 1)[-1].strip()


def _file_items(
    java: ReadableJava, root: Node, captures: dict[str, list[Node]]
) -> tuple[list[int], list[int], list[str]]:
    """First bytes, kinds and texts of all items of a file, in text order."""
    source = java.decoded
    items = [
        (node.start_byte, int(ItemKind.INVOCATION), name)
        for node in captures.get("invocation", ())
        if (name := java.text(node)) not in RESERVED
    ]
    items += [
        (node.start_byte, int(ItemKind.COMMENT), java.original_text(node))
        for node in captures.get("comment", ())
    ]
    items += [
        (node.start_byte, int(ItemKind.CREATION), _created_name(java.text(node)))
        for node in captures.get("creation", ())
    ]
    items += [
        (node.start_byte, int(ItemKind.STRING), text)
        for node in captures.get("string", ())
        if "\\" not in (text := java.original_text(node).strip('"')) and len(text) <= MAXIMUM_STRING
    ]
    resources = [(m.start(), m[0]) for m in _identifier_matches(_RESOURCE, source, root)]
    items += [(start, int(ItemKind.RESOURCE), text.decode()) for start, text in resources]
    taken = [(start, start + len(text)) for start, text in resources]
    for match in _identifier_matches(_CONSTANT, source, root):
        start = match.start()
        if not _covered(taken, start):
            constant = _qualifier(source, start) + match[0]
            items.append((start, int(ItemKind.CONSTANT), constant.decode("utf-8", "replace")))
    items.sort()
    return [item[0] for item in items], [item[1] for item in items], [item[2] for item in items]


def _qualifier(source: bytes, start: int) -> bytes:
    """The capitalised names before a constant: ``Context.`` of ``Context.INPUT_SERVICE``."""
    if source[start - 1 : start] != b".":
        return b""
    match = _QUALIFIER.search(source, max(0, start - _QUALIFIER_BYTES), start)
    return match[0] if match else b""


def _identifier_matches(
    pattern: re.Pattern[bytes], source: bytes, root: Node
) -> Iterator[re.Match[bytes]]:
    """Matches that end with an identifier of the tree: no comment, string or type."""
    for match in pattern.finditer(source):
        end = match.end()
        node = root.descendant_for_byte_range(end - 1, end)
        if node is not None and node.type == "identifier" and node.end_byte == end:
            yield match


def _covered(spans: list[tuple[int, int]], start: int) -> bool:
    position = bisect_right(spans, (start, 1 << 62)) - 1
    return position >= 0 and spans[position][0] <= start < spans[position][1]
