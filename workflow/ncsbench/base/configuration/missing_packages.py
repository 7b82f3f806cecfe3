"""The one line on a package that a base installation lacks (docs/environments.md)."""

from __future__ import annotations

import traceback
from collections.abc import Iterator
from contextlib import contextmanager

from ncsbench.errors import ConfigurationError


@contextmanager
def name_missing() -> Iterator[None]:
    """Name a package that this library imports in the block and a base installation lacks.

    Raises:
        ConfigurationError: with the way to get the package.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        *_, (frame, _) = traceback.walk_tb(error.__traceback__)
        ours = str(frame.f_globals.get("__name__")).startswith("ncsbench.")
        if not ours or str(error.name).startswith("ncsbench"):
            raise
        raise ConfigurationError(
            f"this needs the package {error.name!r}, which a base installation lacks: "
            "pip install 'ncsbench[pipeline]', in a checkout '.[pipeline]' (docs/environments.md)"
        ) from error
