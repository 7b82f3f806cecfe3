"""Model files: what a row of the table is made from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

from pydantic import Field, model_validator

from ncsbench.configuration.files import check_name, fingerprint
from ncsbench.configuration.nearest_name import nearest
from ncsbench.configuration.strict_model import StrictModel
from ncsbench.corpus.word_options import WordOptions
from ncsbench.deepcs.field_options import FieldEncoderOptions
from ncsbench.encoders.pair_encoder_options import PairEncoderOptions
from ncsbench.errors import ConfigurationError, NcsbenchError
from ncsbench.experiment.model_yaml import is_path, name_models, read_model_file
from ncsbench.experiment.stop_words import read_stop_words
from ncsbench.rankers.ranker_options import RankerSpecification
from ncsbench.rankers.registry import find_options
from ncsbench.training.embedding_options import EmbeddingOptions
from ncsbench.training.expansion_options import ExpansionOptions
from ncsbench.training.translation_options import TranslationOptions
from ncsbench.training.unif_options import TrainingOptions

CHANCE_BASELINES = ("random", "random_long", "longest_first")
"""Rows that every table has, asked for or not: without them the judge's figures say little."""


class ModelFile(StrictModel):
    """A row of the table: a ranker, and what it learns from.

    The key ``like`` names another model file (which has no such key), by its name in
    ``config/models`` or by its path, beside this file or in the working directory. Missing keys are
    taken from that file; the merged result is checked.
    """

    kind: str | None = Field(None, pattern="^[A-Za-z_][A-Za-z0-9_]*$")
    """The module in ncsbench.rankers, or the name a package registers a ranker under; this or
    ``python`` is needed."""
    python: str | None = Field(None, pattern=r"[^/]\.py$")
    """Instead of ``kind``: the path of a Python file with a ranker of your own, beside the model
    file or in the working directory. It is executed (docs/add-a-model.md)."""
    trained_on: str
    """What the model learnt from, as the table says it."""
    base: str | None = None
    """The model whose candidates this one takes or whose queries it expands; words and embedding
    are the base's."""
    parts: dict[str, str] = Field(default_factory=dict)
    """The models that this one combines, by what it calls them; each has its own words, vectors and
    training (docs/add-a-model.md)."""
    vectors_of: str | None = None
    """The model whose words and word vectors this one starts from."""
    stop_words: bool = False
    """Whether the ranker is given the stop words of the configuration."""
    words: WordOptions = WordOptions()
    """The open choices of the word extraction (docs/deviations.md)."""
    embedding: EmbeddingOptions | None = None
    """Options of the word vectors; without it there are none."""
    expansion: ExpansionOptions | None = None
    """The table that queries are expanded by (docs/query-expansion.md)."""
    translation: TranslationOptions | None = None
    """The table of code words that words of queries stand for (docs/ranker-parts.md)."""
    training: TrainingOptions | None = None
    """Supervised training (docs/unif.md)."""
    encoder: PairEncoderOptions | None = None
    """Joint encoders of queries and code (docs/encoders.md)."""
    field_encoder: FieldEncoderOptions | None = None
    """A network that reads fields of methods (docs/deepcs.md)."""
    source_text: bool = False
    """Whether the ranker reads the text of the methods, not only their words."""
    published_as: str = ""
    """The published system that this one rebuilds, as the score sheet calls it."""
    beside: str = ""
    """A published system that another row rebuilds: its figures stand beside this row too, with the
    difference and without a verdict (docs/table1.md)."""
    options: dict[str, Any] = Field(default_factory=dict)
    """Options of the ranker, which its kind has."""

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
                f"'base: {self.base}' cannot stand beside 'parts'; remove one of them, or name a "
                "model with the parts as the base"
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
        translated = [] if self.translation_key is None else [self.translation_key]
        parts = [
            [name, part.indexed.index_key, part.words_key] for name, part in self.all_parts.items()
        ]
        return fingerprint([made, *inputs, self.source_text, self.seed, *translated, *parts])

    @property
    def pair_sets(self) -> set[str]:
        """Names of the sets of training pairs that it and those it builds on read."""
        own = set() if self.expansion is None else {self.expansion.pairs}
        for learnt in (self.translation, self.training, self.encoder, self.field_encoder):
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
    def expansion_key(self) -> str | None:
        """Names the file of its table of expansions."""
        return None if self.expansion is None else fingerprint(self.expansion.as_json())

    @property
    def translation_key(self) -> str | None:
        """Names the file of its table of translations."""
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

    @property
    def _vector_options(self) -> list[dict[str, Any] | None]:
        embedding = None if self.embedding is None else self.embedding.as_json()
        return [self.words.as_json(), embedding]


