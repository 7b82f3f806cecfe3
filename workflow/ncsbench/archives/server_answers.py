"""What the status and the headers of an answer mean: the file, try again and when, or never."""

from __future__ import annotations

import re
from collections.abc import Mapping
from email.utils import parsedate_to_datetime
from http import HTTPStatus

OK = HTTPStatus.OK
REDIRECTS = frozenset({301, 302, 303, 307, 308})
GONE = frozenset({404, 410, 451})
"""The file is not there, or may not be given out (RFC 9110, RFC 7725)."""
PASSING = frozenset({408, 429, 500, 502, 503, 504})
"""A later request may succeed; of 403 only that which speaks of a limit."""
LIMITS = frozenset({403, 429})
"""The host wants fewer requests, and not only of this file."""

_SECONDS = re.compile(r"\s*([0-9]{1,10})\s*")


def is_passing(status: int, headers: Mapping[str, str]) -> bool:
    """Whether asking again later may help."""
    return status in PASSING or (
        status == HTTPStatus.FORBIDDEN and ("Retry-After" in headers or _is_spent(headers))
    )


def find_wait(headers: Mapping[str, str], *, wall: float) -> float | None:
    """Seconds that the server wants to be left alone, None where it does not say.

    ``Retry-After`` in seconds or as a date (RFC 9110, section 10.2.3), else ``X-RateLimit-Reset``
    in seconds since 1970 where no request is left. A date counts from the answer's own ``Date``,
    if there is one, so that the clock of this machine does not matter.
    """
    now = _read_date(headers.get("Date", ""))
    now = wall if now is None else now
    asked = headers.get("Retry-After", "")
    if seconds := _SECONDS.fullmatch(asked):
        return float(seconds[1])
    if (date := _read_date(asked)) is not None:
        return max(0.0, date - now)
    reset = _SECONDS.fullmatch(headers.get("X-RateLimit-Reset", "").partition(".")[0])
    if _is_spent(headers) and reset:
        return max(0.0, float(reset[1]) - now)
    return None


def name_status(status: int) -> str:
    """``404 Not Found``; the server's own words are not shown."""
    try:
        return f"{status} {HTTPStatus(status).phrase}"
    except ValueError:
        return str(status)


def _is_spent(headers: Mapping[str, str]) -> bool:
    return headers.get("X-RateLimit-Remaining", "").strip() == "0"


def _read_date(text: str) -> float | None:
    try:
        return parsedate_to_datetime(text).timestamp()
    except (ValueError, TypeError, OverflowError, OSError):
        return None
