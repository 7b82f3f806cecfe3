"""A model as a run has it: its options, what it builds on, and the names of its artifacts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from ncsbench.configuration.files import fingerprint
from ncsbench.corpus.word_options import WordOptions
from ncsbench.deepcs.field_options import FieldEncoderOptions
from ncsbench.encoders.pair_encoder_options import PairEncoderOptions
from ncsbench.errors import ConfigurationError, NcsbenchError
from ncsbench.rankers.ranker_options import RankerSpecification
from ncsbench.rankers.registry import find_options
from ncsbench.training.embedding_options import EmbeddingOptions
from ncsbench.training.expansion_options import ExpansionOptions
from ncsbench.training.translation_options import TranslationOptions
from ncsbench.training.unif_options import TrainingOptions

_LEARNT = ("translation", "training", "encoder", "field_encoder")
"""Blocks with a key ``pairs``, the sets of training pairs that something is learnt from."""
LEARNT = {
    "embedding": "embeddings/{}",
    "query_vectors": "query_vectors/{}",
    "expansion": "expansions/{}.parquet",
    "translation": "translations/{}",
    "weights": "weights/{}",
    "encoder": "encoders/{}",
    "field_encoder": "field_encoders/{}",
}
"""Where what is learnt lies, by its kind; below the folder of what was learnt, by its key."""
LENT = [kind for kind in LEARNT if kind != "query_vectors"]
"""What an index is made with; vectors of queries are read by the training of weights alone."""


@dataclass(frozen=True)
class ModelConfiguration:
    """One row of the table: how to make its ranker, and which artifacts that reads.

    Attributes:
        name: name of the row and of the model file.
        trained_on: what the model learnt from, as the table says it.
        specification: ``kind``, ``options`` and, where it builds on others, ``base`` or ``parts``.
        words: options of the word extraction.
        embedding: options of the word vectors; None where the model needs none.
        seed: of everything that draws: the order of the text of word vectors, training.
        expansion: options of the table that queries are expanded by, with ``pairs``, the set of
            training pairs it is made from; None where the model needs none of its own.
        translation: options of the table of translations, with ``pairs``; likewise.
        training: options of supervised training, with ``pairs``, the sets of training pairs; None
            where the model is not trained so.
        encoder: options of joint encoders, with ``pairs``; None where the model has none.
        field_encoder: options of DeepCS or CARLCS, with ``pairs``; likewise.
        source_text: whether it reads the text of the methods, not only their words.
        published_as: the published system that it rebuilds; empty where there is none.
        beside: a published system whose figures stand beside it without a verdict; likewise.
        haystack: the part of the corpus that is searched (docs/haystacks.md); empty for the whole.
        whole: the model whose index it searches a part of; None for most.
        base: the model whose candidates it orders or whose queries it expands; None for most. Its
            words, embedding and training are this one's too.
        parts: the models that it combines, by name, in the order of the names; none for most.
        path: its model file, where that was named by its path; else it is in ``config/models/``.
    """

    name: str
    trained_on: str
    specification: RankerSpecification
    words: WordOptions
    embedding: EmbeddingOptions | None
    seed: int
    expansion: ExpansionOptions | None = None
    translation: TranslationOptions | None = None
    training: TrainingOptions | None = None
    encoder: PairEncoderOptions | None = None
    field_encoder: FieldEncoderOptions | None = None
    source_text: bool = False
    published_as: str = ""
    beside: str = ""
    haystack: str = ""
    whole: ModelConfiguration | None = None
    base: ModelConfiguration | None = None
    parts: Mapping[str, ModelConfiguration] = field(default_factory=dict)
    path: Path | None = None

    @property
    def where(self) -> str:
        """The model file, as messages name it."""
        return f"config/models/{self.name}.yaml" if self.path is None else str(self.path)

    @property
    def others(self) -> list[ModelConfiguration]:
        """The models that it builds on: its base, or its parts."""
        return [*([] if self.base is None else [self.base]), *self.parts.values()]

    @property
    def all_parts(self) -> Mapping[str, ModelConfiguration]:
        """Its parts, or those of the last of its bases."""
        return self.parts if self.base is None else self.base.all_parts

    @property
    def indexed(self) -> ModelConfiguration:
        """The model whose index it searches: itself, or the last base without inputs of its own."""
        if self.whole is not None:
            return self.whole.indexed
        if self.base is None or self.expansion is not None or self.field_encoder is not None:
            return self
        return self.base.indexed

    @property
    def referred(self) -> ModelConfiguration | None:
        """The model whose index this one's refers to."""
        if self.base is None or not find_options(self.specification.kind).refers_to_base:
            return None
        return self.base.indexed

    @property
    def given(self) -> bool:
        """Whether its rankings, or some that it orders or combines, were made elsewhere."""
        return any(find_options(kind).given for kind in self.specification.kinds)

    @property
    def files(self) -> dict[str, str]:
        """Raw inputs that it and those it builds on are made from: paths by name.

        Raises:
            ConfigurationError: naming the model file, where one is missing or cannot be used.
        """
        kind, given = self.specification.kind, self.specification.options
        options = find_options(kind).parse(given, where=self.where, within="options")
        try:
            files = options.list_files()
        except NcsbenchError as error:
            raise ConfigurationError(f"{self.where}: options: {error}") from error
        found = {f"model-{self.name}-{name}": path for name, path in files.items()}
        for other in self.others:
            found |= other.files
        return found

    @property
    def index_key(self) -> str:
        """The same for models whose indexes are the same: they differ in their queries alone."""
        inputs = (
            *(self.words_key, self.embedding_key, self.expansion_key, self.weights_key),
            self.encoder_key,
            self.field_encoder_key,
        )
        made = _describe_index(self.specification, self.where)
        # Only where there is one: keys of other models are as they were before there was any.
        later = [] if self.translation_key is None else [self.translation_key]
        parts = [
            [name, part.indexed.index_key, part.words_key] for name, part in self.all_parts.items()
        ]
        return fingerprint([made, *inputs, self.source_text, self.seed, *later, *parts])

    @property
    def pair_sets(self) -> set[str]:
        """Names of the sets of training pairs that it and those it builds on read."""
        own = set() if self.expansion is None else {self.expansion.pairs}
        for learnt in (getattr(self, block) for block in _LEARNT):
            own |= set() if learnt is None else set(learnt.pairs)
        return own.union(*(other.pair_sets for other in self.others))

    @property
    def words_key(self) -> str:
        """Names the folder of its words."""
        return fingerprint(self.words.as_json())

    @property
    def embedding_key(self) -> str | None:
        """Names the folder of its word vectors."""
        if self.embedding is None:
            return None
        return fingerprint([*self._vector_options, self.seed])

    @property
    def query_vectors_key(self) -> str | None:
        """Names the folder of vectors of the words of its training queries; None without any.

        Of its own pairs alone: what the other models of a run learn from changes nothing here.
        """
        if self.training is None or self.training.query_vocabulary != "own":
            return None
        return fingerprint([self.embedding_key, sorted(self.training.pairs)])

    @property
    def expansion_key(self) -> str | None:
        """Names the file of its table of expansions."""
        return None if self.expansion is None else fingerprint(self.expansion.as_json())

    @property
    def translation_key(self) -> str | None:
        """Names the folder of its translations."""
        if self.translation is None:
            return None
        return fingerprint([self.words.as_json(), self.translation.as_json()])

    @property
    def weights_key(self) -> str | None:
        """Names the folder of its trained weights."""
        if self.training is None:
            return None
        return fingerprint([*self._vector_options, self.training.as_json(), self.seed])

    @property
    def encoder_key(self) -> str | None:
        """Names the folder of its joint encoder."""
        return None if self.encoder is None else fingerprint([self.encoder.as_json(), self.seed])

    @property
    def field_encoder_key(self) -> str | None:
        """Names the folder of its DeepCS or CARLCS."""
        if self.field_encoder is None:
            return None
        return fingerprint(["fields", self.field_encoder.as_json(), self.seed])

    @property
    def training_key(self) -> str | None:
        """Names the folder of the record of its training."""
        return self.weights_key or self.encoder_key or self.field_encoder_key

    def find_learnt(self, kind: str) -> str | None:
        """Where it has what is learnt of a kind of ``LEARNT``; None where it has no such thing."""
        key = getattr(self, f"{kind}_key")
        return key and LEARNT[kind].format(key)

    @property
    def _vector_options(self) -> list[dict[str, Any] | None]:
        embedding = None if self.embedding is None else self.embedding.as_json()
        return [self.words.as_json(), embedding]


