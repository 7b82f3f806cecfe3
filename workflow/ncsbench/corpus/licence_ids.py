"""SPDX ids of licence files, by the package ``identify`` and its texts of common licences."""

from __future__ import annotations

import codecs
import tempfile
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import ukkonen  # noqa: F401  (identify imports it when it compares)
from identify import identify
from identify.vendor.licenses import LICENSES

from ncsbench.artifacts.storage import hash_bytes
from ncsbench.corpus.licence_schema import UNRECOGNISED

LONGEST = 100_000
"""Longer texts are compared with none, in characters; the longest licence has 34,042."""


_END = "END OF TERMS AND CONDITIONS"
"""What stands between the terms of some licences and an appendix on how to apply them."""


@dataclass
class LicenceIds:
    """Recognises the texts of licences; equal texts are compared once."""

    _known: dict[str, str | None] = field(default_factory=dict, init=False)

    def find(self, data: bytes) -> tuple[str | None, str | None]:
        """The SPDX id of a licence file, or the reason why it has none.

        A file has the id of a licence that it differs from in less than 5 % of its characters, not
        counting white space and lines of copyright; the nearest one where there are several. An
        appendix on how to apply the licence may be left out, or be another text that is not longer.
        Bytes that are no UTF-8 count as characters that differ.

        White space is taken out first, since the pattern for lines of copyright takes quadratic
        time on empty lines. The edit distance is bounded by the 5 %: texts whose lengths differ by
        more are not compared.
        """
        wide = data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
        text = _clean(data.decode("utf-16" if wide else "utf-8-sig", "replace"))
        if len(text) > LONGEST:
            return None, f"too long ({len(text)} characters, at most {LONGEST})"
        key = hash_bytes(text.encode())
        if key not in self._known:
            self._known[key] = _compare(text) or _compare_terms(text)
        spdx = self._known[key]
        return spdx, None if spdx else UNRECOGNISED


def _clean(text: str) -> str:
    """The text without needless white space; its lines stay."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return "\n".join(line for line in (" ".join(line.split()) for line in lines) if line)


def _compare_terms(text: str) -> str | None:
    """The licence whose terms stand before the mark of their end, whatever its appendix is."""
    terms, end, rest = text.partition(_END)
    if not end:
        return None
    return next(
        (
            spdx
            for spdx, appendix in _list_appendices()
            if len(rest) <= len(appendix) and _compare(terms + end + appendix) == spdx
        ),
        None,
    )


@cache
def _list_appendices() -> list[tuple[str, str]]:
    parts = ((spdx, _clean(text).partition(_END)) for spdx, text in LICENSES)
    return [(spdx, appendix) for spdx, (_, end, appendix) in parts if end]


def _compare(text: str) -> str | None:
    # The package reads a file, which must not be one of a repository: its name could be anything.
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "licence"
        path.write_bytes(text.encode("utf-8"))
        return identify.license_id(str(path))
