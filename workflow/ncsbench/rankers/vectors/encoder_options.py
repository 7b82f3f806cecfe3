"""Options of sentence encoders, and the folder that they name: its files, and what these say.

The folder holds a sentence encoder, or vectors made elsewhere. No code of the folder is run:
weights are safetensors, never pickle, and a folder whose ``config.json`` names code is refused; if
the code were ignored, the encoder would be another one.
"""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import Any, ClassVar, Literal, Self

from pydantic import Field, model_validator

from ncsbench.base.configuration.strict_model import StrictModel
from ncsbench.base.files.storage import read_json
from ncsbench.errors import ConfigurationError
from ncsbench.rankers.ranker_options import PACKAGE, RankerOptions

CONFIGURATION, TOKENIZER = "config.json", "tokenizer.json"
_WEIGHTS, _PARTS = "model.safetensors", "model.safetensors.index.json"
_PICKLES = ("*.bin", "*.pt", "*.pth", "*.pkl", "*.ckpt")
_MODULES, _POOLING, _PROMPTS = (
    *("modules.json", "1_Pooling/config.json", "config_sentence_transformers.json"),
)
_LENGTH, _TOKENIZER_LENGTH = "sentence_bert_config.json", "tokenizer_config.json"
_KNOWN_MODULES = ("Transformer", "Pooling", "Normalize")
_DOCUMENT_PROMPTS = ("document", "passage", "corpus")
_ABSURD = 1_000_000  # From here on a length in ``tokenizer_config.json`` means that it has none.
_VECTORS = (
    *("corpus.json", "methods.npy", "method_vectors.npy"),
    *("queries.json", "query_vectors.npy"),
)
_PACKAGES = ("torch", "transformers", "tokenizers")


class FolderOptions(StrictModel):
    """Options by which texts become vectors, as the folder of an encoder or a model file says."""

    pooling: Literal["mean", "cls", "max"] = "mean"
    query_prefix: str = ""
    document_prefix: str = ""
    maximum_length: int = Field(512, ge=1)
    dtype: Literal["float32", "float16", "bfloat16"] = "float32"


class SentenceEncoderOptions(RankerOptions):
    """The encoder, the text of a method, and how texts become vectors."""

    needs: ClassVar[tuple[str, ...]] = ("methods",)
    of_queries: ClassVar[tuple[str, ...]] = ("query_prefix",)
    files: ClassVar[tuple[str, ...]] = ("model",)
    model: str | None = Field(None, min_length=1)
    """Folder of the encoder in the Hugging Face layout, with ``config.json``, ``tokenizer.json``
    and safetensors; a relative path starts in the folder where Snakemake runs, and
    ``package:NAME/PATH`` is a folder of the installed package NAME, which is not imported."""
    names: bool = False
    """True where the names of a method's class and of the method are encoded before its comment."""
    comment: bool = True
    """True where the comment above a method is encoded before its code."""
    pooling: Literal["mean", "cls", "max"] | None = None
    """The vector of a text: mean or maximum of the vectors of its tokens, or the vector of the
    first token; missing: as in ``1_Pooling/config.json`` of the folder, else ``mean``."""
    query_prefix: str | None = None
    """Text put before every query, if the encoder was trained with such a text; missing: the prompt
    ``query`` of ``config_sentence_transformers.json``, if any."""
    document_prefix: str | None = None
    """Text put before every method; missing: the prompt ``document``, ``passage`` or ``corpus``."""
    maximum_length: int | None = Field(None, ge=1)
    """Largest number of tokens of a text, special tokens included; the rest is cut off. Missing:
    ``max_seq_length`` of ``sentence_bert_config.json``, else what tokenizer and network take, else
    512."""
    dtype: Literal["float32", "float16", "bfloat16"] | None = None
    """Type of numbers in which the network calculates; missing: ``dtype`` or ``torch_dtype`` of
    ``config.json``, else ``float32``."""
    normalise: bool = True
    """True where vectors are scaled to length 1, so that methods are ranked by cosine; otherwise
    they are ranked by inner product."""
    batch_tokens: int = Field(1024, ge=1)
    """Number of tokens that are encoded at once, padding included; the last digits of vectors
    depend on it."""
    threads: int = Field(1, ge=1)
    """Number of batches that are encoded side by side; vectors do not depend on it."""

    @property
    def columns(self) -> list[str]:
        """The columns of the corpus that are encoded, in the order of the text."""
        names = ["class_name", "method_name"] if self.names else []
        return [*names, *(["comment"] if self.comment else []), "code"]

    def read_folder(self) -> FolderOptions:
        """Return how texts become vectors: as these options say, else as the folder does.

        Raises:
            NcsbenchError: where the folder is missing or says what cannot be used.
        """
        given = {name: getattr(self, name) for name in FolderOptions.model_fields}
        return read_folder_options(
            find_folder(str(self.model)),
            {name: value for name, value in given.items() if value is not None},
        )

    def list_files(self) -> dict[str, str]:
        """Return the files of the encoder; none where its package is not installed yet."""
        try:
            folder = find_folder(str(self.model))
        except ConfigurationError:  # ``check_packages`` says so before a job starts
            return {}
        found = find_model_files(folder)
        self.read_folder()
        names = (path.relative_to(folder).as_posix().replace("/", "-") for path in found)
        return dict(zip(names, map(str, found), strict=True))

    def check_packages(self) -> None:
        """Check the packages that an encoder needs."""
        for name in _PACKAGES:
            try:
                distribution(name)
            except PackageNotFoundError as error:
                raise ConfigurationError(explain_missing(name)) from error
        find_folder(str(self.model))


