"""Decides from its text whether a code block of a post is Java.

Three things are looked at, in this order, without comments and the contents of literals:

1. signs that no Java has, such as ``===`` or a string in single quotes: the block is not Java;
2. whether it parses as Java and is written as Java is: types begin with a capital letter, methods
   with a small one, and only calls, assignments and the like are statements. Then it is Java;
3. else, since posts have gaps and mistakes, its lines: it is Java if more of them show a sign of
   Java than a sign of something else.
"""

from __future__ import annotations

import re

from tree_sitter import Node

from ncsbench.base.text.possessive_groups import compile_possessive
from ncsbench.code.java.java import parse_java, text_of, walk

MAXIMUM_CHARACTERS = 30_000
"""Characters of a block that are read; no post has more, and time may grow with their square."""

_BEGIN = re.compile(r"//|/\*|<!--|\"\"\"(?=[^\S\n]*\n)|[\"']")
# The group is the end of a literal, if it has one.
_REST = {
    "//": re.compile(r"[^\n]*"),
    "/*": re.compile(r".*?(?:\*/|\Z)", re.DOTALL),
    "<!--": re.compile(r".*?(?:-->|\Z)", re.DOTALL),
    '"""': compile_possessive(r"(?:[^\"\\]++|\\.|\"(?!\"\"))*+(\"{0,3})", re.DOTALL),
    '"': re.compile(r"(?:[^\"\\\n]++|\\.)*(\"?)", re.DOTALL),
    "'": re.compile(r"(?:[^'\\\n]++|\\.)*('?)", re.DOTALL),
}
_CHARACTER = re.compile(r"'(?:[^\\]|\\(?:u+\w{4}|[0-7]{1,3}|.))'", re.DOTALL)

_TYPE = r"(?:[\w.]+\.)?[A-Z]\w*(?:<[^;(){}=]*>)?(?:\[\])*"
_ANY_TYPE = rf"(?:{_TYPE}|(?:int|long|short|byte|char|float|double|boolean|void)(?:\[\])*)"

_JAVA_LINE = re.compile(
    r"^@Override\b|^(?:return\s+)?\w+(?:\.\w+)*\.[a-z]\w*\(.*\);$"
    r"|\bnew\s+[A-Z][\w.]*(?:<[^;(){}=]*>)?\s*[(\[]"
    rf"|^(?:final\s+)?{_ANY_TYPE}\s+\w+\s*="
    rf"|^(?:(?:public|protected|private|static|final|abstract|synchronized)\s+)*{_ANY_TYPE}\s+\w+\s*"
    rf"\((?:\s*(?:@\w+\s+|final\s+)*{_ANY_TYPE}(?:\s*\.\.\.)?\s+\w+\s*[,)]|[\s.…]*\)\s*(?:\{{|throws\b|$))"
    r"|^(?=[^:(]*$)(?:public|static|final|abstract)\s+(?:\w+\s+)*"
    r"(?:class|interface|enum|@interface)\s+\w"
    r"|\bclass\s+\w+(?:<.*>)?\s+(?:extends|implements)\s"
    rf"|\bcatch\s*\(\s*(?:final\s+)?{_TYPE}[\w\s|]*\s\w+\s*\)"
    rf"|\bfor\s*\(\s*(?:final\s+)?{_ANY_TYPE}\s+\w+\s*[:=]"
)

_OTHER_LINE = re.compile(
    # Markup, JSON, Kotlin, arguments with names.
    r"^</?[A-Za-z!?]|^[{\[]?\s*\"\"\s*:|\bfun\s+[\w<]|\b(?:val|var)\s+\(?\w+\s*(?:[,:]|=(?!.*;$)|by\b)|\boverride\s"
    r"|^(?!(?:if|for|while|switch|synchronized|try|else|do|finally|static)\b)"
    r"\w+(?:\.\w+)*\s*(?:\([^)]*\)\s*)?\{(?:\s*\w+(?:,\s*\w+)*\s*->.*)?$"
    r"|^(?!(?:case|for)\b).*[(,]\s*\w+\s*:\s*\w"
    # Dart, members of TypeScript, declarations of style sheets.
    r"|^@override\b|^(?!(?:case|default)\b)[\w-]+\??\s*:(?!:)[^;:]*;$"
    # Properties, assignments and calls without an end, logs, prose.
    r"|^[\w.\-\[\]]+\s*[=:][^;({]*[^;({,]$|^[A-Za-z]\w*\s+[\"'][^;]*$|^\d+-\d\d-\d\d\s|^[$#%>]"
    r"|^(?:[A-Za-z'\u2019]+[,:]?\s+){4,}[A-Za-z'\u2019]+[.?!>:]?$"
)

