"""Options of ``encoder``, and the folder that they name: its files, and what is refused.

The folder holds a sentence encoder, or vectors made elsewhere. Nothing of it runs: weights are
safetensors, never pickle, and code that ``config.json`` names is refused, not ignored, since the
encoder would be another one without it.
"""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import ClassVar, Literal, Self

from pydantic import Field, model_validator

from ncsbench.base.files.storage import read_json
from ncsbench.errors import ConfigurationError
from ncsbench.rankers.ranker_options import RankerOptions

CONFIGURATION, TOKENIZER = "config.json", "tokenizer.json"
_WEIGHTS, _PARTS = "model.safetensors", "model.safetensors.index.json"
_VECTORS = (
    *("corpus.json", "methods.npy", "method_vectors.npy"),
    *("queries.json", "query_vectors.npy"),
)
_PICKLES = ("*.bin", "*.pt", "*.pth", "*.pkl", "*.ckpt")
_OF_ENCODER = (
    *("comment", "pooling", "query_prefix", "document_prefix", "maximum_length"),
    *("batch_tokens", "threads"),
)
_PACKAGES = ("transformers", "tokenizers")


class EncoderOptions(RankerOptions):
    """A sentence encoder from a local folder, or vectors that were made elsewhere: one of both."""

    needs: ClassVar[tuple[str, ...]] = ("methods",)
    of_queries: ClassVar[tuple[str, ...]] = ("query_prefix",)
    files: ClassVar[tuple[str, ...]] = ("model", "vectors")
    model: str | None = Field(None, min_length=1)
    """Folder of the encoder in the Hugging Face layout, with ``config.json``, ``tokenizer.json``
    and safetensors; a relative path starts where Snakemake runs."""
    vectors: str | None = Field(None, min_length=1)
    """Folder of vectors of methods and queries that were made elsewhere (docs/add-a-model.md)."""
    comment: bool = True
    """Whether the comment above a method is encoded before its code."""
    pooling: Literal["mean", "cls", "max"] = "mean"
    """The vector of a text: mean or maximum of those of its tokens, or that of the first token."""
    query_prefix: str = ""
    """Text before every query, as the encoder was trained with."""
    document_prefix: str = ""
    """Text before every method, likewise."""
    maximum_length: int = Field(512, ge=1)
    """Tokens of a text that count, special ones included; what is behind them is cut off."""
    normalise: bool = True
    """Whether vectors get length 1, so that methods are ranked by cosine; else by inner product."""
    batch_tokens: int = Field(8192, ge=1)
    """Tokens that are encoded at once, padding included; last digits depend on it."""
    threads: int = Field(1, ge=1)
    """Threads of the encoder; only one gives the same bytes on any number of cores."""

    @model_validator(mode="after")
    def _check_source(self) -> Self:
        if (self.model is None) == (self.vectors is None):
            raise ValueError(
                "name either 'model', the folder of an encoder, or 'vectors', a folder of vectors"
            )
        given = [name for name in _OF_ENCODER if name in self.model_fields_set]
        if self.vectors is not None and given:
            raise ValueError(
                f"{given[0]!r} counts for nothing beside 'vectors', which were made elsewhere; "
                "remove it"
            )
        return self

    def list_files(self) -> dict[str, str]:
        """The files of the encoder, or of the vectors."""
        if self.model is not None:
            found = find_model_files(Path(self.model))
        else:
            found = find_vector_files(Path(str(self.vectors)))
        return {path.name: str(path) for path in found}

    def check_packages(self) -> None:
        """An encoder needs packages that no other ranker does; vectors made elsewhere do not."""
        for name in _PACKAGES if self.model is not None else ():
            try:
                distribution(name)
            except PackageNotFoundError as error:
                raise ConfigurationError(explain_missing(name)) from error


OPTIONS: dict[str, type[RankerOptions]] = {"encoder": EncoderOptions}
"""By kind."""


def explain_missing(package: str) -> str:
    """Which package an encoder lacks, and how to get it."""
    return (
        f"a model of kind encoder needs the package {package!r}, which is not installed: "
        ".venv/bin/python -m pip install -r envs/requirements-encoder.txt"
    )


def find_model_files(folder: Path) -> list[Path]:
    """The files that an encoder is made from.

    Args:
        folder: in the Hugging Face layout.

    Raises:
        ConfigurationError: where a file is missing, the weights are pickle, or the folder names
            code or weights of its own.
        DataError: where one of the JSON files cannot be read.
    """
    if not folder.is_dir():
        raise ConfigurationError(f"model: there is no folder {folder}; correct the path")
    configuration = folder / CONFIGURATION
    if not configuration.is_file():
        raise ConfigurationError(f"model: {folder} has no {CONFIGURATION}; name the folder with it")
    settings = read_json(configuration)
    if not isinstance(settings, dict) or "model_type" not in settings:
        raise ConfigurationError(f"model: {configuration} names no 'model_type'; get it again")
    if "auto_map" in settings:
        raise ConfigurationError(
            f"model: {configuration} names code of its own ('auto_map'), which is never run; take "
            "an encoder that transformers itself has, or vectors made elsewhere ('vectors')"
        )
    if "transformers_weights" in settings:
        raise ConfigurationError(
            f"model: {configuration} names its weights itself ('transformers_weights'); rename "
            f"them to {_WEIGHTS} and remove the key"
        )
    if not (folder / TOKENIZER).is_file():
        raise ConfigurationError(
            f"model: {folder} has no {TOKENIZER}; where the encoder was saved, write it by "
            "AutoTokenizer.from_pretrained(...).save_pretrained(folder)"
        )
    return [configuration, folder / TOKENIZER, *_find_weights(folder)]


def find_vector_files(folder: Path) -> list[Path]:
    """The files of vectors made elsewhere (``rankers.vectors.encoder``), in the order of its table.

    Raises:
        ConfigurationError: where one is missing.
    """
    for name in _VECTORS:
        if not (folder / name).is_file():
            raise ConfigurationError(
                f"vectors: {folder} has no {name}; it takes {', '.join(_VECTORS)} "
                "(docs/add-a-model.md)"
            )
    return [folder / name for name in _VECTORS]


def _find_weights(folder: Path) -> list[Path]:
    whole, parts = folder / _WEIGHTS, folder / _PARTS
    if whole.is_file():
        return [whole]
    if parts.is_file():
        return [parts, *_read_parts(folder, parts)]
    pickles = sorted(path.name for pattern in _PICKLES for path in folder.glob(pattern))
    if pickles:
        raise ConfigurationError(
            f"model: {folder} has its weights as pickle only ({pickles[0]}), which can run code "
            f"and is never read; where you trust it, save it as {_WEIGHTS} by "
            "model.save_pretrained(folder)"
        )
    raise ConfigurationError(f"model: {folder} has no {_WEIGHTS}; name the folder with it")


def _read_parts(folder: Path, index: Path) -> list[Path]:
    """The files that the weights are divided into; no path leads out of the folder."""
    about = read_json(index)
    named = about.get("weight_map") if isinstance(about, dict) else None
    names = sorted({str(name) for name in named.values()}) if isinstance(named, dict) else []
    if not names:
        raise ConfigurationError(f"model: {index} names no files; get it again")
    for name in names:
        if Path(name).name != name or not name.endswith(".safetensors"):
            raise ConfigurationError(
                f"model: {index} names {name!r}, which is no safetensors file of the folder"
            )
        if not (folder / name).is_file():
            raise ConfigurationError(f"model: {folder} has no {name}, which {index.name} names")
    return [folder / name for name in names]
