"""Makes records of posts from the attributes of a row."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from ncsbench.posts.row_xml import INVALID_VALUE, MISSING_ATTRIBUTE, LedgerLine, show_text

QUESTION, ANSWER = 1, 2
"""``PostTypeId`` of the posts that are read."""

_NUMBER = re.compile(r"-?[0-9]{1,18}")
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]{1,3})?Z?")
_TAGS = re.compile(r"(?:<[^<>|]+>)+|\|(?:[^<>|]+\|)+")
_TAG = re.compile(r"[^<>|]+")
_SCORES = (-(1 << 31), (1 << 31) - 1)
_COUNTS = (0, (1 << 62) - 1)
_IDS = (1, (1 << 30) - 1)
_KINDS = (1, 999)
_LICENCES_FROM = (
    (datetime(2018, 5, 2, tzinfo=UTC), "CC BY-SA 4.0"),
    (datetime(2011, 4, 8, tzinfo=UTC), "CC BY-SA 3.0"),
)
_FIRST_LICENCE = "CC BY-SA 2.5"
_USERS = (-(1 << 31), (1 << 62) - 1)  # the user "Community" is -1


class UnreadablePostError(Exception):
    """A row whose attributes do not make a post; becomes a line of the ledger."""

    def __init__(self, reason: str, detail: str) -> None:
        super().__init__(reason, detail)
        self.reason, self.detail = reason, detail

    def ledger_line(self, offset: int, number: int | None) -> LedgerLine:
        """The line of the ledger."""
        return LedgerLine(offset, number, self.reason, self.detail)


def read_identity(attributes: Mapping[str, str]) -> tuple[int, int]:
    """Id and type of a row; raises ``UnreadablePostError``."""
    number = _read_number(attributes, "Id", _IDS)
    return number, _read_number(attributes, "PostTypeId", _KINDS)


def read_tags(attributes: Mapping[str, str]) -> list[str]:
    """Tags of a question, written ``<a><b>`` or ``|a|b|``; raises ``UnreadablePostError``."""
    tags = _require(attributes, "Tags")
    if tags and not _TAGS.fullmatch(tags):
        raise _invalid("Tags", tags)
    return _TAG.findall(tags)


def read_parent(attributes: Mapping[str, str]) -> int:
    """The question of an answer; raises ``UnreadablePostError``."""
    return _read_number(attributes, "ParentId", _IDS)


def read_question(
    attributes: Mapping[str, str], number: int, tags: list[str], offset: int
) -> dict[str, Any]:
    """A record of ``POST_QUESTION_SCHEMA``; raises ``UnreadablePostError``."""
    return {
        "id": number,
        "title": _require(attributes, "Title"),
        "tags": tags,
        "view_count": _read_optional(attributes, "ViewCount", _COUNTS),
        "accepted_answer_id": _read_optional(attributes, "AcceptedAnswerId", _IDS),
        **_read_post(attributes, offset),
    }


def read_answer(
    attributes: Mapping[str, str], number: int, parent: int, offset: int
) -> dict[str, Any]:
    """A record of ``POST_ANSWER_SCHEMA``; raises ``UnreadablePostError``."""
    return {"id": number, "parent_id": parent, **_read_post(attributes, offset)}


def _read_post(attributes: Mapping[str, str], offset: int) -> dict[str, Any]:
    created = _read_date(attributes, "CreationDate")
    return {
        "score": _read_number(attributes, "Score", _SCORES),
        "creation_date": created,
        "owner_user_id": _read_optional(attributes, "OwnerUserId", _USERS),
        "owner_display_name": attributes.get("OwnerDisplayName", "").strip() or None,
        "licence": licence_of(attributes.get("ContentLicense"), created),
        "body": _require(attributes, "Body"),
        "offset": offset,
    }


def licence_of(stated: str | None, created: datetime) -> str:
    """The licence of a post.

    Args:
        stated: its ``ContentLicense``, which older dumps lack; kept as it is, whatever it says.
        created: when it was posted, with a time zone.

    Source: the licensing page of Stack Overflow's help centre.
    """
    if stated and stated.strip():
        return stated.strip()
    return next((licence for start, licence in _LICENCES_FROM if created >= start), _FIRST_LICENCE)


def _require(attributes: Mapping[str, str], name: str) -> str:
    try:
        return attributes[name]
    except KeyError:
        raise UnreadablePostError(MISSING_ATTRIBUTE, name) from None


def _invalid(name: str, value: str) -> UnreadablePostError:
    return UnreadablePostError(INVALID_VALUE, f'{name}="{show_text(value.encode())}"')


def _read_number(attributes: Mapping[str, str], name: str, limits: tuple[int, int]) -> int:
    value = _require(attributes, name)
    if not _NUMBER.fullmatch(value) or not limits[0] <= int(value) <= limits[1]:
        raise _invalid(name, value)
    return int(value)


def _read_optional(attributes: Mapping[str, str], name: str, limits: tuple[int, int]) -> int | None:
    return _read_number(attributes, name, limits) if name in attributes else None


def _read_date(attributes: Mapping[str, str], name: str) -> datetime:
    value = _require(attributes, name)
    try:
        if not _DATE.fullmatch(value):
            raise ValueError(value)
        return datetime.fromisoformat(value).replace(tzinfo=UTC)
    except ValueError:
        raise _invalid(name, value) from None
