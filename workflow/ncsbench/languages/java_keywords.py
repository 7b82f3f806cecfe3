"""The reserved words of Java."""

RESERVED = frozenset(
    "abstract assert boolean break byte case catch char class const continue default do double "
    "else enum extends false final finally float for goto if implements import instanceof int "
    "interface long native new null package private protected public return short static strictfp "
    "super switch synchronized this throw throws transient true try void volatile while".split()
)
"""Keywords and the literals ``true``, ``false`` and ``null`` (JLS 8, 3.9)."""
