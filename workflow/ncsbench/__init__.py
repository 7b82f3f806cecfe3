"""Reproducible evaluation of neural code search.

The public names are those of ``ncsbench.api``; each is loaded when it is asked for.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ncsbench.api import Corpus as Corpus
    from ncsbench.api import Dataset as Dataset
    from ncsbench.api import NcsbenchError as NcsbenchError
    from ncsbench.api import Ranker as Ranker
    from ncsbench.api import create_ranker as create_ranker
    from ncsbench.api import evaluate_rankings as evaluate_rankings
    from ncsbench.api import experiment as experiment
    from ncsbench.api import judge_rankings as judge_rankings
    from ncsbench.api import list_models as list_models
    from ncsbench.api import load_corpus as load_corpus
    from ncsbench.api import load_dataset as load_dataset
    from ncsbench.api import load_index as load_index
    from ncsbench.api import load_questions as load_questions
    from ncsbench.api import load_sample as load_sample
    from ncsbench.api import ranker as ranker
    from ncsbench.api import read_table as read_table
    from ncsbench.version import __version__ as __version__


def __getattr__(name: str) -> Any:
    # Only when asked for: a job that imports one module of the library does not need all.
    if name == "__version__":
        return importlib.import_module("ncsbench.version").__version__  # noqa: TID251
    if name.startswith("_") and name != "__all__":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    api = importlib.import_module("ncsbench.api")  # noqa: TID251
    if name not in ("__all__", *api.__all__):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(api, name)


def __dir__() -> list[str]:
    return [*__getattr__("__all__"), "__version__"]
