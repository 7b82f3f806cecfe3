"""Options of rankers, and what their model files must give beside them."""

from __future__ import annotations

from typing import Any, ClassVar, Literal, Self

from pydantic import Field, model_validator

from ncsbench.base.configuration.strict_model import StrictModel
from ncsbench.base.text.words import split_words

PACKAGE = "package:"
"""Beginning of an option that names a folder of an installed package, ``package:NAME/PATH``, in
place of a path."""


class RankerOptions(StrictModel):
    """The block ``options`` of the model files of one kind; each kind has a subclass.

    The ranker names the subclass as its ``options_type``. The subclasses of this package lie in
    modules without rankers and are listed there in ``OPTIONS``, so that a model file can be checked
    without importing its ranker.

    Attributes:
        takes_base: True where the ranker builds on another ranker, its ``base``.
        takes_parts: True where the ranker combines several others, its ``parts``, which
            ``__init__`` takes.
        needs: names of the ``FitInputs`` without which ``fit`` fails.
        of_queries: names of options that change nothing in an index: models that differ in these
            options alone share an index.
        refers_to_base: True where, in the workflow, the index refers to the index of the base,
            which is then made first, instead of containing it (``NCSExpanded.refer_to``).
        files: names of options that are paths of files or folders, relative to the folder in which
            Snakemake runs: the index is made again when their content changes.
        given: True where the rankings were made elsewhere, for the evaluation questions alone:
            there are no other seeds, and nothing is searched deeper, among a part of the corpus or
            for the micro-benchmark.
    """

    takes_base: ClassVar[bool] = False
    takes_parts: ClassVar[bool] = False
    needs: ClassVar[tuple[str, ...]] = ()
    of_queries: ClassVar[tuple[str, ...]] = ()
    refers_to_base: ClassVar[bool] = False
    files: ClassVar[tuple[str, ...]] = ()
    given: ClassVar[bool] = False

    def list_files(self) -> dict[str, str]:
        """Return the paths that the options in ``files`` give, by name of the option.

        They are raw inputs that an index is made from.

        Raises:
            NcsbenchError: where a file is missing or cannot be used.
        """
        return {name: str(getattr(self, name)) for name in self.files if getattr(self, name)}

    def check_packages(self) -> None:
        """Raise ``ConfigurationError`` where a package that the ranker needs is not installed.

        The check is made before a job starts, and imports nothing.
        """


class StopWordOptions(RankerOptions):
    """Options of models that may take the stop words out of a query."""

    of_queries: ClassVar[tuple[str, ...]] = ("query_stop_words", "stop_words")
    query_stop_words: Literal["kept", "removed"] = "kept"
    """Treatment of the stop words of a query (DEV-16): ``kept``, or ``removed``, which needs
    ``stop_words: true``."""
    stop_words: tuple[str, ...] = ()
    """The stop words, lower-case; a line ``stop_words: true`` of the model file fills them in."""

    @model_validator(mode="after")
    def _check_stop_words(self) -> Self:
        if self.query_stop_words == "removed" and not self.stop_words:
            raise ValueError(
                "'query_stop_words: removed' needs stop words; add 'stop_words: true' to the file"
            )
        return self

    def split_query(self, text: str) -> list[str]:
        """Split a query into words, without its stop words where they are removed."""
        words = split_words(text)
        if self.query_stop_words == "kept":
            return words
        return [word for word in words if word not in self.stop_words]


class RankerSpecification(StrictModel):
    """A ranker: its kind, its options and the rankers it builds on."""

    kind: str
    """The name of a module in ``ncsbench.rankers``, the path of a Python file (ends in .py), or
    the name under which another package registers a ranker."""
    options: dict[str, Any] = Field(default_factory=dict)
    """The options in the model file; checked by the kind's ``RankerOptions``."""
    base: RankerSpecification | None = None
    """The ranker whose candidates this one takes or whose queries it expands."""
    parts: dict[str, RankerSpecification] = Field(default_factory=dict)
    """The rankers that this one combines, by name; they are taken in the order of the names."""

    @property
    def chain(self) -> list[RankerSpecification]:
        """The specifications of the ranker and of all rankers that it builds on."""
        others = [self.base] if self.base else [self.parts[name] for name in sorted(self.parts)]
        return [self, *(found for other in others for found in other.chain)]

    @property
    def kinds(self) -> list[str]:
        """The kinds of the ranker and of all rankers that it builds on."""
        return [one.kind for one in self.chain]


class RankerSettings(StrictModel):
    """Settings of the stages ``rankers index`` and ``rankers retrieve``."""

    ranker: RankerSpecification
    """The ranker."""
    seed: int
    """Seed of the run; read only by rankers that draw random numbers."""


class RetrievalSettings(StrictModel):
    """Settings of the stage ``rankers retrieve`` that all models share."""

    depth: int = Field(ge=1)
    """Number of methods of each ranking, at most."""
