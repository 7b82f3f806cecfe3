"""Decides from its text whether a code block of a post is Java, without a parser.

A parser must not decide: the result is the denominator of the share of Java blocks that the judge
can parse (docs/answers.md). The rule looks at each line of the block, without comments and the
contents of literals, for signs of Java and for signs of something else. The block is Java if more
lines show the former than the latter, and if nothing in it belongs to another language of the C
family, whose lines look similar.
"""

from __future__ import annotations

import re

MAXIMUM_CHARACTERS = 30_000
"""What stands behind them is not read: no post has more, and time may grow with their square."""

_BEGIN = re.compile(r"//|/\*|<!--|[\"']")
# The group is the end of a literal, if it has one.
_REST = {
    "//": re.compile(r"[^\n]*"),
    "/*": re.compile(r".*?(?:\*/|\Z)", re.DOTALL),
    "<!--": re.compile(r".*?(?:-->|\Z)", re.DOTALL),
    '"': re.compile(r"(?:[^\"\\\n]++|\\.)*(\"?)", re.DOTALL),
    "'": re.compile(r"(?:[^'\\\n]++|\\.)*('?)", re.DOTALL),
}

_TYPE = r"(?:[\w.]+\.)?[A-Z]\w*(?:<[^;(){}=]*>)?(?:\[\])*"
_ANY_TYPE = rf"(?:{_TYPE}|(?:int|long|short|byte|char|float|double|boolean|void)(?:\[\])*)"

_JAVA_LINE = re.compile(
    r";$"
    r"|^@Override\b"
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
    # Markup, attributes on lines of their own, JSON.
    r"^</?[A-Za-z!?]|^[A-Za-z]+:\w+\s*=\s*\"|^/?>|^[{\[]?\s*\"\"\s*:"
    # Kotlin.
    r"|\bfun\s+[\w<]|\b(?:val|var)\s+\(?\w+(?:\.\w+)*\s*(?:,|:|=(?!.*;$)|by\b|get\b)|\boverride\s"
    r"|\?\.|\?:|\w!!|\bobject\s*:|\bcompanion\s+object\b|\b(?:data|sealed|open|internal)\s+class\b"
    r"|[(,]\s*\w+\s*:\s*[A-Z]|\)\s*:\s*[A-Z][\w<>?]*\s*[={]|\bclass\s+\w+(?:\([^)]*\))?\s*:\s*\w"
    r"|^(?!(?:if|for|while|switch|synchronized|try|else|do|finally|static)\b)"
    r"\w+(?:\.\w+)*\s*(?:\([^)]*\)\s*)?\{(?:\s*\w+(?:,\s*\w+)*\s*->.*)?$|::class\b"
    # Gradle, properties and assignments without an end.
    r"|^(?:\w+[iI]mplementation|implementation|api|compile|classpath|kapt|id|apply|exclude|maven)"
    r"\s*[\"'(:]"
    r"|^[\w.\-\[\]]+\s*[=:][^;({]*[^;({,]$|^[A-Za-z]\w*\s+[\"'][^;]*$"
    # Stack traces, logs, shells, listings.
    r"|^at\s+[\w.$<>/]+\(|^Caused by:|^[\w.]+(?:Exception|Error)(?::|$)|^[VDIWEF]/[\w.]+"
    r"|^\d\d-\d\d\s|^(?:[$#%>]|[A-Z]:\\|--?\w|\+--|\./)"
    r"|^(?:sudo|adb|git|npm|cd|export|java|javac|keytool|flutter)\s[^;]*$"
    # Prose.
    r"|^(?:[A-Za-z'\u2019]+[,:]?\s+){4,}[A-Za-z'\u2019]+[.?!>:]?$"
)

_OTHER_LANGUAGE = re.compile(
    r"=>|===|!==|^[^\S\n]*#\s*(?:include|import|define|ifdef|if)\b"
    r"|\bfunction\b\s*\w*\s*\(|\b(?:let|const)\s+\w|\bawait\s+\w|\basync\s+function\b|\bvar\s+\w+\s*=\s*[{[]"
    r"|\btypedef\b|\bstruct\s*[\w{]|\bstd::|\b(?:vec[234]|mat[234])\s|\w::~?\w+\s*\([^;]*\)\s*(?:const)?\s*\{"
    r"|\bnamespace\s|\busing\s+[\w.]+;|\bforeach\s*\(|\bstring\s+\w+\s*=|\bNS[A-Z]\w+\s*\*"
    r"|^[^\S\n]*def\s+\w+|\becho\s+\$|\$\w+\s*=|->\w+\s*\([^;]*;\s*$(?<!\))|^[^\S\n]*(?:SELECT|CREATE|INSERT)\s",
    re.MULTILINE,
)


def is_java_block(text: str) -> bool:
    """Whether a code block is Java, whole or in its greater part.

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
    lines = [line for line in map(str.strip, code.splitlines()) if line]
    other = sum(_OTHER_LINE.search(line) is not None for line in lines)
    java = sum(_is_java(line) for line in lines)
    return java > other


def _is_java(line: str) -> bool:
    return _OTHER_LINE.search(line) is None and _JAVA_LINE.search(line) is not None


def _blank_literals(text: str) -> str:
    """The text with a blank for each comment, and without the contents of literals.

    A literal that does not end is none, and what stands in it is read. It takes linear time.
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
        pieces += [text[done : begin.start()], 2 * mark if rest.lastindex else " "]
        done = place = rest.end()
    return "".join([*pieces, text[done:]])