def _describe_index(specification: RankerSpecification, where: str) -> list[Any]:
    kind, base = specification.kind, specification.base
    options = find_options(kind).parse(specification.options, where=where)
    made_with = options.model_dump(mode="json", exclude=set(options.of_queries))
    return [kind, made_with, None if base is None else _describe_index(base, where)]


def load_model(name: str, *, root: Path, stop_words: str, seed: int) -> ModelConfiguration:
    """Read a model file and the models it builds on.

    Args:
        name: name of the model in ``config/models``, or the path of a model file (ends in .yaml).
        root: folder of the Snakefile.
        stop_words: file with one stop word a line, relative to ``root``.
        seed: of everything that draws.
    """
    return _load_model(name, root, stop_words, seed, ())


def _load_model(
    name: str, root: Path, stop_words: str, seed: int, above: tuple[str, ...]
) -> ModelConfiguration:
    known = name_models(root)
    given = Path(name) if is_path(name) else None
    if given is not None:
        name = given.stem
        check_name(str(given), name)
    elif name not in known:
        raise ConfigurationError(
            f"model {name!r} is unknown; {nearest(name, known, page='docs/models.md')}"
        )
    if name in above:
        raise ConfigurationError(f"config/models/{name}.yaml: builds on itself")
    path = given or root / "config" / "models" / f"{name}.yaml"
    merged = read_model_file(path, root, known)
    if given is not None and name in known:
        raise ConfigurationError(
            f"{given}: config/models has a model {name!r}; rename this file, or name that one"
        )
    model = ModelFile.parse(merged, where=str(path), texts=True)
    for part in model.parts:
        check_name(f"{path}: parts.{part}", part)
    named = {"base": model.base, "vectors_of": model.vectors_of}
    named |= {f"parts.{part}": other for part, other in model.parts.items()}
    for key, builds_on in named.items():
        if builds_on is not None and builds_on not in known:
            raise ConfigurationError(
                f"{path}: {key}: {builds_on!r} is no model; {nearest(builds_on, known)}"
            )
    options = dict(model.options)
    if model.stop_words:
        options["stop_words"] = read_stop_words(root / stop_words)
    kind = str(model.python or model.kind)
    specification = RankerSpecification(kind=kind, options=options)
    words, embedding, base = model.words, model.embedding, None
    training, encoder, source_text = model.training, model.encoder, model.source_text
    if model.base is not None:
        base = _load_model(model.base, root, stop_words, seed, (*above, name))
        specification = specification.model_copy(update={"base": base.specification})
        words, embedding = base.words, base.embedding
        # Where it has an index of its own, that of its base is made in there.
        training, encoder = base.training, base.encoder
        source_text = source_text or base.source_text
    parts = {
        part: _load_model(builds_on, root, stop_words, seed, (*above, name))
        for part, builds_on in sorted(model.parts.items())
    }
    if parts:
        made = {part: one.specification for part, one in parts.items()}
        specification = specification.model_copy(update={"parts": made})
        source_text = source_text or any(one.source_text for one in parts.values())
    if model.vectors_of is not None:
        other = _load_model(model.vectors_of, root, stop_words, seed, (*above, name))
        words, embedding = other.words, other.embedding
    return ModelConfiguration(
        name=name,
        trained_on=model.trained_on,
        specification=specification,
        words=words,
        embedding=embedding,
        seed=seed,
        expansion=model.expansion,
        translation=model.translation,
        training=training,
        encoder=encoder,
        field_encoder=model.field_encoder,
        source_text=source_text,
        published_as=model.published_as,
        beside=model.beside,
        base=base,
        parts=parts,
        path=given,
    )
