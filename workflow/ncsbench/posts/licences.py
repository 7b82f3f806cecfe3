"""The licence of a post: as the dump states it, else from the post's date."""

from __future__ import annotations

from datetime import UTC, datetime

_FROM = (
    (datetime(2018, 5, 2, tzinfo=UTC), "CC BY-SA 4.0"),
    (datetime(2011, 4, 8, tzinfo=UTC), "CC BY-SA 3.0"),
)
_FIRST = "CC BY-SA 2.5"


def licence_of(stated: str | None, created: datetime) -> str:
    """The licence of a post.

    Args:
        stated: its ``ContentLicense``, which older dumps lack; kept as it is, whatever it says.
        created: when it was posted, with a time zone.

    Source: the licensing page of Stack Overflow's help centre.
    """
    if stated and stated.strip():
        return stated.strip()
    return next((licence for start, licence in _FROM if created >= start), _FIRST)
