"""Model files: what a row of the table is made from."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ncsbench.configuration import fingerprint, nearest, read_yaml, validate_configuration
from ncsbench.errors import ConfigurationError

CONTROLS = ("random", "random_long", "longest_first")
"""Rows that every table has, asked for or not: without them the judge's figures say little."""


@dataclass(frozen=True)
class ModelConfiguration:
    """One row of the table: how to make its ranker, and which artifacts that reads.

    Attributes:
        name: name of the row and of the file in ``config/models/``.
        trained_on: what the model learnt from, as the table says it.
        specification: ``kind``, ``options`` and, where it builds on another model, ``base``.
        words: options of the word extraction.
        embedding: options of the word vectors; None where the model needs none.
        expansion: options of the table that queries are expanded by, with ``pairs``, the set of
            training pairs it is made from; None where the model needs none of its own.
        base: the model whose candidates it orders or whose queries it expands; None for most.
    """

    name: str
    trained_on: str
    specification: dict[str, Any]
    words: dict[str, Any]
    embedding: dict[str, Any] | None
    expansion: dict[str, Any] | None = None
    base: ModelConfiguration | None = None

    @property
    def indexed(self) -> ModelConfiguration:
        """The model whose index it searches: itself, or the last base without inputs of its own."""
        if self.base is None or self.expansion is not None:
            return self
        return self.base.indexed

    @property
    def pair_sets(self) -> set[str]:
        """Names of the sets of training pairs that it and its bases read."""
        own = set() if self.expansion is None else {str(self.expansion["pairs"])}
        return own if self.base is None else own | self.base.pair_sets

    @property
    def words_key(self) -> str:
        """Names the folder of its words."""
        return fingerprint(self.words)

    @property
    def embedding_key(self) -> str | None:
        """Names the folder of its word vectors."""
        return None if self.embedding is None else fingerprint([self.words, self.embedding])

    @property
    def expansion_key(self) -> str | None:
        """Names the file of its table of expansions."""
        return None if self.expansion is None else fingerprint(self.expansion)


def load_model(name: str, *, root: Path, stop_words: str) -> ModelConfiguration:
    """Read ``config/models/<name>.yaml`` and the models it builds on.

    Args:
        name: name of the model.
        root: folder of the Snakefile.
        stop_words: file with one stop word a line, relative to ``root``.
    """
    return _load_model(name, root, stop_words, ())


def _load_model(
    name: str, root: Path, stop_words: str, above: tuple[str, ...]
) -> ModelConfiguration:
    known = sorted(path.stem for path in (root / "config" / "models").glob("*.yaml"))
    if name not in known:
        raise ConfigurationError(f"model {name!r} is unknown; {nearest(name, known)}")
    if name in above:
        raise ConfigurationError(f"config/models/{name}.yaml: builds on itself")
    path = root / "config" / "models" / f"{name}.yaml"
    schema = root / "workflow" / "schemas" / "model.schema.yaml"
    model = validate_configuration(_read_like(path, known), schema=schema, source=str(path))
    specification = {"kind": model["kind"], "options": dict(model["options"])}
    words, embedding, base = model["words"], model.get("embedding"), None
    expansion = model.get("expansion")
    if model.get("stop_words"):
        specification["options"]["stop_words"] = read_stop_words(root / stop_words)
    if "base" in model:
        base = _load_model(model["base"], root, stop_words, (*above, name))
        specification["base"] = base.specification
        words, embedding = base.words, base.embedding
    return ModelConfiguration(
        name, model["trained_on"], specification, words, embedding, expansion, base
    )


def _read_like(path: Path, known: list[str]) -> Any:
    """The keys of a model file over those of the file that its key ``like`` names."""
    own = read_yaml(path)
    if not isinstance(own, dict) or "like" not in own:
        return own
    like = own.pop("like")
    if like not in known:
        raise ConfigurationError(f"{path}: like: {like!r} is no model; {nearest(str(like), known)}")
    pattern = read_yaml(path.with_name(f"{like}.yaml"))
    if not isinstance(pattern, dict) or "like" in pattern:
        raise ConfigurationError(f"{path}: like: {like}.yaml must be a model file without 'like'")
    merged = {**pattern, **own}
    if isinstance(pattern.get("options"), dict) and isinstance(own.get("options"), dict):
        merged["options"] = {**pattern["options"], **own["options"]}
    return merged


def read_stop_words(path: Path) -> list[str]:
    """The words of a file with one a line, lower-case and sorted; lines with ``#`` are comments."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigurationError(f"stop_words: {path} cannot be read ({error})") from error
    return sorted({line.strip().lower() for line in lines if line.strip() and line[0] != "#"})