class EncoderOptions(SentenceEncoderOptions):
    """Either a sentence encoder from a local folder, or vectors that were made elsewhere."""

    files: ClassVar[tuple[str, ...]] = ("model", "vectors")
    vectors: str | None = Field(None, min_length=1)
    """Folder of vectors of methods and queries that were made elsewhere (docs/add-a-model.md)."""

    @model_validator(mode="after")
    def _check_source(self) -> Self:
        if (self.model is None) == (self.vectors is None):
            raise ValueError(
                "name either 'model', the folder of an encoder, or 'vectors', a folder of vectors"
            )
        counting = {*SentenceEncoderOptions.model_fields} - {"model", "normalise"}
        given = sorted(counting & self.model_fields_set)
        if self.vectors is not None and given:
            raise ValueError(
                f"{given[0]!r} counts for nothing beside 'vectors', which were made elsewhere; "
                "remove it"
            )
        return self

    def list_files(self) -> dict[str, str]:
        """Return the files of the encoder, or of the vectors."""
        if self.vectors is None:
            return super().list_files()
        return {path.name: str(path) for path in find_vector_files(Path(self.vectors))}

    def check_packages(self) -> None:
        """Check the packages that an encoder needs; vectors made elsewhere need none of them."""
        if self.vectors is None:
            super().check_packages()


class EncoderRerankOptions(SentenceEncoderOptions):
    """The base's best methods, ordered by a sentence encoder."""

    takes_base: ClassVar[bool] = True
    of_queries: ClassVar[tuple[str, ...]] = ()
    model: str = Field(min_length=1)
    """As in kind `encoder`."""
    depth: int = Field(50, ge=1)
    """Number of the base's best methods that are encoded and put in order; no ranking is longer."""


OPTIONS: dict[str, type[RankerOptions]] = {
    "encoder": EncoderOptions,
    "encoder_rerank": EncoderRerankOptions,
}
"""Options classes by kind of ranker."""


