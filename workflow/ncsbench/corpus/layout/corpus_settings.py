"""Settings of a corpus: its source, its methods, their words."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar, Literal

from pydantic import Field

from ncsbench.base.configuration.strict_model import StrictModel
from ncsbench.code.java.java_terms import ItemKind, MethodPlace
from ncsbench.corpus.sources.source_protocol import SourceOptions

Duplicates = Literal["kept", "equal_words", "equal_lines", "near"]
"""``kept``: duplicates of an earlier method stay in the corpus; else the definition of the
duplicates that are left out."""
DuplicateRule = Literal["equal_lines", "equal_words", "near"]
"""Definition of a duplicate."""


class MethodOptions(StrictModel):
    """Choice of the method declarations with a body that are methods of the corpus (DEV-01)."""

    nested: Literal["left_out", "kept_in_constructors", "kept"] = "left_out"
    """Methods inside another method, a lambda, a constructor or an initialiser block, as those of
    anonymous classes are; with ``kept_in_constructors`` methods inside constructors and initialiser
    blocks stay (DEV-82)."""
    field_initialisers: Literal["kept", "left_out"] = "kept"
    """Methods inside the initial value of a field, or an argument of an enum constant (DEV-83)."""

    def leaves_out(self, place: MethodPlace) -> Literal["nested", "field_initialisers"] | None:
        """The option by which a method at this place is left out."""
        if place is MethodPlace.METHOD:
            return None if self.nested == "kept" else "nested"
        if place is MethodPlace.CONSTRUCTOR:
            return "nested" if self.nested == "left_out" else None
        if place is MethodPlace.FIELD_INITIALISER and self.field_initialisers == "left_out":
            return "field_initialisers"
        return None


class CorpusSettings(MethodOptions):
    """Settings of the stages ``extract`` and ``build_corpus``."""

    source: SourceOptions
    """The source of the files."""
    shards: int = Field(ge=1)
    """Number of parts in which the corpus is processed."""
    duplicates: Duplicates = "kept"
    """Duplicates of earlier methods: ``kept``, or the kind of duplicates that are left out."""


class ReleasedSettings(StrictModel):
    """Settings of the stage ``released_methods``."""

    released: tuple[Path, ...]
    """Files of the released list of methods."""


class WordOptions(StrictModel):
    """The choices that the paper leaves open; defaults argued in ``docs/deviations.md``."""

    written: ClassVar[tuple[str, ...]] = (
        "class_name",
        "comments",
        "constructor_calls",
        "resource_identifiers",
    )
    class_name: bool = True
    """True where the name of the enclosing class is among the words."""
    comments: Literal["cleaned", "raw"] = "cleaned"
    """``cleaned`` leaves out tags and markup of Javadoc comments and the names behind ``@param``
    (DEV-87); ``raw`` takes comments as they are written."""
    constructor_calls: bool = False
    """True where ``new X()`` gives the words of X."""
    resource_identifiers: bool = False
    """True where ``R.id.name`` gives its words."""

    def kinds(self) -> frozenset[int]:
        """The kinds of items that become words."""
        left_out = {
            ItemKind.CLASS_NAME: not self.class_name,
            ItemKind.CREATION: not self.constructor_calls,
            ItemKind.RESOURCE: not self.resource_identifiers,
        }
        return frozenset(int(kind) for kind in ItemKind if not left_out.get(kind, False))
