"""A model as a dataset of the workflow has it, with what it learnt there, for another corpus."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from ncsbench.configuration.files import read_yaml
from ncsbench.corpus.documents import Documents, MethodTexts, load_documents, save_documents
from ncsbench.corpus.word_options import WordOptions
from ncsbench.errors import ConfigurationError, DataError
from ncsbench.experiment.model_configuration import ModelConfiguration
from ncsbench.experiment.run import load_run
from ncsbench.rankers.combined_ranker import PartPlace
from ncsbench.rankers.model_index import make_index
from ncsbench.rankers.ranker_options import RankerSettings

CONFIGURATION = Path("config/config.yaml")


@dataclass(frozen=True)
class LearntInputs:
    """What a model learnt elsewhere, as files or folders; None where it needs none.

    Attributes:
        parts: the same of its parts, by name.
    """

    embedding: Path | None = None
    expansion: Path | None = None
    weights: Path | None = None
    encoder: Path | None = None
    field_encoder: Path | None = None
    translation: Path | None = None
    trees: Path | None = None
    parts: Mapping[str, LearntInputs] = field(default_factory=dict, kw_only=True)

    def own(self) -> dict[str, Path]:
        """Those of the model itself, by name."""
        given = {one.name: getattr(self, one.name) for one in fields(self) if one.name != "parts"}
        return {name: path for name, path in given.items() if path is not None}

    def fingerprint(self) -> list[list[str]]:
        """Names and checksums of the files."""
        found = []
        for path in self.own().values():
            for file in [path] if path.is_file() else sorted(path.rglob("*")):
                if file.is_file():
                    with file.open("rb") as opened:
                        digest = hashlib.file_digest(opened, "sha256").hexdigest()
                    found.append([file.relative_to(path.parent).as_posix(), digest])
        for name, part in self.parts.items():
            found += [[name, *entry] for entry in part.fingerprint()]
        return found


def read_workflow(option: str) -> dict[str, Any]:
    """The configuration of the workflow in whose folder one stands.

    Raises:
        ConfigurationError: in another folder; it names ``option``, which needs that one.
    """
    if not CONFIGURATION.is_file():
        raise ConfigurationError(
            f"{option}: must be called from the folder of the workflow, a checkout of ncsbench; "
            f"there is no {CONFIGURATION} here"
        )
    return dict(read_yaml(CONFIGURATION))


def borrow(
    name: str, dataset: str, *, option: str, seed: int | None = None
) -> tuple[ModelConfiguration, LearntInputs]:
    """A model as a dataset of the workflow has it, and what it learnt there.

    Args:
        name: of the model.
        dataset: name or file, as for ``snakemake``, asked from the folder of the workflow.
        option: what asks for it, for messages.
        seed: of the model; that of the dataset's run where it is None.

    Raises:
        ConfigurationError: where the dataset has no such row, or it was not trained yet.
    """
    configured = read_workflow(option)
    run = load_run({**configured, "dataset": dataset}, root=Path())
    wanted = name if seed in (None, configured.get("seed")) else f"{name}-seed{seed}"
    model = run.runs.get(wanted)
    if model is None:
        rows = ", ".join(run.models)
        raise ConfigurationError(f"{option}: has no row {wanted}; it has {rows}")
    folder = Path("data", run.trained_in or run.dataset)
    remedy = (
        f"make it first: snakemake --cores all results/{run.dataset}/table1.csv --config "
        f"dataset={dataset}"
    )
    try:
        return model, _find_learnt(model, folder)
    except DataError as error:
        raise ConfigurationError(f"{option}: {error}; {remedy}") from error


def _find_learnt(model: ModelConfiguration, folder: Path) -> LearntInputs:
    indexed = model.indexed
    keys = {
        "embeddings": indexed.embedding_key,
        "expansions": indexed.expansion_key and f"{indexed.expansion_key}.parquet",
        "weights": indexed.weights_key,
        "encoders": indexed.encoder_key,
        "field_encoders": indexed.field_encoder_key,
        "translations": indexed.translation_key,
        "trees": indexed.trees_key,
    }
    paths = {kind: folder / kind / key for kind, key in keys.items() if key}
    for path in paths.values():
        if not path.exists():
            raise DataError(f"{path} is not there")
    parts = {name: _find_learnt(part, folder) for name, part in indexed.parts.items()}
    return LearntInputs(*map(paths.get, keys), parts=parts)


def index_model(
    model: ModelConfiguration,
    learnt: LearntInputs,
    *,
    corpus: MethodTexts,
    make_words: Callable[[WordOptions], Documents],
    words: Path,
    output: Path,
) -> None:
    """Make the index of a model, after those of its parts; words and vectors are made once.

    Args:
        model: the model.
        learnt: what it learnt; word vectors that are wanted and not there are trained.
        corpus: the text of the methods.
        make_words: gives their words.
        words: folder of these; written where it is not there, as those of parts are beside it.
        output: folder to write; those of the parts lie beside it.
    """
    if not words.exists():
        save_documents(make_words(model.words), words)
    given = learnt.own()
    if model.embedding is not None and "embedding" not in given:
        given["embedding"] = words.parent / f"embedding-{model.embedding_key}"
        if not given["embedding"].exists():
            _train(load_documents(words), model, given["embedding"])
    parts = {}
    for name, part in model.parts.items():
        same = part.words_key == model.words_key
        own = words if same else words.with_name(f"words-{part.words_key}")
        index = output.with_name(f"{output.name}-{name}")
        index_model(
            part.indexed,
            learnt.parts.get(name, LearntInputs()),
            corpus=corpus,
            make_words=make_words,
            words=own,
            output=index,
        )
        parts[name] = PartPlace(index, None if same else own)
    make_index(
        RankerSettings(ranker=model.specification, seed=model.seed),
        words=words,
        corpus=corpus,
        parts=parts,
        output=output,
        **given,
    )


def _train(documents: Documents, model: ModelConfiguration, folder: Path) -> None:
    from ncsbench.training.word_vectors import save_embedding, train_embedding

    assert model.embedding is not None  # noqa: S101
    embedding, grams = train_embedding(documents, options=model.embedding, seed=model.seed)
    save_embedding(embedding, folder, grams)
