"""Undoes what ``git archive`` does to files by their ``.gitattributes``, or says what it did.

The archive of a commit is not its tree: paths with ``export-ignore`` are left out, ``export-subst``
fills in placeholders, and ``eol=crlf``, ``ident`` and ``working-tree-encoding`` convert what is
stored, as a checkout does.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Mapping

from ncsbench.sources.git_attributes import GitAttributes, Value
from ncsbench.sources.source_protocol import JAVA_SUFFIXES, ListedFile

LEFT_OUT = "perhaps left out of the archive (export-ignore in .gitattributes)"
"""Reason of a pattern, in place of the paths that it matches, which an archive does not show."""
_OTHER_FILE = r"[^*?\[]*\.(?!{0})[A-Za-z0-9]{{1,12}}|\.[^*?\[]*|\*\.(?!{0})\w+"
"""Last parts of patterns that match no code file and, as names go, no folder: ``README.md``,
``.travis.yml``, ``*.gradle``."""
_READ = frozenset({"text", "crlf", "eol", "ident", "working-tree-encoding", "export-subst"})
_IDENT = re.compile(rb"\$Id: ([0-9a-f]{40}|[0-9a-f]{64}) \$")
_MOST_COMPARISONS = 10**7
"""Lines times files; beyond, attributes are not looked up, so that they cost no hours."""


class Conversions:
    """What the attributes of a commit did to its archive.

    Attributes:
        left_out: a line for each pattern by which code files may be missing.
        remark: which files may differ from the commit; empty where none does.
    """

    def __init__(
        self,
        attributes: GitAttributes,
        paths: Iterable[str],
        suffixes: tuple[str, ...] = JAVA_SUFFIXES,
    ) -> None:
        """Find out.

        Args:
            attributes: those of the commit.
            paths: of the files that are read.
            suffixes: how the names of the code files end.
        """
        paths = list(paths)
        self.left_out = _list_left_out(attributes, set(paths), suffixes)
        lines = [line for line in attributes.lines if not _READ.isdisjoint(line.values)]
        self._done: dict[str, tuple[str, ...]] = {}
        too_much = len(lines) * len(paths) > _MOST_COMPARISONS
        if any(_name_conversions(line.values) for line in lines) and not too_much:
            of_paths = ((path, attributes.find(path, lines)) for path in paths)
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


def _list_left_out(
    attributes: GitAttributes, present: set[str], suffixes: tuple[str, ...]
) -> tuple[ListedFile, ...]:
    ends = "|".join(re.escape(one.removeprefix(".")) + "$" for one in suffixes)
    other_file = re.compile(_OTHER_FILE.format(ends))
    paths = (
        f"{line.folder}{line.pattern.removeprefix('/')}"
        for line in attributes.lines
        if line.values.get("export-ignore") is True
        and not other_file.fullmatch(line.pattern.rpartition("/")[2])
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
