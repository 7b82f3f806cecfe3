"""What a data card says that stands in no file of the workflow."""

from __future__ import annotations

from pydantic import Field

from ncsbench.configuration.strict_model import Names, StrictModel


class CardOptions(StrictModel):
    """What the data card says of who publishes a dataset; the block ``card`` of a dataset file.

    All of it may be left out: who publishes knows it, the workflow does not (docs/data-card.md).
    """

    description: str = ""
    """What the dataset is, in a sentence or two; counts are added."""
    creators: Names = ()
    """Names of who made it."""
    url: str = ""
    """Its page."""
    version: str = Field("", pattern=r"^(\d+\.\d+\.\d+)?$")
    """Its version, three numbers."""
    published: str = Field("", pattern=r"^(\d{4}-\d{2}-\d{2})?$")
    """The day of its release, YYYY-MM-DD."""


class CardSettings(CardOptions):
    """Settings of the stages ``tables card`` and ``tables croissant``."""

    dataset: str
    """Name of the dataset."""
    licence: str
    """Under which terms the data may be used."""
    citation: str
    """What to cite."""
