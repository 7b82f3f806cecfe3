"""The folder of a sentence encoder, or of vectors made elsewhere: its files, and what is refused.

Nothing of a folder runs: weights are safetensors, never pickle, and code that ``config.json``
names is refused, not ignored, since the encoder would be another one without it.
"""

from __future__ import annotations

from pathlib import Path

from ncsbench.artifacts.storage import read_json
from ncsbench.errors import ConfigurationError

CONFIGURATION, TOKENIZER = "config.json", "tokenizer.json"
_WEIGHTS, _PARTS = "model.safetensors", "model.safetensors.index.json"
_VECTORS = (
    *("corpus.json", "methods.npy", "method_vectors.npy"),
    *("queries.json", "query_vectors.npy"),
)
_PICKLES = ("*.bin", "*.pt", "*.pth", "*.pkl", "*.ckpt")


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
    """The files of vectors made elsewhere (``given_vectors``), in the order of its table.

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