def read_folder_options(folder: Path, given: dict[str, Any]) -> FolderOptions:
    """Read options of an encoder from its folder, from files that sentence-transformers writes.

    Args:
        folder: folder of the encoder.
        given: options of the model file, which count in place of what the folder says.

    Returns:
        The options; what nobody says has the default of ``FolderOptions``.

    Raises:
        ConfigurationError: where the folder says something that cannot be used and ``given`` says
            nothing else, or names a module that changes vectors in another way.
        DataError: where one of the files is no JSON.
    """
    modules = _read(folder, _MODULES, list)
    for module in modules:
        kind = str(module.get("type") if isinstance(module, dict) else module).rpartition(".")[2]
        if kind not in _KNOWN_MODULES:
            raise ConfigurationError(
                f"model: {folder / _MODULES} names the module {kind!r}, without which the vectors "
                "are others; take another encoder, or vectors made elsewhere ('vectors')"
            )
    about = _read(folder, CONFIGURATION, dict)
    found = {
        "pooling": _find_pooling(_read(folder, _POOLING, dict)),
        "maximum_length": _read(folder, _LENGTH, dict).get("max_seq_length")
        or _find_length(about, _read(folder, _TOKENIZER_LENGTH, dict)),
        "dtype": about.get("dtype") or about.get("torch_dtype"),
        **_find_prefixes(_read(folder, _PROMPTS, dict).get("prompts")),
    }
    said = {name: value for name, value in found.items() if value is not None}
    return FolderOptions.parse(said | given, where=str(folder))


def _read(folder: Path, name: str, kind: type[Any]) -> Any:
    """Return the content of a file of JSON, empty where the file is absent."""
    path = folder / name
    found = read_json(path) if path.is_file() else kind()
    if not isinstance(found, kind):
        raise ConfigurationError(f"model: {path} has another form than expected; get it again")
    return found


def _find_pooling(about: dict[str, Any]) -> Any:
    marked = [
        key.removeprefix("pooling_mode_").removesuffix("_tokens").removesuffix("_token")
        for key, is_on in about.items()
        if key.startswith("pooling_mode_") and is_on is True
    ]
    # Several kinds of pooling make longer vectors; the joined name is refused.
    return about.get("pooling_mode", " and ".join(marked) or None)


def _find_prefixes(prompts: Any) -> dict[str, Any]:
    known = prompts if isinstance(prompts, dict) else {}
    documents = [known[name] for name in _DOCUMENT_PROMPTS if name in known]
    return {"query_prefix": known.get("query"), "document_prefix": next(iter(documents), None)}


def _find_length(about: dict[str, Any], tokenizer: dict[str, Any]) -> int | None:
    """Return the smaller of the lengths that the tokenizer and the network take."""
    lengths = (tokenizer.get("model_max_length"), about.get("max_position_embeddings"))
    return min((n for n in lengths if isinstance(n, int) and 0 < n < _ABSURD), default=None)


def find_folder(model: str) -> Path:
    """Return the folder of the option ``model``; a package that holds it is found, not imported.

    Raises:
        ConfigurationError: where the package is not installed.
    """
    if not model.startswith(PACKAGE):
        return Path(model)
    package, _, inner = model.removeprefix(PACKAGE).partition("/")
    try:
        folder = Path(str(distribution(package).locate_file(inner))).resolve()
    except (PackageNotFoundError, ValueError) as error:
        raise ConfigurationError(
            f"model: the package {package!r} is not installed; for the model 'minilm': "
            ".venv/bin/python -m pip install -r envs/requirements-minilm.txt"
        ) from error
    # Relative to the environment, so that what runs record names no folder of a machine.
    place = Path(".venv")
    inside = folder.is_relative_to(place.resolve())
    return place / folder.relative_to(place.resolve()) if inside else folder


def explain_missing(package: str) -> str:
    """Return the message that an encoder lacks a package, with the way to get it."""
    return (
        f"a sentence encoder needs the package {package!r}, which is not installed: "
        "in a checkout .venv/bin/python -m pip install -r envs/requirements.txt "
        "-r envs/requirements-encoder.txt"
    )


def find_model_files(folder: Path) -> list[Path]:
    """Return the files of an encoder that are read.

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
    said = (_MODULES, _POOLING, _PROMPTS, _LENGTH, _TOKENIZER_LENGTH)
    further = [folder / name for name in said if (folder / name).is_file()]
    return [configuration, folder / TOKENIZER, *further, *_find_weights(folder)]


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
