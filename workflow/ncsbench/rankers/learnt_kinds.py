"""The table of the kinds of learnt artifacts, which rules, keys, settings and indexes loop over.

An artifact (word vectors, a network, ...) is learnt by a stage, with a block of a model file. It
lies below the folder of the dataset, under the fingerprint of what it is made from. The index of a
model is made with it (``rankers.model_index``), over the same corpus or, where the artifact is
lent, over another one. The table is read where runs are configured; to import nothing there, it
names functions that load or learn as text: ``<module of ncsbench>:<function>``.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import Field

from ncsbench.base.configuration.files import fingerprint
from ncsbench.base.configuration.strict_model import StrictModel
from ncsbench.corpus.layout.corpus_settings import WordOptions
from ncsbench.learning.deepcs.field_options import FieldEncoderOptions, FieldEncoderSettings
from ncsbench.learning.encoders.encoder_options import PairEncoderOptions, PairEncoderSettings
from ncsbench.learning.training.embedding_options import EmbeddingOptions, EmbeddingSettings
from ncsbench.learning.training.training_options import (
    ExpansionOptions,
    ExpansionSettings,
    TrainingOptions,
    TranslationOptions,
    TranslationSettings,
    WeightsSettings,
)
from ncsbench.rankers.ranker_options import RankerSpecification


class LearntBlocks(StrictModel):
    """The blocks of a model file that say how artifacts are learnt."""

    embedding: EmbeddingOptions | None = None
    """Options of the word vectors; a model without this block has no vectors."""
    expansion: ExpansionOptions | None = None
    """The table by which queries are expanded (docs/models.md)."""
    translation: TranslationOptions | None = None
    """The table that translates words of queries into words of code (docs/ranker.md)."""
    training: TrainingOptions | None = None
    """Supervised training (docs/unif.md)."""
    encoder: PairEncoderOptions | None = None
    """Joint encoders of queries and code (docs/encoders.md)."""
    field_encoder: FieldEncoderOptions | None = None
    """A network that reads fields of methods (docs/encoders.md)."""


class Learner(NamedTuple):
    """The inputs that decide what is learnt: blocks, word options, seed, stop words of queries."""

    learns: Any
    words: WordOptions
    seed: int
    stop_words: tuple[str, ...] = ()


class LearntInput(NamedTuple):
    """An input of ``fit``, which a ranker can need.

    Attributes:
        loaded_by: function that reads the input from the path of an artifact.
        what: noun phrase that names the input in messages and in docs/options.md.
        added_by: part of the model file that provides the input; where empty, it is the block of
            the kind.
    """

    loaded_by: str
    what: str
    added_by: str = ""


@dataclass(frozen=True)
class LearntKind:
    """A kind of learnt artifact.

    Attributes:
        block: key of the model file that has its options; a field of ``LearntBlocks``.
        place: path of an artifact below the folder of what was learnt; ``{}`` is its key. A path
            without a suffix is a folder.
        learnt_by: function of the stage that learns an artifact and writes it to ``output``.
        made_from: function that gives the value whose fingerprint is the key of the artifact; it
            gives None for a learner that has no artifact of this kind.
        settings: function that gives the content of the settings file of the stage; None where the
            stage has no such file.
        inputs: inputs of ``fit`` that come of the artifact, by name. An input that is also the name
            of an option of the block exists only where the option is given. A kind without inputs
            is read by the training of another kind alone, and never lent.
        learnt_from: inputs of the stage beside its settings: ``words`` of the corpus, ``pairs``
            (sets that the option ``pairs`` of the block names), or kinds of the same model. An
            artifact that is learnt from words alone can be learnt of a user's own code and of other
            corpora, where no dataset lends one.
        of_base: True where a model with a base uses the base's artifact and has no such block.
        recorded: True where the training leaves a record beside the artifact, for tables, and takes
            a ``checkpoint``.
        warns: True where warnings of the stage are shown on the console.
        stage: name of the stage and of its rule; where empty, it is the name of the kind.
    """

    block: str
    place: str
    learnt_by: str
    made_from: Callable[[Learner], Any]
    settings: Callable[[Learner], StrictModel] | None = None
    inputs: Mapping[str, LearntInput] = field(default_factory=dict)
    learnt_from: tuple[str, ...] = ("pairs",)
    of_base: bool = False
    recorded: bool = False
    warns: bool = False
    stage: str = ""

    @property
    def of_words(self) -> bool:
        """True where an artifact is learnt from the words of the corpus alone."""
        return self.learnt_from == ("words",)

    def place_settings(self, key: str) -> str:
        """Return the path of the settings of an artifact, below the folder of settings."""
        return str(Path(self.place.format(key)).with_suffix(".json"))


def _list_vectors(learner: Learner) -> list[Any]:
    embedding = learner.learns.embedding
    return [learner.words.as_json(), None if embedding is None else embedding.as_json()]


def _list_query_vectors(learner: Learner) -> list[Any] | None:
    """List what vectors of query words are made from: the model's own pairs, no other model's."""
    if learner.learns.training.query_vocabulary != "own":
        return None
    known = None if learner.learns.embedding is None else name_learnt("embedding", learner)
    return [known, sorted(learner.learns.training.pairs)]


LEARNT = {
    "embedding": LearntKind(
        block="embedding",
        place="embeddings/{}",
        learnt_by="learning.training.word_vectors:make_embedding",
        made_from=lambda one: [*_list_vectors(one), one.seed],
        # Only the options that are given, as in the key that names the folder.
        settings=lambda one: EmbeddingSettings(**one.learns.embedding.as_json(), seed=one.seed),
        inputs={
            "embedding": LearntInput(
                "learning.training.word_vectors:load_embedding",
                "word vectors",
                "a block 'embedding' or a line 'vectors_of: <model>'",
            )
        },
        learnt_from=("words",),
        of_base=True,
    ),
    "query_vectors": LearntKind(
        block="training",
        place="query_vectors/{}",
        learnt_by="learning.training.query_vectors:make_query_vectors",
        made_from=_list_query_vectors,
        learnt_from=("embedding", "pairs"),
        of_base=True,
    ),
    "expansion": LearntKind(
        block="expansion",
        place="expansions/{}.parquet",
        learnt_by="learning.training.query_expansion:make_expansion",
        made_from=lambda one: one.learns.expansion.as_json(),
        settings=lambda one: ExpansionSettings(
            **one.learns.expansion.model_dump(), stop_words=one.stop_words
        ),
        inputs={
            "expansion": LearntInput(
                "learning.training.query_expansion:load_expansion", "a table of expansions"
            ),
        },
    ),
    "translation": LearntKind(
        block="translation",
        place="translations/{}",
        learnt_by="learning.training.translation_model:make_translation",
        made_from=lambda one: [one.words.as_json(), one.learns.translation.as_json()],
        settings=lambda one: TranslationSettings(
            translation=one.learns.translation, words=one.words, stop_words=one.stop_words
        ),
        inputs={
            "translation": LearntInput(
                "learning.training.translation_tables:load_translation", "a table of translations"
            ),
            "memory": LearntInput(
                "learning.training.translation_tables:find_memory",
                "remembered pairs",
                "a line 'memory' in its block 'translation'",
            ),
        },
    ),
    "weights": LearntKind(
        block="training",
        place="weights/{}",
        learnt_by="learning.unif.unif_training:make_weights",
        made_from=lambda one: [*_list_vectors(one), one.learns.training.as_json(), one.seed],
        settings=lambda one: WeightsSettings(
            training=one.learns.training, words=one.words, seed=one.seed
        ),
        inputs={
            "weights": LearntInput("learning.unif.unif_weights:load_weights", "trained weights"),
        },
        learnt_from=("embedding", "query_vectors", "pairs"),
        of_base=True,
        recorded=True,
    ),
    "encoder": LearntKind(
        block="encoder",
        place="encoders/{}",
        learnt_by="learning.encoders.training:train_on_pairs",
        made_from=lambda one: [one.learns.encoder.as_json(), one.seed],
        settings=lambda one: PairEncoderSettings(encoder=one.learns.encoder, seed=one.seed),
        inputs={
            "encoder": LearntInput("learning.encoders.encoder:load_encoder", "a trained encoder"),
        },
        of_base=True,
        recorded=True,
        warns=True,
        stage="train_encoder",
    ),
    "field_encoder": LearntKind(
        block="field_encoder",
        place="field_encoders/{}",
        learnt_by="learning.deepcs.field_training:train_field_encoder",
        made_from=lambda one: ["fields", one.learns.field_encoder.as_json(), one.seed],
        settings=lambda one: FieldEncoderSettings(
            field_encoder=one.learns.field_encoder, seed=one.seed
        ),
        inputs={
            "field_encoder": LearntInput(
                "learning.deepcs.field_encoder:load_field_encoder", "a trained network"
            ),
        },
        recorded=True,
        warns=True,
        stage="train_field_encoder",
    ),
}
"""All kinds, by name."""

INPUTS = {
    **{
        name: one._replace(added_by=one.added_by or f"a block '{kind.block}'")
        for kind in LEARNT.values()
        for name, one in kind.inputs.items()
    },
    "methods": LearntInput("", "the text of the methods", "a line 'source_text: true'"),
}
"""All ``FitInputs``, by name, each with what adds it to a model file."""
LEARNING_STAGES = {kind.stage or name: kind.learnt_by for name, kind in LEARNT.items()}
"""The functions of the stages that learn the kinds, by name of the stage and of its rule."""


def list_kinds(learns: LearntBlocks) -> Iterator[tuple[str, LearntKind, Any]]:
    """Yield name, kind and block of each kind whose block is given, in the order of the table."""
    for name, kind in LEARNT.items():
        if (block := getattr(learns, kind.block)) is not None:
            yield name, kind, block


def name_learnt(name: str, learner: Learner) -> str | None:
    """Return the key of a learner's artifact of a kind of ``LEARNT``; None where it has none."""
    made_from = LEARNT[name].made_from(learner)
    return None if made_from is None else fingerprint(made_from)


