"""Names for what Java code has: reserved words, kinds of items, places of methods."""

from __future__ import annotations

from enum import Enum, IntEnum


class ItemKind(IntEnum):
    """The origins of an extracted item of a method (NCS paper, section 3.1)."""

    COMMENT = 0
    METHOD_NAME = 1
    CLASS_NAME = 2
    INVOCATION = 3
    CONSTANT = 4
    STRING = 5
    CREATION = 6
    RESOURCE = 7


class MethodPlace(Enum):
    """The surroundings of a method declaration; of several the first that fits."""

    METHOD = "method"
    """Inside another method, or a lambda: its local and anonymous classes."""
    CONSTRUCTOR = "constructor"
    """Inside a constructor or an initialiser block, which is code of every constructor."""
    FIELD_INITIALISER = "field initialiser"
    """Inside the initial value of a field, or an argument of an enum constant."""
    TYPE = "type"
    """Inside no such code: a member of a named type, or of the body of an enum constant."""


RESERVED = frozenset(
    "abstract assert boolean break byte case catch char class const continue default do double "
    "else enum extends false final finally float for goto if implements import instanceof int "
    "interface long native new null package private protected public return short static strictfp "
    "super switch synchronized this throw throws transient true try void volatile while".split()
)
"""Keywords and the literals ``true``, ``false`` and ``null`` (JLS 8, 3.9)."""

MAXIMUM_STRING = 300
"""Most characters of a string literal that is a word (NCS paper, section 3.1)."""
