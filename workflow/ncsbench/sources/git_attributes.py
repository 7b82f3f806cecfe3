"""The attributes that ``.gitattributes`` files of a commit give to its paths (gitattributes(5))."""

from __future__ import annotations

import fnmatch
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

_FILE_NAME = ".gitattributes"
_LARGEST_FILE = 2**20
"""Bytes of a ``.gitattributes`` file that is read; git itself reads up to 100 MiB."""
_LONGEST_LINE = 2048
"""Git passes over longer lines."""
_QUOTED = re.compile(r'"((?:[^"\\]|\\.)*)"(.*)', re.DOTALL)
_ESCAPE = re.compile(r"\\([0-7]{3}|.)", re.DOTALL)
_ESCAPED = dict(zip("abtnvfr", "\a\b\t\n\v\f\r", strict=True))

Value = bool | str | None
"""Set, unset, a text, or unspecified."""


def is_attributes_file(path: str, size: int) -> bool:
    """Whether a file of a commit says something of the attributes of others."""
    return path.rpartition("/")[2] == _FILE_NAME and size <= _LARGEST_FILE


@dataclass(frozen=True)
class Line:
    """One line of a ``.gitattributes`` file.

    Attributes:
        folder: of the file, ending in ``/``; empty for the root.
        pattern: as written.
        values: what it says of attributes, those of macros among them.
    """

    folder: str
    pattern: str
    values: Mapping[str, Value]

    def matches(self, path: str) -> bool:
        """Whether the line is about a file; what it says of a folder is not."""
        if not path.startswith(self.folder) or not self._parts:
            return False
        return _match_parts(self._parts, path.removeprefix(self.folder).split("/"))

    @cached_property
    def _parts(self) -> tuple[re.Pattern[str] | None, ...]:
        """Of each part of the pattern what a name must match; None for ``**``."""
        text = self.pattern.replace("[[:space:]]", "[ \t]")
        # Negative patterns are not allowed, one that ends in a slash matches folders alone.
        if text.startswith("!") or text.endswith("/") or "[[:" in text:
            return ()
        parts = text.removeprefix("/").split("/")
        if "/" not in text:
            parts.insert(0, "**")
        if parts[-1] == "**":  # all that is below a folder, not the folder
            parts.append("*")
        # No pattern makes the expressions of fnmatch slow.
        return tuple(None if one == "**" else re.compile(_translate(one)) for one in parts)


def _match_parts(pattern: Sequence[re.Pattern[str] | None], names: Sequence[str]) -> bool:
    """Whether the names fit, where None stands for any number of names."""
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


class GitAttributes:
    """The ``.gitattributes`` files of a commit."""

    def __init__(self, files: Mapping[str, bytes]) -> None:
        """Read the files.

        Args:
            files: their bytes by path.
        """
        macros: dict[str, Mapping[str, Value]] = {
            "binary": {"diff": False, "merge": False, "text": False}
        }
        self.lines: list[Line] = []
        """Those of deeper folders last, since they count before others."""
        for path in sorted(files, key=lambda one: (one.count("/"), one)):
            folder = path.removesuffix(_FILE_NAME)
            for line in _read_lines(files[path], folder, macros):
                if line.values:
                    self.lines.append(line)

    def find(self, path: str, lines: Iterable[Line] | None = None) -> dict[str, Value]:
        """The attributes of a file: of each, the last line that matches counts.

        Args:
            path: of the file.
            lines: those of ``lines`` that are looked at; None for all.
        """
        found: dict[str, Value] = {}
        for line in self.lines if lines is None else lines:
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
