"""A failure in somebody's own ranker, told in one line: the place in that code, and what."""

from __future__ import annotations

import traceback
from importlib.metadata import entry_points

from ncsbench.rankers.ranker_files import MODULE
from ncsbench.rankers.registry import ENTRY_POINT_GROUP


def describe_fault(error: Exception) -> str | None:
    """File, line and function of the last call in a ranker's file or package, and the exception.

    Args:
        error: as it was caught.

    Returns:
        One line; None where no ranker of somebody's own was running.
    """
    points = entry_points(group=ENTRY_POINT_GROUP)
    packages = {point.module.partition(".")[0] for point in points} - {"ncsbench"}
    places = [
        f"{frame.f_code.co_filename}, line {line}, in {frame.f_code.co_name}"
        for frame, line in traceback.walk_tb(error.__traceback__)
        for module in [str(frame.f_globals.get("__name__"))]
        if module.startswith(MODULE) or module.partition(".")[0] in packages
    ]
    if not places:
        return None
    message = " ".join(str(error).split())[:300]
    return f"{places[-1]}: {type(error).__name__}: {message}; --debug shows the traceback"
