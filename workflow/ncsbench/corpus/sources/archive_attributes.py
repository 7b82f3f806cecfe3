"""Undoes the changes that ``git archive`` makes to files by ``.gitattributes``, or names them.

The archive of a commit is not its tree: paths with ``export-ignore`` are left out, ``export-subst``
fills in placeholders, and ``eol=crlf``, ``ident`` and ``working-tree-encoding`` convert the stored
bytes, as a checkout does.
"""

from __future__ import annotations

import fnmatch
import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from ncsbench.corpus.sources.source_protocol import ListedFile

LEFT_OUT = "perhaps left out of the archive (export-ignore in .gitattributes)"
"""Reason of a pattern, in place of the paths that match it, which an archive does not show."""
_OTHER_FILE = re.compile(r"[^*?\[]*\.(?!java$)[A-Za-z0-9]{1,12}|\.[^*?\[]*|\*\.(?!java$)\w+")
"""Last parts of patterns that match no Java file and, as names go, no folder: ``README.md``,
``.travis.yml``, ``*.gradle``."""
_READ = frozenset({"text", "crlf", "eol", "ident", "working-tree-encoding", "export-subst"})
_IDENT = re.compile(rb"\$Id: ([0-9a-f]{40}|[0-9a-f]{64}) \$")
_MOST_COMPARISONS = 10**7
"""Most comparisons (lines times files); beyond, attributes are not looked up, which would take
hours."""
_FILE_NAME = ".gitattributes"
_LARGEST_FILE = 2**20
"""Most bytes of a ``.gitattributes`` file that is read; git itself reads up to 100 MiB."""
_LONGEST_LINE = 2048
"""Length of the longest line that git reads; it passes over longer ones."""
_QUOTED = re.compile(r'"((?:[^"\\]|\\.)*)"(.*)', re.DOTALL)
_ESCAPE = re.compile(r"\\([0-7]{3}|.)", re.DOTALL)
_ESCAPED = dict(zip("abtnvfr", "\a\b\t\n\v\f\r", strict=True))

Value = bool | str | None
"""Value of an attribute: set, unset, a text, or unspecified."""


class Conversions:
    """The changes that the attributes of a commit made to its archive.

    Attributes:
        left_out: a line for each pattern by which Java files may be missing.
        remark: the files that may differ from the commit; empty where none does.
    """

    def __init__(self, attributes: Sequence[Line], paths: Iterable[str]) -> None:
        """Find the changes from the attributes and the paths.

        Args:
            attributes: those of the commit.
            paths: of the files that are read.
        """
        paths = list(paths)
        self.left_out = _list_left_out(attributes, set(paths))
        lines = [line for line in attributes if not _READ.isdisjoint(line.values)]
        self._done: dict[str, tuple[str, ...]] = {}
        too_much = len(lines) * len(paths) > _MOST_COMPARISONS
        if any(_name_conversions(line.values) for line in lines) and not too_much:
            of_paths = ((path, find_values(path, lines)) for path in paths)
            done = ((path, _name_conversions(values)) for path, values in of_paths)
            self._done = {path: names for path, names in done if names}
        counts = Counter(name for names in self._done.values() for name in names)
        told = ", ".join(f"{name} of {count} files" for name, count in sorted(counts.items()))
        if too_much:
            told = "more lines of .gitattributes than are read"
        self.remark = told and f"the archive may differ from the commit ({told})"

    def undo(self, path: str, data: bytes) -> bytes:
        """The bytes of a file in the commit, as far as they can be known from its archive.

        CRLF is read as LF, which git stores of a file with ``eol=crlf``; where the commit has CRLF
        in spite of it, the archive looks the same (DEV-108). A file with ``ident`` names its own
        object, so that what was undone is proved, and else it stays. The rest stays.
        """
        names = self._done.get(path, ())
        # With a line end that is LF alone, git converted nothing.
        is_crlf = not re.search(rb"(?<!\r)\n", data)
        if "eol=crlf with text=auto" in names and re.search(rb"\0|\r(?!\n)", data):
            is_crlf = False  # and nothing in what it takes for binary
        converted = is_crlf and any(name.startswith("eol=crlf") for name in names)
        stored = data.replace(b"\r\n", b"\n") if converted else data
        if "ident" in names:
            for candidate in (stored, data):
                plain = _IDENT.sub(b"$Id$", candidate)
                if set(_IDENT.findall(candidate)) & _name_objects(plain):
                    return plain
        return stored


def _list_left_out(attributes: Sequence[Line], present: set[str]) -> tuple[ListedFile, ...]:
    paths = (
        f"{line.folder}{line.pattern.removeprefix('/')}"
        for line in attributes
        if line.values.get("export-ignore") is True
        and not _OTHER_FILE.fullmatch(line.pattern.rpartition("/")[2])
    )
    return tuple(ListedFile(path, 0, LEFT_OUT) for path in sorted({*paths} - present))


def _name_conversions(values: Mapping[str, Value]) -> tuple[str, ...]:
    text = values.get("text") if values.get("text") is not None else values.get("crlf")
    names = []
    if values.get("eol") == "crlf" and text is not False:
        names.append("eol=crlf with text=auto" if text == "auto" else "eol=crlf")
    if values.get("ident") is True:
        names.append("ident")
    encoding = values.get("working-tree-encoding")
    if isinstance(encoding, str) and encoding.upper() not in {"UTF-8", "UTF8"}:
        names.append("working-tree-encoding")
    if values.get("export-subst") is True:
        names.append("export-subst")
    return tuple(names)


