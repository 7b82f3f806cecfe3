"""What every ranker is: the one interface between the models and the rest of the workflow.

A new ranker is one module in this package whose name is the ``kind`` of its model files and whose
attribute ``RANKER`` is its class, plus one file in ``config/models/``. A package outside registers
a class under the entry point group ``ncsbench.rankers``. Nothing else is edited.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

from ncsbench.corpus.documents import Documents
from ncsbench.records import Query, Run

if TYPE_CHECKING:
    from ncsbench.models.embedding import Embedding


class Ranker(Protocol):
    """A model that ranks the methods of a corpus for a query.

    Inputs of ``fit`` are keyword arguments with defaults: a ranker names those it reads, is handed
    all of them by its caller and need not change when a later model brings another kind of input.
    The corpus is handed over at ``load`` too, so that an index holds only what cannot be read from
    the corpus itself.

    Attributes:
        takes_base: whether the ranker orders the candidates of another one, its ``base``.
    """

    takes_base: ClassVar[bool]

    def __init__(self, *, options: Mapping[str, Any], base: Ranker | None, seed: int) -> None:
        """Check the options of the model file; an unknown one is a ``ConfigurationError``."""

    def fit(
        self, *, corpus: Documents, embedding: Embedding | None = None, pairs: None = None
    ) -> None:
        """Make the ranker ready to search ``corpus``.

        Args:
            corpus: the methods to search; ids are positions.
            embedding: word vectors, for the models that need them.
            pairs: training pairs of the supervised models; none reads them so far.

        Raises:
            ConfigurationError: where an input that the ranker needs is missing.
        """

    def search(self, queries: Sequence[Query], *, k: int) -> Run:
        """Rank the methods for every query, at most ``k`` for each, best first.

        What is returned for one query depends neither on the other queries nor on the number of
        cores, and a smaller ``k`` gives the beginning of the same ranking.

        Raises:
            ConfigurationError: for ``k`` below 1.
        """

    def save(self, folder: Path) -> None:
        """Write the index as a folder of ``.npy`` and JSON files, atomically, without pickle."""

    def load(self, folder: Path, *, corpus: Documents) -> None:
        """Read what ``save`` wrote; ``corpus`` must be the one the index was fitted on.

        Raises:
            DataError: where the index is damaged or belongs to another corpus or other options.
        """