def _describe_index(specification: RankerSpecification, where: str) -> list[Any]:
    kind, base = specification.kind, specification.base
    options = find_options(kind).parse(specification.options, where=where)
    made_with = options.model_dump(mode="json", exclude=set(options.of_queries))
    return [kind, made_with, None if base is None else _describe_index(base, where)]


def change_others(
    model: ModelConfiguration, change: Callable[[ModelConfiguration], ModelConfiguration]
) -> ModelConfiguration:
    """The model with each of those that it builds on, its base or its parts, changed."""
    base = None if model.base is None else change(model.base)
    parts = {name: change(part) for name, part in model.parts.items()}
    return replace(model, base=base, parts=parts)


def list_made(models: Iterable[ModelConfiguration]) -> list[ModelConfiguration]:
    """The models, those whose indexes they search, those that these refer to, and all parts."""
    listed = list(models)
    for model in listed:  # It grows on the way.
        others = (model.indexed, model.referred, *model.parts.values())
        listed += [other for other in others if other is not None and other is not model]
    return listed


def share_indexes(runs: Iterable[ModelConfiguration]) -> dict[str, ModelConfiguration]:
    """The model whose index each one searches: the first with the same, which is made once."""
    first: dict[str, ModelConfiguration] = {}
    return {
        model.name: first.setdefault(model.indexed.index_key, model.indexed)
        for model in list_made(runs)
    }


def change_dimension(model: ModelConfiguration, dimension: int) -> ModelConfiguration:
    """The model and those it builds on with word vectors of another length, where they have some.

    Raises:
        ConfigurationError: where the other options of the word vectors do not allow it.
    """
    embedding = model.embedding
    if embedding is not None:
        embedding = embedding.changed(dimension=dimension)
    changed = change_others(model, lambda other: change_dimension(other, dimension))
    return replace(changed, embedding=embedding)
