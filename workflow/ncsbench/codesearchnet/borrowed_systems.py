"""Functions searched by a model that a dataset of the workflow trained."""

from __future__ import annotations

from pathlib import Path

from ncsbench.codesearchnet.function_documents import FunctionTexts, make_documents
from ncsbench.codesearchnet.system_options import BorrowedFrom
from ncsbench.errors import ConfigurationError
from ncsbench.experiment.learnt_models import borrow, index_model


def index_borrowed(borrowed: BorrowedFrom, texts: FunctionTexts, folder: Path) -> Path:
    """Make the index of a model, with those of its parts, from what it learnt elsewhere.

    Args:
        borrowed: the model, from the folder of the workflow.
        texts: the functions.
        folder: to write into.

    Returns:
        The folder of the index.

    Raises:
        ConfigurationError: where the dataset has learnt something else since.
    """
    option = f"trained_in {borrowed.dataset}"
    model, learnt = borrow(borrowed.model, borrowed.dataset, option=option)
    if learnt.fingerprint() != borrowed.files:
        raise ConfigurationError(f"{option}: {borrowed.model} was trained anew; run it again")
    index = folder / "index"
    index_model(
        model.indexed,
        learnt,
        corpus=texts,
        make_words=lambda options: make_documents(texts, options),
        words=folder / "words",
        output=index,
    )
    return index
