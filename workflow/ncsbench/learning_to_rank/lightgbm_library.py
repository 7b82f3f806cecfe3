"""The library LightGBM, and what is said where it is absent."""

from __future__ import annotations

import ctypes
from importlib.metadata import PackageNotFoundError, distribution
from typing import Any

from ncsbench.errors import ConfigurationError

_SHARED = "libgomp.so.1"


def load_lightgbm() -> Any:
    """The library LightGBM.

    Raises:
        ConfigurationError: where it or the shared library that it loads is absent; says which
            target of make installs it.
    """
    try:
        import lightgbm
    except ImportError as error:
        raise _explain_package(error) from error
    except OSError as error:
        raise _explain_shared(error) from error
    return lightgbm


def check_lightgbm() -> None:
    """The same errors before a job needs it: importing it takes seconds, and is not done here."""
    try:
        distribution("lightgbm")
        ctypes.CDLL(_SHARED)
    except PackageNotFoundError as error:
        raise _explain_package(error) from error
    except OSError as error:
        raise _explain_shared(error) from error


def _explain_package(error: ImportError) -> ConfigurationError:
    return ConfigurationError(f"trees need LightGBM ({error}); `make setup` installs it")


def _explain_shared(error: OSError) -> ConfigurationError:
    return ConfigurationError(
        f"LightGBM needs the shared library of libgomp (Debian package libgomp1): {error};"
        " `make tree_packages` installs it, as root"
    )