_OTHER_LANGUAGE = re.compile(
    # JavaScript, TypeScript, Dart: strings in single quotes, functions without a name.
    r"=>|===|!==|(?:[(,=\[:]|\b(?:return|from|import))\s*''|(?:^[^\S\n]*|[(,=:]\s*)function\s*\w*\s*\([^()]*\)\s*\{|\bfunction\s+\w+\s*\("
    r"|\b(?:let|const)\s+\w|\bawait\s+\w|\basync\s+function\b|\bvar\s+\w+\s*=\s*[{[]"
    r"|^[^\S\n]*(?:static\s+)?final\s+\w+\s*=|[(,]\s*\((?:\w+(?:,\s*\w+)*)?\)\s*(?:async\s*)?\{"
    r"|^[^\S\n]*import\s*[\"{\w*][^;\n]*\"|\b(?:console\.\w+|document\.querySelector)\(|=\s*require\(|\.innerHTML\b"
    # C and its family, shaders.
    r"|^[^\S\n]*#\s*(?:include|import|define|ifdef|if)\b|\btypedef\b|\bstruct\s*[\w{]|\bstd::"
    r"|\b(?:char|short|int|long|float|double|void)(?:\s*\*|\s+\w+\[\w+\]\s*[;=,])|^[^\S\n]*template\s*<"
    r"|\b(?:unsigned|nullptr|sizeof)\b|\(\s*void\s*\)|[(,=]\s*&\w|\w\s*\*+\s*\w+\s*=(?!=)|^[^\S\n]*\*+\w+\s*="
    r"|\b(\w+)->(?!\1\b|true\b|false\b|null\b|new\b)\w+\s*(?:=|;|\[|->|\+\+|--)|\bthis->"
    r"|^[^\S\n]*(?:public|protected|private)\s*:|\w::~?\w+\s*\([^;]*\)\s*(?:const)?\s*\{"
    r"|^[^\S\n]*(?:attribute|varying|uniform|precision)\s+\w+\s+\w+;|[(=,]\s*(?:vec|mat)[234]\("
    r"|^[^\S\n]*namespace\s+\w|\busing\s+[\w.\s]+;|\bforeach\s*\(|\b(?:string|bool)\s+\w+\s*[=;]"
    r"|\bNS[A-Z]\w+\s*\*|^[^\S\n]*\[\w[\w.]*\s+\w+[\]:]|@\"|^[^\S\n]*@(?:property|end|implementation)\b"
    # Python, Scala, PHP, SQL.
    r"|^[^\S\n]*def\s+\w+|\becho\s+\$|^[^\S\n]*\$\w+\s*="
    r"|^[^\S\n]*(?i:select\s[\w*,\s.]*\sfrom\b|insert\s+into\s|update\s+\w+\s+set\s|delete\s+from\s"
    r"|(?:create|alter|drop|truncate)\s+(?:table|index|view|database|user|sequence)\b|grant\s+\w+\s+on\s)",
    re.MULTILINE,
)

_WRAPPINGS = (
    (b"class C { C() {\n", b"\n} }\n"),  # statements; also a call of another constructor
    (b"class C {\n", b"\n}\n"),
    (b"\n", b"\n"),
)
_ELLIPSIS = re.compile(r"\.{3,}|\u2026")
_STATEMENT = re.compile(
    r"(?:assignment|update|object_creation|switch)_expression|method_invocation|ERROR|\w+_comment"
    # Java forbids these (JLS 14.8), and posts show a value in this way.
    r"|(?:ternary|binary)_expression|field_access|array_access"
)
_DECLARATION = re.compile(r"(?:class|interface|enum|record|annotation_type)_declaration")
_CONDITIONAL = re.compile(r"(?:if|while|do)_statement")
_OPERATION = re.compile(r"binary_expression|field_access|array_access")
_NOT_OF_VALUES = re.compile(r"<<?|>>?|\*|&")
_LAMBDA, _IN_BRACKETS = "lambda_expression", "parenthesized_expression"


def is_java_block(text: str) -> bool:
    """Say whether a code block is Java, whole or in its greater part.

    Args:
        text: the block with its HTML entities resolved.

    Returns:
        True for statements, members, declarations and files of Java, also with mistakes and
        ellipses; False for other languages, markup, build files, shells, logs, prose, and for
        what Java and Kotlin write alike, as a call without a semicolon.
    """
    code = _blank_literals(text[:MAXIMUM_CHARACTERS])
    if _OTHER_LANGUAGE.search(code):
        return False
    readings = []
    for wrapping in _WRAPPINGS:
        reading = _Reading(_ELLIPSIS.sub(" ", code), wrapping)
        if reading.is_clean:
            return reading.has_java_names
        readings.append(reading)
    best = min(readings, key=lambda reading: (reading.unread, len(reading.forbidden)))
    return best.has_java_calls and _count_lines(code, best) > 0


def _count_lines(code: str, reading: _Reading) -> int:
    """The number of lines with a sign of Java, less that of lines with a sign of something else."""
    found = 0
    for number, line in enumerate(map(str.strip, code.split("\n")), 1):
        if _OTHER_LINE.search(line):
            found -= 1
        elif _JAVA_LINE.search(line):
            found += 1
        elif line.endswith(";") and number in reading.forbidden:
            found -= 1
        elif line.endswith(";"):
            found += number not in reading.doubtful or _is_statement(line)
    return found


def _is_statement(line: str) -> bool:
    alone = _Reading(line, _WRAPPINGS[0])
    return alone.is_clean and alone.has_java_names


