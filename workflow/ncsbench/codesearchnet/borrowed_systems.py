"""Functions searched by a model that a dataset of the workflow trained."""

from __future__ import annotations

from pathlib import Path

from ncsbench.codesearchnet.function_documents import FunctionTexts, make_documents
from ncsbench.codesearchnet.system_options import BorrowedFrom
from ncsbench.errors import DataError
from ncsbench.rankers.model_index import index_learnt


def index_borrowed(borrowed: BorrowedFrom, texts: FunctionTexts, folder: Path) -> Path:
    """Make the index of a model, with those of its parts, from what it learnt elsewhere.

    Args:
        borrowed: the model.
        texts: the functions.
        folder: to write into.

    Returns:
        The folder of the index.

    Raises:
        DataError: where the dataset has learnt something else since.
    """
    if borrowed.learnt.fingerprint() != borrowed.files:
        raise DataError(f"{borrowed.dataset}: {borrowed.model} was trained anew; run it again")
    index = folder / "index"
    index_learnt(
        borrowed.learnt,
        corpus=texts,
        make_words=lambda options: make_documents(texts, options),
        words=folder / "words",
        output=index,
    )
    return index
