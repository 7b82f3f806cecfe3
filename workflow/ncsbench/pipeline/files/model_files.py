"""Model files: the ranker of a row of the table, its options and what it learns from."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, Self

from pydantic import Field, model_validator

from ncsbench.base.configuration.files import check_name, list_names, read_yaml
from ncsbench.base.configuration.strict_model import StrictModel
from ncsbench.corpus.layout.corpus_settings import WordOptions
from ncsbench.errors import ConfigurationError, nearest
from ncsbench.pipeline.files.model_configuration import ModelConfiguration, Seen
from ncsbench.rankers.learnt_kinds import LEARNT, LearntBlocks
from ncsbench.rankers.ranker_options import RankerSpecification
from ncsbench.rankers.registry import list_built_in

_OF_BASE = list(dict.fromkeys(kind.block for kind in LEARNT.values() if kind.of_base))
_TAKEN_OVER = {
    "base": ("words", *_OF_BASE, "vectors_of"),
    "vectors_of": ("words", "embedding"),
}
"""Keys whose values come from another model's file, by the key that names this model."""


def is_path(name: str) -> bool:
    """Say whether the name of a model is the path of its file."""
    return name.endswith((".yaml", ".yml"))


def place_model(name: str) -> str:
    """Return the name of a model, or the absolute path of its file where the name is a path."""
    return os.path.normpath(Path(name).absolute()) if is_path(name) else name


def name_rows(models: Iterable[str]) -> list[str]:
    """Return the names of models that are given by name or by the path of their file."""
    return [Path(name).stem if is_path(name) else name for name in models]


def name_models(root: Path) -> list[str]:
    """List the names of all model files in ``config/models``, sorted."""
    return list_names(root / "config" / "models")


def read_model_file(
    path: Path, root: Path, known: list[str], own: Any = None, above: tuple[Path, ...] = ()
) -> Any:
    """Read the keys of a model file, with those that its key ``like`` brings; check no others.

    Args:
        path: path of the file.
        root: folder of the Snakefile.
        known: names of the models that ``like`` may name; another value of ``like`` is the path of
            a model file.
        own: the keys of this file, where no file of that path holds them.
        above: files whose ``like`` leads to this file.

    Raises:
        ConfigurationError: for a file that does not exist, and for keys that would have no effect.
    """
    own = _read_one(path) if own is None else own
    if not isinstance(own, dict):
        return own  # no model file: whoever reads the keys says so
    merged = _read_like(path, own, root, known, above) if "like" in own else own
    for other, keys in _TAKEN_OVER.items():
        for key in keys:
            if key in own and other in merged:
                raise ConfigurationError(
                    f"{path}: {key!r} counts for nothing beside '{other}: {merged[other]}', which "
                    f"brings its own; remove one of them"
                )
    return merged


def _read_one(path: Path) -> Any:
    """Read the keys of one file; the path of a Python file is made one from the working folder."""
    values = read_yaml(path)
    name = values.get("python") if isinstance(values, dict) else None
    if isinstance(name, str):
        found = _find_file(path, "python", name)
        # A relative path is the same on every machine.
        relative = os.path.relpath(found)
        below = not relative.startswith("..")
        values["python"] = relative if below else os.path.normpath(found.absolute())
    return values


def _find_file(path: Path, key: str, name: str) -> Path:
    """Find a file that a key of a model file names: beside this file or in the working folder."""
    for place in (path.parent / name, Path(name)):
        if place.is_file():
            return place
    raise ConfigurationError(
        f"{path}: {key}: {name} lies neither beside the model file nor in the working directory"
    )


def _read_like(
    path: Path, own: dict[str, Any], root: Path, known: list[str], above: tuple[Path, ...]
) -> dict[str, Any]:
    """Merge the keys of a model file over those of the file that its key ``like`` names."""
    own = dict(own)
    like = own.pop("like")
    if isinstance(like, str) and is_path(like):
        source = _find_file(path, "like", like)
    elif like in known:
        source = root / "config" / "models" / f"{like}.yaml"
    else:
        raise ConfigurationError(f"{path}: like: {like!r} is no model; {nearest(str(like), known)}")
    source = Path(os.path.normpath(source))
    if source in (*above, path):
        raise ConfigurationError(f"{path}: like: {source.name} is made like this file")
    pattern = read_model_file(source, root, known, above=(*above, path))
    if not isinstance(pattern, dict):
        raise ConfigurationError(f"{path}: like: {source.name} is no model file")
    # Only the file that has these keys itself rebuilds a published system or is shown beside one.
    for key in ("published_as", "beside"):
        pattern.pop(key, None)
    for key, other in (("kind", "python"), ("python", "kind")):
        if key in own:
            pattern.pop(other, None)
    merged = {**pattern, **own}
    for key, value in own.items():
        if isinstance(pattern.get(key), dict) and isinstance(value, dict):
            merged[key] = {**pattern[key], **value}
    if isinstance(merged.get("parts"), dict):
        merged["parts"] = _leave_out(path, pattern.get("parts") or {}, merged["parts"])
    return merged


