"""What commands by hand take of a configuration: ``--config key=value``, as Snakemake reads it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import yaml

from ncsbench.errors import ConfigurationError


def read_assignments(texts: Sequence[str]) -> dict[str, Any]:
    """Keys and values of texts such as ``download={contact: me@example.org}``; values are YAML.

    Raises:
        ConfigurationError: where a text is none of a key and a value.
    """
    values: dict[str, Any] = {}
    for text in texts:
        key, equals, value = text.partition("=")
        try:
            values[key] = yaml.safe_load(value)
        except (yaml.YAMLError, ValueError, RecursionError):
            equals = ""
        if not key.isidentifier() or not equals:
            raise ConfigurationError(
                f"--config: {text!r} is no key and value, such as 'inputs={{published: folder}}'"
            )
    return values


def merge(configuration: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """A configuration with changes; blocks are merged key by key."""
    merged = dict(configuration)
    for key, value in changes.items():
        before = merged.get(key)
        both = isinstance(before, Mapping) and isinstance(value, Mapping)
        merged[key] = merge(before, value) if both else value  # type: ignore[arg-type]
    return merged
