"""The open choices of the word extraction; the block ``words`` of a model file."""

from __future__ import annotations

from typing import ClassVar, Literal

from ncsbench.configuration.strict_model import StrictModel
from ncsbench.languages.java_terms import ItemKind


class WordOptions(StrictModel):
    """The choices that the paper leaves open; defaults argued in ``docs/deviations.md``."""

    written: ClassVar[tuple[str, ...]] = (
        "class_name",
        "comments",
        "constructor_calls",
        "resource_identifiers",
    )
    class_name: bool = True
    """Whether the name of the enclosing class is among the words."""
    comments: Literal["cleaned", "raw"] = "cleaned"
    """Whether tags and markup of Javadoc comments and the names behind ``@param`` are left out
    (DEV-87); ``raw`` takes comments as they are written."""
    constructor_calls: bool = False
    """Whether ``new X()`` gives the words of X."""
    resource_identifiers: bool = False
    """Whether ``R.id.name`` gives its words."""

    def kinds(self) -> frozenset[int]:
        """The kinds of items that become words."""
        left_out = {
            ItemKind.CLASS_NAME: not self.class_name,
            ItemKind.CREATION: not self.constructor_calls,
            ItemKind.RESOURCE: not self.resource_identifiers,
        }
        return frozenset(int(kind) for kind in ItemKind if not left_out.get(kind, False))
