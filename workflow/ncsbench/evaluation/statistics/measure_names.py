"""Names of measures, which are those of ir_measures: nDCG@10, RR@10, R@50, P@5, Success@1, AP.

Options are checked by them before any ranking is read; ``measures.graded_measures`` computes the
measures.
"""

from __future__ import annotations

import re
from typing import Annotated

from pydantic import AfterValidator

from ncsbench.errors import ConfigurationError

DEFAULT_MEASURES = ("nDCG@10", "RR@10", "R@5", "R@10", "R@50", "AP")
"""Measures of tables whose configuration names no others."""
FAMILIES = ("nDCG", "RR", "R", "P", "Success", "AP")
"""Measures without the rank that follows ``@``."""
_NEED_RANK = ("R", "P", "Success")
_NEED_ALL = ("nDCG", "R", "AP")
_NAME = re.compile(r"([A-Za-z]+)(?:@([1-9][0-9]{0,5}))?")


def parse_measure(name: str) -> tuple[str, int | None]:
    """Split a name into one of ``FAMILIES`` and its last rank, which is None where all count.

    Raises:
        ConfigurationError: for an unknown measure.
    """
    found = _NAME.fullmatch(name)
    if found is None or found[1] not in FAMILIES or (found[1] in _NEED_RANK and not found[2]):
        raise ConfigurationError(
            f"measure {name!r}: is unknown; choose from {', '.join(FAMILIES)}, with a rank such "
            "as nDCG@10 or R@50"
        )
    return found[1], int(found[2]) if found[2] else None


def needs_all(name: str) -> bool:
    """Say whether a measure needs everything that is right, found or not: it depends on a pool."""
    return parse_measure(name)[0] in _NEED_ALL


def _check_measure(name: str) -> str:
    try:
        parse_measure(name)
    except ConfigurationError as error:
        raise ValueError(str(error)) from error
    return name


MeasureName = Annotated[str, AfterValidator(_check_measure)]
"""Name of a measure, such as ``nDCG@10``."""