def _leave_out(path: Path, those: Any, parts: dict[str, Any]) -> dict[str, Any]:
    """Return the parts that are not ``null``; ``those`` are the parts of the other file."""
    for name in (name for name, part in parts.items() if part is None and name not in those):
        raise ConfigurationError(
            f"{path}: parts.{name}: null leaves out a part of the other file, which has no such "
            f"one; {nearest(str(name), sorted(those))}"
        )
    return {name: part for name, part in parts.items() if part is not None}


CHANCE_BASELINES = ("random", "random_long", "longest_first")
"""Names of rows that every table has: without their figures, the judge's figures say little."""


class _RankerKeys(StrictModel):
    """Keys of a model file for its ranker, and for inputs of the ranker that are not learnt."""

    kind: str | None = Field(None, pattern="^[A-Za-z_][A-Za-z0-9_]*$")
    """Kind of the ranker: the name of a module in ncsbench.rankers, or the name under which a
    package registers a ranker. Either this key or ``python`` is needed."""
    python: str | None = Field(None, pattern=r"[^/]\.py$")
    """Instead of ``kind``: the path of a Python file with a ranker of your own, beside the model
    file or in the working directory. It is executed (docs/add-a-model.md)."""
    trained_on: str
    """The data that the model learnt from, in the words of the table."""
    base: str | None = None
    """The model whose candidates this model takes or whose queries it expands; words and embedding
    are those of the base."""
    parts: dict[str, str] = Field(default_factory=dict)
    """The models that this model combines, by the names that its ranker gives them; each has its
    own words, vectors and training (docs/add-a-model.md)."""
    vectors_of: str | None = None
    """The model whose words and word vectors this model starts from."""
    stop_words: bool = False
    """True where the ranker is given the stop words of the configuration."""
    words: WordOptions = WordOptions()
    """The open choices of the word extraction (docs/deviations.md)."""
    source_text: bool = False
    """True where the ranker reads the text of the methods, not only their words."""
    published_as: str = ""
    """The published system that this model rebuilds, by its name in the score sheet."""
    beside: str = ""
    """A published system that another row rebuilds: the table shows its figures beside this row
    too, with the difference and without a verdict (docs/table1.md)."""
    seen: Seen | None = None
    """Data of the benchmark that others may have trained the model on; tables say it behind
    ``trained_on``. Missing: as the base or a part has it."""
    options: dict[str, Any] = Field(default_factory=dict)
    """Options of the ranker; the keys depend on the kind of ranker."""

    @model_validator(mode="after")
    def _check_kind(self) -> Self:
        if self.kind is None and self.python is None:
            raise ValueError("missing key 'kind', or 'python' for a ranker in a file of your own")
        if self.kind is not None and self.python is not None:
            raise ValueError(
                f"'kind: {self.kind}' counts for nothing beside 'python: {self.python}', which is "
                "a kind of its own; remove one of them"
            )
        return self

    @model_validator(mode="after")
    def _check_parts(self) -> Self:
        if self.parts and self.base is not None:
            raise ValueError(
                f"'base: {self.base}' and 'parts' exclude each other; remove one of them, or name "
                "a model with the parts as the base"
            )
        return self

    @model_validator(mode="after")
    def _check_beside(self) -> Self:
        if self.beside and self.published_as:
            raise ValueError(
                f"'beside: {self.beside}' counts for nothing beside 'published_as: "
                f"{self.published_as}', which has a verdict; remove one of them"
            )
        return self


class ChangedRow(NamedTuple):
    """A row of a study: the keys of a model that has no model file.

    Attributes:
        base: the model that the row changes.
        keys: keys of a model file that replace those of the base.
        where: the file of the study and the key in it, as messages name them.
    """

    base: str
    keys: dict[str, Any]
    where: Path


class ModelFile(LearntBlocks, _RankerKeys):
    """A row of the table: a ranker, and the data that it learns from.

    The key ``like`` names another model file, by its name in ``config/models`` or by its path,
    beside this file or in the working directory. Missing keys are taken from that file, and a part
    that is ``null`` is left out; the merged result is checked.
    """


