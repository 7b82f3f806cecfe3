"""Third-party text made safe for a terminal or a spreadsheet, and shortened."""

from __future__ import annotations

import re
import unicodedata

_DECEIVING = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
_FORMULA = re.compile(r"[=+\-@\t\r]")
_NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?|[+-]?(inf|nan)", re.IGNORECASE)
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_TAB = "    "
_ROOM = len(" … 1,000 more characters")


def show_visibly(text: str) -> str:
    r"""Replace characters that act on a terminal or are invisible there by ``<U+001B>`` and so on.

    Control characters, marks of direction and joining, surrogates, private and unassigned
    characters and the two separators of lines are shown so; ``\n`` and tabs stay.
    """
    return "".join(
        f"<U+{ord(character):04X}>"
        if character not in "\n\t" and unicodedata.category(character) in _DECEIVING
        else character
        for character in text.replace("\r\n", "\n")
    )


def show_line(text: str) -> str:
    """Return the text on one line, safe to show."""
    return show_visibly(" ".join(text.split()))


def show_cell(text: str) -> str:
    r"""Return the text as a cell of a table that a spreadsheet opens and a terminal shows.

    Text that a spreadsheet would take for a formula gets an apostrophe before it, unless it is a
    number; control characters other than ``\n`` and tabs are shown as ``show_visibly`` shows them.
    All other text stays as it is.
    """
    shown = _CONTROL.sub(lambda found: f"<U+{ord(found[0]):04X}>", text.replace("\r\n", "\n"))
    return f"'{shown}" if _FORMULA.match(shown) and not _NUMBER.fullmatch(shown) else shown


def cut_text(text: str, *, lines: int, width: int) -> list[str]:
    """Return safe lines of a text: at most ``lines``, each cut to about ``width`` characters.

    A note says how much was cut: ``… 12 more characters``, ``… 3 more lines``.
    """
    shown = show_visibly(text).replace("\t", _TAB).split("\n")
    kept = [_cut_line(line, width) for line in shown[:lines]]
    left = len(shown) - len(kept)
    return [*kept, f"… {show_count(left, 'more line')}"] if left else kept


def _cut_line(line: str, width: int) -> str:
    if len(line) <= width:
        return line
    kept = max(width - _ROOM, width // 2)
    return f"{line[:kept]} … {show_count(len(line) - kept, 'more character')}"


def show_count(number: int, what: str) -> str:
    """Return a number with its noun: ``1 method``, ``2,000 methods``."""
    return f"{number:,} {what}{'' if number == 1 else 's'}"