def _name_objects(data: bytes) -> set[bytes]:
    """The names of a file's object in git, which are hashes of it."""
    blob = b"blob %d\0%s" % (len(data), data)
    hashes = (hashlib.sha1(blob, usedforsecurity=False), hashlib.sha256(blob))
    return {one.hexdigest().encode() for one in hashes}


def is_attributes_file(path: str, size: int) -> bool:
    """Say whether a file of a commit gives attributes of other files."""
    return path.rpartition("/")[2] == _FILE_NAME and size <= _LARGEST_FILE


@dataclass(frozen=True)
class Line:
    """One line of a ``.gitattributes`` file.

    Attributes:
        folder: of the file, ending in ``/``; empty for the root.
        pattern: as written.
        values: values of attributes in the line, those of macros among them.
    """

    folder: str
    pattern: str
    values: Mapping[str, Value]

    def matches(self, path: str) -> bool:
        """Say whether the line is about a file; attributes of its folders do not count."""
        if not path.startswith(self.folder) or not self._parts:
            return False
        return _match_parts(self._parts, path.removeprefix(self.folder).split("/"))

    @cached_property
    def _parts(self) -> tuple[re.Pattern[str] | None, ...]:
        """The expression that a name must match, for each part of the pattern; None for ``**``."""
        text = self.pattern.replace("[[:space:]]", "[ \t]")
        # Negative patterns are not allowed, one that ends in a slash matches folders alone.
        if text.startswith("!") or text.endswith("/") or "[[:" in text:
            return ()
        parts = text.removeprefix("/").split("/")
        if "/" not in text:
            parts.insert(0, "**")
        if parts[-1] == "**":  # all that is below a folder, not the folder
            parts.append("*")
        # No pattern makes the expressions of fnmatch slow, as it does those of pathspec.
        return tuple(None if one == "**" else re.compile(_translate(one)) for one in parts)


def _match_parts(pattern: Sequence[re.Pattern[str] | None], names: Sequence[str]) -> bool:
    """Say whether the names fit, where None represents any number of names."""
    at = place = 0
    last, tried = -1, 0
    while place < len(names):
        if at < len(pattern) and pattern[at] is None:
            last, tried = at, place
            at += 1
        elif at < len(pattern) and (one := pattern[at]) is not None and one.match(names[place]):
            at, place = at + 1, place + 1
        elif last >= 0:
            tried += 1
            at, place = last + 1, tried
        else:
            return False
    return all(one is None for one in pattern[at:])


def _translate(part: str) -> str:
    """A part of a pattern of git as a regular expression."""
    quoted = _ESCAPE.sub(lambda match: f"[{match[1]}]" if match[1] in "*?[" else match[1], part)
    return fnmatch.translate(quoted.replace("[^", "[!"))


def read_attributes(files: Mapping[str, bytes]) -> list[Line]:
    """The lines of the ``.gitattributes`` files of a commit (gitattributes(5)).

    Those of deeper folders come last, since they count before others.

    Args:
        files: their bytes by path.
    """
    macros: dict[str, Mapping[str, Value]] = {
        "binary": {"diff": False, "merge": False, "text": False}
    }
    lines: list[Line] = []
    for path in sorted(files, key=lambda one: (one.count("/"), one)):
        found = _read_lines(files[path], path.removesuffix(_FILE_NAME), macros)
        lines += [line for line in found if line.values]
    return lines


def find_values(path: str, lines: Iterable[Line]) -> dict[str, Value]:
    """The attributes of a file: of each, the last line that matches counts."""
    found: dict[str, Value] = {}
    for line in lines:
        if line.matches(path):
            found.update(line.values)
    return found


def _read_lines(data: bytes, folder: str, macros: dict[str, Mapping[str, Value]]) -> Iterator[Line]:
    for raw in data.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "backslashreplace").split("\n"):
        text = raw.strip(" \t\r")
        if not text or text.startswith("#") or len(raw) > _LONGEST_LINE:
            continue
        quoted = _QUOTED.fullmatch(text)
        if quoted:
            pattern, rest = _ESCAPE.sub(_unescape, quoted[1]), quoted[2]
        else:
            pattern, _, rest = re.sub(r"[ \t\r]+", " ", text).partition(" ")
        values = dict(_read_values(rest.split(), macros))
        if pattern.startswith("[attr]"):
            if not folder:  # macros are defined in the root folder only
                name = pattern.removeprefix("[attr]")
                macros[name] = values
        else:
            yield Line(folder, pattern, values)


def _read_values(
    words: list[str], macros: Mapping[str, Mapping[str, Value]]
) -> Iterator[tuple[str, Value]]:
    for word in words:
        if word.startswith("-"):
            yield word[1:], False
        elif word.startswith("!"):
            yield word[1:], None
        elif "=" in word:
            name, _, value = word.partition("=")
            yield name, value
        else:
            yield word, True
            yield from macros.get(word, {}).items()


def _unescape(match: re.Match[str]) -> str:
    text = match[1]
    return chr(int(text, 8)) if len(text) == 3 else _ESCAPED.get(text, text)
