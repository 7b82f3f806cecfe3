"""The protocol of rankers: the one interface between the models and the rest of the workflow.

A new ranker is a module and a model file in ``config/models/``. The module's attribute ``RANKER``
is the class of the ranker. A module in this package or a folder of it has the ``kind`` of the model
file as its name, and its options are named in ``OPTIONS`` of an options module; a module anywhere
else is named by its path in the model file; another package registers its class under the entry
point group ``ncsbench.rankers``. ``docs/add-a-model.md`` has an example.
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
    """Inputs of ``fit`` beside the corpus: artifacts of ``learnt_kinds.LEARNT``, and the text.

    Attributes:
        embedding: word vectors.
        expansion: code words to add to queries.
        weights: trained weights of UNIF.
        methods: the source text of the methods.
        encoder: networks for queries and code, trained together.
        field_encoder: a network for queries and the fields of methods.
        translation: table that translates words of queries into words of code.
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

    Inputs of ``fit`` beside the corpus are keyword arguments, and a caller gives only those that
    the model file names: a ranker need not change when a later model brings another kind of input.
    The corpus is handed over at ``load``, too, so that an index holds only what cannot be read from
    the corpus itself.

    Attributes:
        options_type: class of the ranker's options. Its attributes ``needs``, ``takes_base`` and
            ``takes_parts`` say what else the model file must give; on the ranker itself they are
            not read.
    """

    options_type: ClassVar[type[RankerOptions]]

    def __init__(self, *, options: Mapping[str, Any], base: Ranker | None, seed: int) -> None:
        """Check the options of the model file; an unknown option is a ``ConfigurationError``.

        A ranker that takes parts has another argument ``parts``: rankers by name, in the order of
        the names. The parts are ready to search before ``fit`` or ``load`` is called, each on its
        own words of the same corpus, and their indexes are not saved with the ranker's own
        (``combined_ranker``).
        """

    def fit(self, *, corpus: Documents, **inputs: Unpack[FitInputs]) -> None:
        """Make the ranker ready to search ``corpus``.

        Args:
            corpus: the methods to search; the id of a method is its position.
            inputs: further inputs; a ranker reads those that it needs, and a ranker that builds on
                another one hands all of them to its base.

        Raises:
            ConfigurationError: where an input that the ranker needs is missing.
        """

    def search(self, queries: Sequence[Query], *, k: int) -> Run:
        """Rank the methods for every query, at most ``k`` for each, best first.

        The ranking of a query depends neither on the other queries nor on the number of cores, and
        a smaller ``k`` gives the beginning of the same ranking.

        Raises:
            ConfigurationError: for ``k`` below 1.
        """

    def save(self, folder: Path) -> None:
        """Write the index as a folder of ``.npy`` and JSON files, atomically, without pickle."""

    def load(self, folder: Path, *, corpus: Documents) -> None:
        """Read the index that ``save`` wrote; ``corpus`` must be the corpus given to ``fit``.

        Raises:
            DataError: where the index is damaged or belongs to another corpus or other options.
        """


def fit_ranker(ranker: Ranker, kind: str, corpus: Documents, inputs: FitInputs) -> None:
    """Call ``ranker.fit`` with the inputs that its model file names.

    Raises:
        ConfigurationError: where ``fit`` reads an input that was not given. (An input that is named
            in ``needs`` is asked for earlier, when the model file is read.)
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
