"""Where a method declaration stands: directly in a type, or in code."""

from __future__ import annotations

from enum import Enum


class MethodPlace(Enum):
    """What is around a method declaration; of several the first that fits."""

    METHOD = "method"
    """Inside another method, or a lambda: its local and anonymous classes."""
    CONSTRUCTOR = "constructor"
    """Inside a constructor or an initialiser block, which is code of every constructor."""
    FIELD_INITIALISER = "field initialiser"
    """Inside the initial value of a field, or an argument of an enum constant."""
    TYPE = "type"
    """None of these: a member of a named type, or of the body of an enum constant."""