def load_model(
    name: str,
    *,
    root: Path,
    stop_words: str,
    seed: int,
    changed: Mapping[str, ChangedRow] | None = None,
    above: tuple[str, ...] = (),
) -> ModelConfiguration:
    """Read a model file and the models it builds on.

    Args:
        name: name of the model in ``config/models`` or of a row of a study, or the path of a model
            file (ends in .yaml).
        root: folder of the Snakefile.
        stop_words: file with one stop word a line, relative to ``root``.
        seed: seed of everything that draws.
        changed: rows of a study, by name.
        above: models that build on this model.
    """
    changed = changed or {}
    known = name_models(root)
    given = Path(name) if is_path(name) else None
    if given is not None:
        name = given.stem
        check_name(str(given), name)
    elif name not in known and name not in changed:
        raise ConfigurationError(
            f"model {name!r} is unknown; {nearest(name, known, page='docs/models.md')}"
        )
    if name in above:
        raise ConfigurationError(f"config/models/{name}.yaml: builds on itself")
    path, own = given or root / "config" / "models" / f"{name}.yaml", None
    if name in changed:
        row = changed[name]
        path = given = row.where
        own = {**row.keys, "like": row.base}
    merged = read_model_file(path, root, known, own)
    if given is not None and name in known:
        raise ConfigurationError(
            f"{given}: config/models has a model {name!r}; rename this file, or name that one"
        )
    _check_places(path, merged)
    model = ModelFile.parse(merged, where=str(path), texts=True)
    for part in model.parts:
        check_name(f"{path}: parts.{part}", part)
    named = {"base": model.base, "vectors_of": model.vectors_of}
    named |= {f"parts.{part}": other for part, other in model.parts.items()}
    for key, builds_on in named.items():
        if builds_on is not None and builds_on not in known:
            raise ConfigurationError(
                f"{path}: {key}: {builds_on!r} is no model; "
                + ("copy it to config/models" if is_path(builds_on) else nearest(builds_on, known))
            )
    load = partial(
        load_model,
        root=root,
        stop_words=stop_words,
        seed=seed,
        changed=changed,
        above=(*above, name),
    )
    options = dict(model.options)
    if model.stop_words:
        options["stop_words"] = read_stop_words(root / stop_words)
    kind = str(model.python or model.kind)
    specification = RankerSpecification(kind=kind, options=options)
    learns = {block: getattr(model, block) for block in LearntBlocks.model_fields}
    words, base, source_text = model.words, None, model.source_text
    if model.base is not None:
        base = load(model.base)
        specification = specification.model_copy(update={"base": base.specification})
        words = base.words
        # An index of the model's own holds that of its base, too.
        learns |= {block: getattr(base.learns, block) for block in _OF_BASE}
        source_text = source_text or base.source_text
    parts = {part: load(builds_on) for part, builds_on in sorted(model.parts.items())}
    if parts:
        made = {part: one.specification for part, one in parts.items()}
        specification = specification.model_copy(update={"parts": made})
        source_text = source_text or any(one.source_text for one in parts.values())
    if model.vectors_of is not None:
        other = load(model.vectors_of)
        words, learns["embedding"] = other.words, other.learns.embedding
    others = [*([base] if base else []), *parts.values()]
    return ModelConfiguration(
        name=name,
        trained_on=model.trained_on,
        specification=specification,
        words=words,
        seed=seed,
        learns=LearntBlocks(**learns),
        source_text=source_text,
        published_as=model.published_as,
        beside=model.beside,
        seen=model.seen or next((one.seen for one in others if one.seen), None),
        base=base,
        parts=parts,
        path=given,
    )


def _check_places(path: Path, keys: Any) -> None:
    """Raise ``ConfigurationError`` for an option of the ranker outside of the block ``options``."""
    kind = keys.get("kind") if isinstance(keys, dict) else None
    if not isinstance(kind, str) or (options := list_built_in().get(kind)) is None:
        return
    for key in keys:
        if key in options.model_fields and key not in ModelFile.model_fields:
            raise ConfigurationError(
                f"{path}: {key!r} is an option of the ranker; write 'options: {{{key}: ...}}'"
            )


def read_stop_words(path: Path) -> list[str]:
    """Read the words of a file, one a line, lower-case and sorted; ``#`` begins a comment line."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigurationError(f"stop_words: {path} cannot be read ({error})") from error
    return sorted({line.strip().lower() for line in lines if line.strip() and line[0] != "#"})
