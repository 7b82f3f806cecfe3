"""Fitting a ranker that anybody may have written: an input that nobody gave ends in one line."""

from __future__ import annotations

from ncsbench.corpus.documents import Documents
from ncsbench.errors import ConfigurationError
from ncsbench.rankers.protocol import FitInputs, Ranker


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
