"""Options of ``bm25f``."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from pydantic import Field

from ncsbench.configuration.strict_model import Share
from ncsbench.rankers.ranker_options import StopWordOptions

FieldName = Literal["name", "class", "calls", "types", "constants", "strings", "doc", "unsplit"]


class BM25FOptions(StopWordOptions):
    """Fields that a block leaves out keep their defaults, which are fitted on nothing."""

    needs: ClassVar[tuple[str, ...]] = ("methods",)
    of_queries: ClassVar[tuple[str, ...]] = (*StopWordOptions.of_queries, "k1", "weights", "b")
    k1: float = Field(1.2, ge=0)
    """Saturation of the weighted frequency."""
    weights: dict[FieldName, Annotated[float, Field(ge=0)]] = Field({})
    """Weight of each field (docs/ranker-parts.md): 3 for `name`, 2 for `doc`, 0.5 for `strings`, 1
    for the others. A field with 0 is as if it were not there."""
    b: dict[FieldName, Share] = Field({})
    """Weight of the length normalisation of each field: 0.75 for every one."""
    doc: Literal["indexed", "left_out"] = "indexed"
    """Whether the comment of a method is a field. Left out where something is fitted on pairs whose
    queries are comments."""

    def weigh(self, field: str) -> float:
        """The weight of a field."""
        given = dict[str, float](self.weights.items())
        return given.get(field, _WEIGHTS.get(field, 1.0))

    def normalise(self, field: str) -> float:
        """The weight of the length normalisation of a field."""
        return dict[str, float](self.b.items()).get(field, 0.75)


_WEIGHTS: dict[str, float] = {"name": 3.0, "doc": 2.0, "strings": 0.5}
OPTIONS = BM25FOptions
