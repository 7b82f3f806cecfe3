"""Here-documents of Ruby inside each other, which the grammar cannot read (DEV-222)."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict

_OPENING = re.compile(rb"<<[~-]?([\"`]?)([A-Za-z_]\w*)\1")
_WORD = re.compile(rb"\s*([A-Za-z_]\w*)\s*\Z")


def hide_nested_heredocs(source: bytes) -> bytes:
    """Ruby in which a here-document with another one inside it has no substitution.

    It is one token either way. The scanner of tree-sitter-ruby 0.23 takes what follows the inner
    one for code, and the file has no class any more.

    Returns:
        As many bytes in the same lines.
    """
    if source.count(b"<<") < 2:
        return source
    lines = source.split(b"\n")
    ends: defaultdict[bytes, list[int]] = defaultdict(list)
    for number, line in enumerate(lines):
        if word := _WORD.match(line):
            ends[word[1]].append(number)
    number = 0
    while number < len(lines):
        place = number + 1
        for opening in _OPENING.finditer(lines[number]):
            if end := _find_end(ends, opening[2], place, len(lines)):
                inside = range(place, end)
                if any(
                    _find_end(ends, inner[2], here + 1, end)
                    for here in inside
                    for inner in _OPENING.finditer(lines[here])
                ):
                    for here in inside:
                        lines[here] = lines[here].replace(b"#{", b"# ")
                place = end + 1
        number = place
    return b"\n".join(lines)


def _find_end(ends: defaultdict[bytes, list[int]], word: bytes, start: int, stop: int) -> int:
    """The first line of the word alone from ``start``, before ``stop``; 0 where there is none."""
    numbers = ends.get(word, [])
    index = bisect_left(numbers, start)
    return numbers[index] if index < len(numbers) and numbers[index] < stop else 0