def name_loader_code(kind: str) -> str:
    """Return the name under which the rules track the code that loads a kind."""
    return f"learnt-{kind}"


def list_loaders() -> dict[str, list[str]]:
    """Return the modules that load each kind that can be lent, by ``name_loader_code``."""
    return {
        name_loader_code(name): [one.loaded_by.partition(":")[0] for one in kind.inputs.values()]
        for name, kind in LEARNT.items()
        if kind.inputs
    }


class LearntModel(LearntBlocks):
    """A model that is lent to another corpus, with the paths of what it learnt.

    It has only the blocks of kinds with ``of_words``: these are learnt of the other corpus where
    no artifact of the kind was lent.
    """

    ranker: RankerSpecification
    """The ranker whose index is made."""
    seed: int
    """Seed of the ranker."""
    words: WordOptions = WordOptions()
    """Options that say which items of Java become words."""
    learnt: dict[str, Path] = Field(default_factory=dict)
    """Files or folders, by kind of ``LEARNT``."""
    parts: dict[str, LearntModel] = Field(default_factory=dict)
    """The lent models of the parts that the ranker combines, by name."""

    def fingerprint(self) -> list[list[str]]:
        """Return names and checksums of the learnt files of the model and of its parts."""
        found = []
        for path in self.learnt.values():
            for file in [path] if path.is_file() else sorted(path.rglob("*")):
                if file.is_file():
                    with file.open("rb") as opened:
                        digest = hashlib.file_digest(opened, "sha256").hexdigest()
                    found.append([file.relative_to(path.parent).as_posix(), digest])
        for name, part in self.parts.items():
            found += [[name, *entry] for entry in part.fingerprint()]
        return found
