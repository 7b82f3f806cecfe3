"""What every ranker is: the one interface between the models and the rest of the workflow.

A new ranker is a module in this package whose name is the ``kind`` of its model files and whose
attribute ``RANKER`` is its class, and one file in ``config/models/``. Such a module may lie
anywhere, where the model file names it, and a package outside registers a class under the entry
point group ``ncsbench.rankers``. Nothing else is edited. ``docs/add-a-model.md`` has an example.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, TypedDict, Unpack

from ncsbench.base.runs.rankings import Query, Run
from ncsbench.corpus.layout.documents import Documents, MethodTexts
from ncsbench.errors import ConfigurationError

if TYPE_CHECKING:
    from ncsbench.learning.deepcs.field_encoder import FieldEncoder
    from ncsbench.learning.encoders.encoder import Encoder
    from ncsbench.learning.training.query_expansion import Expansion
    from ncsbench.learning.training.translation_tables import Translation
    from ncsbench.learning.training.word_vectors import Embedding
    from ncsbench.learning.unif.unif_weights import UnifWeights
    from ncsbench.rankers.ranker_options import RankerOptions


class FitInputs(TypedDict, total=False):
    """What a ranker may be made from, beside the corpus (``learnt_kinds.LEARNT``, and text).

    Attributes:
        embedding: word vectors.
        expansion: names to add to queries.
        weights: what supervised training learnt.
        methods: the source text of the methods.
        encoder: networks for queries and code, trained together.
        field_encoder: a network for queries and the fields of methods.
        translation: code words that words of queries stand for.
        memory: file of pairs that are remembered.
    """

    embedding: Embedding
    expansion: Expansion
    weights: UnifWeights
    methods: MethodTexts
    encoder: Encoder
    field_encoder: FieldEncoder
    translation: Translation
    memory: Path


class Ranker(Protocol):
    """A model that ranks the methods of a corpus for a query.

    Inputs of ``fit`` beside the corpus are keyword arguments, of which a caller gives those that
    the model file names: a ranker need not change when a later model brings another kind of input.
    The corpus is handed over at ``load`` too, so that an index holds only what cannot be read from
    the corpus itself.

    Attributes:
        options_type: its options, and what else its model file must bring: ``needs``,
            ``takes_base`` and ``takes_parts`` are read there, not here.
    """

    options_type: ClassVar[type[RankerOptions]]

    def __init__(self, *, options: Mapping[str, Any], base: Ranker | None, seed: int) -> None:
        """Check the options of the model file; an unknown one is a ``ConfigurationError``.

        One that takes parts is given them as ``parts``, rankers by name in the order of the names.
        Before its ``fit`` and ``load`` they are ready to search, each on its own words of the same
        corpus, and their indexes are no part of its own (``combined_ranker``).
        """

    def fit(self, *, corpus: Documents, **inputs: Unpack[FitInputs]) -> None:
        """Make the ranker ready to search ``corpus``.

        Args:
            corpus: the methods to search; ids are positions.
            inputs: what else there is; a ranker reads those it needs, and one that builds on
                another hands them all to its base.

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


def fit_ranker(ranker: Ranker, kind: str, corpus: Documents, inputs: FitInputs) -> None:
    """``ranker.fit`` with what its model file brings.

    Raises:
        ConfigurationError: where it reads an input that was not given; with its name in ``needs``
            the model file would have been refused at the start.
    """
    try:
        ranker.fit(corpus=corpus, **inputs)
    except KeyError as error:
        name = error.args[0] if error.args else None
        if name not in FitInputs.__annotations__ or name in inputs:
            raise
        raise ConfigurationError(
            f"model of kind {kind}: 'fit' reads the input {name!r}, which its model file does not "
            f"give; add {name!r} to 'needs' of its options (docs/add-a-model.md)"
        ) from error
