"""Names of models for people, which pages and figures show beside an id."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from ncsbench.base.files.csv_tables import read_rows
from ncsbench.errors import DataError

NAMES_FILE = Path("config/model_names.csv")
"""The file of the names, from the folder of the project."""
HEADINGS = {
    "chance": "chance or length",
    "words": "words",
    "vectors": "word vectors",
    "network": "learnt",
    "fusion": "several combined",
    "bound": "upper bound",
}
"""Kinds of models, with the headings that figures and explorer (docs/explorer.md) have for them."""
COLUMNS = ("model", "name", "about", "kind", "year")


class ModelName(NamedTuple):
    """The name of a model, with a description.

    Attributes:
        name: name for people, unique.
        about: description of the model in one line.
        kind: one of ``HEADINGS``.
        year: year of the model's publication; empty for an unpublished model.
    """

    name: str
    about: str
    kind: str
    year: str


def read_model_names(path: Path = NAMES_FILE) -> dict[str, ModelName]:
    """Read the names by the id of the model; without the file there are no names.

    Raises:
        DataError: for a file of another form, an id or a name that occurs twice, and an unknown
            kind.
    """
    if not path.exists():
        return {}
    names: dict[str, ModelName] = {}
    for row in read_rows(path, COLUMNS):
        if row["kind"] not in HEADINGS:
            raise DataError(
                f"{path}: {row['model']}: the kind must be one of {', '.join(HEADINGS)}"
            )
        if row["model"] in names or row["name"] in {one.name for one in names.values()}:
            raise DataError(f"{path}: {row['model']}: its id or name is there twice")
        names[row["model"]] = ModelName(*(row[column] for column in COLUMNS[1:]))
    return names


def show_model(model: str, names: dict[str, ModelName]) -> str:
    """Return the name of a model with its id in brackets; the id alone for a model without name."""
    known = names.get(model)
    return f"{known.name} ({model})" if known else model
