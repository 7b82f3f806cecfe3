"""The kinds of items that are extracted from a method."""

from __future__ import annotations

from enum import IntEnum


class ItemKind(IntEnum):
    """Where an extracted item of a method comes from (NCS paper, section 3.1)."""

    COMMENT = 0
    METHOD_NAME = 1
    CLASS_NAME = 2
    INVOCATION = 3
    CONSTANT = 4
    STRING = 5
    CREATION = 6
    RESOURCE = 7
