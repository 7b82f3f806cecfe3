"""What the status and the headers of an answer mean: the file, try again and when, or never."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC
from email.utils import parsedate_to_datetime
from http import HTTPStatus

OK = HTTPStatus.OK
REDIRECTS = frozenset({301, 302, 303, 307, 308})
NEVER = frozenset({501, 505})
"""What a server says it does not do; its other errors pass, those of proxies (520 to 530) among
them."""
PASSING = frozenset({407, 408, 429})
"""A later request may succeed, as when the proxy of this machine is set up; of 403 only that which
speaks of a limit."""
LIMITS = frozenset({403, 429})
"""The host wants fewer requests, and not only of this file."""

_SECONDS = re.compile(r"\s*([0-9]{1,10})\s*")


def is_passing(status: int, headers: Mapping[str, str]) -> bool:
    """Whether asking again later may help."""
    if status == HTTPStatus.FORBIDDEN:
        return "Retry-After" in headers or _is_spent(headers)
    return status in PASSING or (status >= 500 and status not in NEVER)


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
        date = parsedate_to_datetime(text)
        # The oldest of the three forms names no zone: a date of HTTP is always of UTC.
        return (date if date.tzinfo else date.replace(tzinfo=UTC)).timestamp()
    except (ValueError, TypeError, OverflowError, OSError):
        return None
