"""Code and links as the explorer shows them: safe; and where tokens stand in what is shown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ncsbench.text.safe_text import show_line, show_visibly

MOST = 6_000
"""Characters of a method that are shown; the link leads to the rest."""


@dataclass(frozen=True)
class ShownCode:
    """Code ready for a page.

    Attributes:
        text: what is shown (``show_visibly``), without the indentation of the closing line.
        left_out: characters of the code behind it.
        places: for each token that was asked for and is shown, where it begins in ``text``, in
            UTF-16 units as a browser counts, ascending.
    """

    text: str
    left_out: int
    places: tuple[int, ...]


def show_code(code: str, starts: Sequence[int] = ()) -> ShownCode:
    """The first ``MOST`` characters of code, safe to show.

    Args:
        code: of one method.
        starts: where tokens begin in it, in characters, ascending.
    """
    depth = _count_blanks(code.rpartition("\n")[2])
    shown: list[str] = []
    places: list[int] = []
    written = begin = number = 0  # UTF-16 units shown, characters read, tokens placed
    for line in code[:MOST].split("\n"):
        cut = min(depth, _count_blanks(line)) if shown else 0
        text, done = "", cut
        end = begin + len(line)
        while number < len(starts) and starts[number] < end:
            column = max(starts[number] - begin, cut)
            text += show_visibly(line[done:column])
            places.append(written + _utf16_length(text))
            done, number = column, number + 1
        text += show_visibly(line[done:].removesuffix("\r"))
        shown.append(text)
        written += _utf16_length(text) + 1
        begin = end + 1
    return ShownCode("\n".join(shown), max(len(code) - MOST, 0), tuple(places))


def show_link(url: str | None) -> str:
    """The address of a page; empty for any other, such as one that would run a script."""
    return show_line(url) if url and url.startswith(("https://", "http://")) else ""


def pack_places(places: Sequence[int]) -> str:
    """Places as differences in base 36, separated by blanks: what a page's data holds."""
    earlier = (0, *places)
    return " ".join(_base36(place - last) for place, last in zip(places, earlier, strict=False))


def _count_blanks(line: str) -> int:
    return len(line) - len(line.lstrip(" \t"))


def _utf16_length(text: str) -> int:
    return len(text) + sum(character > "\uffff" for character in text)


def _base36(number: int) -> str:
    digits = ""
    while number or not digits:
        number, digit = divmod(number, 36)
        digits = "0123456789abcdefghijklmnopqrstuvwxyz"[digit] + digits
    return digits
