"""Options of a filter of comments."""

from __future__ import annotations

from pathlib import Path
from typing import get_args

from ncsbench.comment_filter.cut_options import CutMethod, CutOptions
from ncsbench.comment_filter.vae_options import VaeOptions
from ncsbench.configuration.files import read_yaml
from ncsbench.configuration.nearest_name import nearest
from ncsbench.configuration.strict_model import StrictModel
from ncsbench.errors import ConfigurationError

_NUMBERS = {"percentile": "share", "loss": "highest"}


class FilterOptions(StrictModel):
    """How a filter of comments is made (docs/cleaning.md)."""

    rules: str = "as_published"
    """Name of a set of rules, ``as_published``, ``as_released`` or ``none``, or path of a file of
    rules, from the working directory."""
    model: VaeOptions | None = None
    """The language model of queries, made where titles are given."""
    cut: CutOptions | None = None
    """Which of its losses are kept."""


def read_options(
    path: Path | None, *, rules: str | None = None, cut: str | None = None
) -> FilterOptions:
    """Options of a YAML file, or the defaults, with others in their place.

    Args:
        path: the file; None for the defaults.
        rules: in place of ``rules``.
        cut: in place of ``cut``, as ``parse_cut`` reads it.

    Raises:
        ConfigurationError: where the file or a value cannot be used.
    """
    options = FilterOptions()
    if path is not None:
        options = FilterOptions.parse(read_yaml(path), where=str(path))
    return options.model_copy(
        update=({"rules": rules} if rules else {}) | ({"cut": parse_cut(cut)} if cut else {})
    )


def parse_cut(text: str) -> CutOptions:
    """Options of a cut by its method: ``k_means``, ``percentile=0.5``, ``loss=4.2``.

    Raises:
        ConfigurationError: for anything else.
    """
    method, _, number = text.partition("=")
    methods = get_args(CutMethod)
    if method not in methods:
        raise ConfigurationError(f"--cut: {method!r} is unknown; {nearest(method, list(methods))}")
    name = _NUMBERS.get(method)
    if bool(name) != bool(number):
        wanted = f"={name.upper()}" if name else ""
        raise ConfigurationError(f"--cut: {text!r} should be '{method}{wanted}'")
    values = {"method": method} | ({name: number} if name else {})
    return CutOptions.parse(values, where="--cut", texts=True)
