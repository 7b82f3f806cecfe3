"""What a ranker is made with: its options, and what its model file must bring."""

from __future__ import annotations

from typing import Any, ClassVar, Literal, Self

from pydantic import Field, model_validator

from ncsbench.base.configuration.strict_model import StrictModel
from ncsbench.base.text.words import split_words


class RankerOptions(StrictModel):
    """The block ``options`` of the model files of one kind; a kind is a subclass.

    The ranker names it as its ``options_type``. Those of this package are in modules without
    rankers, ``OPTIONS`` there, so that a model file is checked without what its ranker imports.

    Attributes:
        takes_base: whether the ranker orders the candidates of another one, its ``base``.
        takes_parts: whether it combines several others, its ``parts``, which ``__init__`` takes.
        needs: names of the ``FitInputs`` without which ``fit`` fails.
        of_queries: names of options that change nothing in an index: models that differ in these
            alone have one index.
        refers_to_base: whether an index of the workflow refers to that of the base, which is then
            made first, instead of holding one (``NCSExpanded.refer_to``).
        files: names of options that are paths of files or folders, from the folder in which
            Snakemake runs: the index is made again where their content is another.
        given: whether the rankings were made elsewhere, for the evaluation questions alone: there
            are no other seeds, and nothing is searched deeper, among a part of the corpus or for
            the micro-benchmark.
    """

    takes_base: ClassVar[bool] = False
    takes_parts: ClassVar[bool] = False
    needs: ClassVar[tuple[str, ...]] = ()
    of_queries: ClassVar[tuple[str, ...]] = ()
    refers_to_base: ClassVar[bool] = False
    files: ClassVar[tuple[str, ...]] = ()
    given: ClassVar[bool] = False

    def list_files(self) -> dict[str, str]:
        """Paths of the raw inputs that an index is made from, by name: those that ``files`` names.

        Raises:
            NcsbenchError: where one is missing or cannot be used.
        """
        return {name: str(getattr(self, name)) for name in self.files if getattr(self, name)}

    def check_packages(self) -> None:
        """``ConfigurationError`` where a package that the ranker needs is not installed.

        Asked before a job starts, so nothing is imported.
        """


class StopWordOptions(RankerOptions):
    """Options of models that may take the stop words out of a query."""

    of_queries: ClassVar[tuple[str, ...]] = ("query_stop_words", "stop_words")
    query_stop_words: Literal["kept", "removed"] = "kept"
    """Whether stop words of a query are kept (DEV-16); ``removed`` needs ``stop_words: true``."""
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
        """Words of a query, without its stop words where they are removed."""
        words = split_words(text)
        if self.query_stop_words == "kept":
            return words
        return [word for word in words if word not in self.stop_words]


class RankerSpecification(StrictModel):
    """Which ranker, and the rankers it builds on."""

    kind: str
    """The module in ``ncsbench.rankers``, the path of a Python file (ends in .py), or the name a
    package registers a ranker under."""
    options: dict[str, Any] = Field(default_factory=dict)
    """What the model file says; checked by the kind's ``RankerOptions``."""
    base: RankerSpecification | None = None
    """The ranker whose candidates this one takes or whose queries it expands."""
    parts: dict[str, RankerSpecification] = Field(default_factory=dict)
    """The rankers that this one combines, by name; their order is that of their names."""

    @property
    def chain(self) -> list[RankerSpecification]:
        """The ranker and those that it builds on."""
        others = [self.base] if self.base else [self.parts[name] for name in sorted(self.parts)]
        return [self, *(found for other in others for found in other.chain)]

    @property
    def kinds(self) -> list[str]:
        """The kind of the ranker and those of the rankers that it builds on."""
        return [one.kind for one in self.chain]


class RankerSettings(StrictModel):
    """Settings of the stages ``rankers index`` and ``rankers retrieve``."""

    ranker: RankerSpecification
    """The ranker."""
    seed: int
    """Of the run; only rankers that draw read it."""


class RetrievalSettings(StrictModel):
    """Settings of the stage ``rankers retrieve`` that all models share."""

    depth: int = Field(ge=1)
    """Methods of each ranking."""
