"""Options of ``encoder``."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import ClassVar, Literal, Self

from pydantic import Field, model_validator

from ncsbench.errors import ConfigurationError
from ncsbench.rankers.encoder_files import explain_missing, find_model_files, find_vector_files
from ncsbench.rankers.ranker_options import RankerOptions

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


OPTIONS = EncoderOptions
