"""What a data card says that stands in no file of the workflow."""

from __future__ import annotations

from datetime import date
from typing import Annotated

from pydantic import AfterValidator, Field

from ncsbench.configuration.strict_model import Names, StrictModel


def _check_day(day: str) -> str:
    try:
        if day:
            date.fromisoformat(day)
    except ValueError as error:
        raise ValueError(f"{day!r} is no day of the calendar; write YYYY-MM-DD") from error
    return day


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
    published: Annotated[str, AfterValidator(_check_day)] = Field(
        "", pattern=r"^(\d{4}-\d{2}-\d{2})?$"
    )
    """The day of its release, YYYY-MM-DD."""


class CardSettings(CardOptions):
    """Settings of the stages ``data_card`` and ``croissant``."""

    dataset: str
    """Name of the dataset."""
    licence: str
    """Under which terms the data may be used."""
    citation: str
    """What to cite."""