class _Reading:
    """Some code as the parser takes it, in a constructor, in a class or as a file.

    Attributes:
        unread: number of bytes in errors, and of tokens that are missing.
        forbidden: numbers of the lines with a statement that no Java has.
        doubtful: numbers of the lines with an error or a type that begins with a small letter.
    """

    def __init__(self, code: str, wrapping: tuple[bytes, bytes]) -> None:
        before, after = wrapping
        encoded = code.encode("utf-8", "replace")
        self.unread = 0
        self.forbidden: set[int] = set()
        self.doubtful: set[int] = set()
        self._has_code = False
        self._methods: list[str] = []
        self._types: list[str] = []
        self._made: set[str] = set()
        self._passed: set[int] = set()
        for node in walk(parse_java(before + encoded + after).root_node):
            if node.is_error or node.is_missing:
                self._look_at_error(node)
            elif len(before) <= node.start_byte < len(before) + len(encoded):
                self._has_code = self._has_code or node.is_named
                self._look_at_names(node)
                if self._is_forbidden(node):
                    self.forbidden |= {node.start_point[0], node.end_point[0]}

    @property
    def is_clean(self) -> bool:
        """True if there is code, and all of it is Java."""
        return self._has_code and not (self.unread or self.forbidden)

    @property
    def has_java_names(self) -> bool:
        """True if types begin with a capital letter and methods do not, for the most part."""
        capital = sum(name[:1].isupper() for name in self._types)
        small = sum(name[:1].islower() for name in self._types if name not in self._made)
        return small <= capital and self.has_java_calls

    @property
    def has_java_calls(self) -> bool:
        """True if most of the methods that are called begin with a small letter."""
        capital = sum(name[:1].isupper() and not name.isupper() for name in self._methods)
        return not capital or 2 * capital < len(self._methods)

    def _look_at_error(self, node: Node) -> None:
        self.unread += 1
        for token in [child for child in node.children if not child.child_count] or [node]:
            self.unread += token.end_byte - token.start_byte
            if node.is_error:
                self.doubtful.update(range(token.start_point[0], token.end_point[0] + 1))

    def _look_at_names(self, node: Node) -> None:
        kind = node.type
        if kind == "method_invocation":
            self._methods.append(_name_of(node))
        elif kind == "scoped_type_identifier":
            self._passed.update(child.start_byte for child in node.children)
        elif kind == "object_creation_expression":
            self._made.add(_name_of(node, "type"))
        elif kind == "constructor_declaration":
            self._types.append(_name_of(node))
        elif _DECLARATION.fullmatch(kind):
            self._made.add(_name_of(node))
        elif kind == "type_identifier" and node.start_byte not in self._passed:
            name = text_of(node)
            if name != "var":
                self._types.append(name)
            if name[:1].islower() and name not in self._made and name != "var":
                self.doubtful.add(node.start_point[0])

    def _is_forbidden(self, node: Node) -> bool:
        """Say whether a node is a statement that Java forbids, though the grammar takes it."""
        kind, children = node.type, node.children
        if kind == "switch_rule":  # the value of a case is no statement
            self._passed.add(children[-1].start_byte)
        if kind == "expression_statement" and node.start_byte not in self._passed:
            return not all(_may_stand_alone(child) for child in children if child.is_named)
        if _CONDITIONAL.fullmatch(kind):
            children = [
                part for child in children if child.type == _IN_BRACKETS for part in child.children
            ]
        elif not _OPERATION.fullmatch(kind):
            return kind == "compact_constructor_declaration" and _name_of(node) not in self._made
        return any(child.type == _LAMBDA for child in children)


def _may_stand_alone(expression: Node) -> bool:
    signs = [child.type for child in expression.children if not child.is_named]
    is_operation = expression.type == "binary_expression"
    return _STATEMENT.fullmatch(expression.type) is not None and not (
        is_operation and any(map(_NOT_OF_VALUES.fullmatch, signs))
    )


def _name_of(node: Node, field: str = "name") -> str:
    name = node.child_by_field_name(field)
    return text_of(name) if name else ""


def _blank_literals(text: str) -> str:
    """The text with a blank for each comment, and without the contents of literals.

    A literal without an end does not count as one, and its contents are read. The time is linear.
    """
    pieces, done, place = [], 0, 0
    unended = {'"': 0, "'": 0}
    while begin := _BEGIN.search(text, place):
        mark, place = begin[0], begin.end()
        # All such marks within a literal that does not end are escaped, and begin none that ends.
        if begin.start() < unended.get(mark, 0):
            continue
        rest = _REST[mark].match(text, place)
        assert rest is not None  # noqa: S101  (each of them matches nothing too)
        if rest.lastindex and not rest[1]:
            unended[mark] = rest.end()
            continue
        whole = text[begin.start() : rest.end()]
        pieces += [text[done : begin.start()], _blank(whole) if rest.lastindex else " "]
        done = place = rest.end()
    return "".join([*pieces, text[done:]])


def _blank(literal: str) -> str:
    if literal[0] == '"':
        return '""'
    return "'a'" if _CHARACTER.fullmatch(literal) else "''"
