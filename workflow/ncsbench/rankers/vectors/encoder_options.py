"""Options of ``encoder``, and the folder that they name: its files, and the content it refuses.

The folder holds a sentence encoder, or vectors made elsewhere. No code of the folder is run:
weights are safetensors, never pickle, and a folder whose ``config.json`` names code is refused; if
the code were ignored, the encoder would be another one.
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
    """Either a sentence encoder from a local folder, or vectors that were made elsewhere."""

    needs: ClassVar[tuple[str, ...]] = ("methods",)
    of_queries: ClassVar[tuple[str, ...]] = ("query_prefix",)
    files: ClassVar[tuple[str, ...]] = ("model", "vectors")
    model: str | None = Field(None, min_length=1)
    """Folder of the encoder in the Hugging Face layout, with ``config.json``, ``tokenizer.json``
    and safetensors; a relative path starts in the folder where Snakemake runs."""
    vectors: str | None = Field(None, min_length=1)
    """Folder of vectors of methods and queries that were made elsewhere (docs/add-a-model.md)."""
    comment: bool = True
    """True where the comment above a method is encoded before its code."""
    pooling: Literal["mean", "cls", "max"] = "mean"
    """The vector of a text: mean or maximum of the vectors of its tokens, or the vector of the
    first token."""
    query_prefix: str = ""
    """Text put before every query, if the encoder was trained with such a text."""
    document_prefix: str = ""
    """Text put before every method, if the encoder was trained with such a text."""
    maximum_length: int = Field(512, ge=1)
    """Largest number of tokens of a text, special tokens included; the rest is cut off."""
    normalise: bool = True
    """True where vectors are scaled to length 1, so that methods are ranked by cosine; otherwise
    they are ranked by inner product."""
    batch_tokens: int = Field(1024, ge=1)
    """Number of tokens that are encoded at once, padding included; the last digits of vectors
    depend on it."""
    threads: int = Field(1, ge=1)
    """Number of batches that are encoded side by side; vectors do not depend on it."""

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
        """Return the files of the encoder, or of the vectors."""
        if self.model is not None:
            found = find_model_files(Path(self.model))
        else:
            found = find_vector_files(Path(str(self.vectors)))
        return {path.name: str(path) for path in found}

    def check_packages(self) -> None:
        """Check the packages that an encoder needs; vectors made elsewhere need none of them."""
        for name in _PACKAGES if self.model is not None else ():
            try:
                distribution(name)
            except PackageNotFoundError as error:
                raise ConfigurationError(explain_missing(name)) from error


OPTIONS: dict[str, type[RankerOptions]] = {"encoder": EncoderOptions}
"""Options classes by kind of ranker."""


def explain_missing(package: str) -> str:
    """Return the message that an encoder lacks a package, with the way to get it."""
    return (
        f"a model of kind encoder needs the package {package!r}, which is not installed: "
        ".venv/bin/python -m pip install -r envs/requirements-encoder.txt"
    )


def find_model_files(folder: Path) -> list[Path]:
    """Return the files of an encoder.

    Args:
        folder: folder of the encoder, in the Hugging Face layout.

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
    """Return the files of vectors made elsewhere, as listed in ``rankers.vectors.encoder``.

    Raises:
        ConfigurationError: where a file is missing.
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
    """Return the files into which the weights are divided; no path may lead out of the folder."""
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
