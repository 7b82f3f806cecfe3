"""A model as a run has it: its options, the models it builds on, and names of its artifacts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field

from ncsbench.base.configuration.files import fingerprint
from ncsbench.base.configuration.strict_model import StrictModel
from ncsbench.corpus.layout.corpus_settings import WordOptions
from ncsbench.errors import ConfigurationError, NcsbenchError
from ncsbench.pipeline.freshness.rule_code import name_code
from ncsbench.rankers.learnt_kinds import (
    LEARNT,
    Learner,
    LearntBlocks,
    list_kinds,
    name_learnt,
    name_loader_code,
)
from ncsbench.rankers.ranker_options import RankerSpecification
from ncsbench.rankers.registry import find_options

# YAML reads an unquoted yes or no as a truth value.
Answer = Annotated[
    Literal["yes", "likely", "no"],
    BeforeValidator(lambda said: {True: "yes", False: "no"}.get(said, said)),
]


class Seen(StrictModel):
    """Data of the benchmark that a model may have been trained on, and the text that says so."""

    questions: Answer
    """Titles of the questions, such as those of Stack Overflow."""
    answers: Answer
    """The answers, with which the judge compares."""
    code: Answer
    """The code that is searched."""
    source: str = Field(min_length=1, max_length=300)
    """The text that says so."""

    def tell(self) -> str:
        """Return the three answers as a table has them."""
        return ", ".join(f"{name} {said}" for name, said in self if name != "source")


@dataclass(frozen=True)
class ModelConfiguration:
    """One row of the table: the configuration of its ranker and of the artifacts that this reads.

    Attributes that are not listed here have the values of the model file (``ModelFile``). A model
    with a base has the base's words, and the base's blocks of kinds that are ``of_base``.

    Attributes:
        name: name of the row and of the model file.
        specification: ``kind``, ``options`` and, for a model that builds on others, ``base`` or
            ``parts``.
        learns: options by which the parameters of each kind of ``LEARNT`` are learnt.
        seed: seed of everything that draws: the order of the text of word vectors, training.
        seen: data of the benchmark that others may have trained the model, its base or a part on;
            None where it is trained here alone, or on nothing.
        haystack: the part of the corpus that is searched (docs/corpus.md); empty for the whole.
        whole: the model in whose index this model searches a part; None for most.
        base: the model whose candidates this model orders or whose queries it expands; None for
            most.
        parts: the models that this model combines, by name, in the order of the names; empty for
            most.
        path: the model file, where it was named by its path; None for a file in ``config/models/``.
    """

    name: str
    trained_on: str
    specification: RankerSpecification
    words: WordOptions
    seed: int
    learns: LearntBlocks
    source_text: bool = False
    published_as: str = ""
    beside: str = ""
    haystack: str = ""
    whole: ModelConfiguration | None = None
    seen: Seen | None = None
    base: ModelConfiguration | None = None
    parts: Mapping[str, ModelConfiguration] = field(default_factory=dict)
    path: Path | None = None

    @property
    def where(self) -> str:
        """The model file, as messages name it."""
        return f"config/models/{self.name}.yaml" if self.path is None else str(self.path)

    @property
    def others(self) -> list[ModelConfiguration]:
        """The models that this model builds on: its base, or its parts."""
        return [*([] if self.base is None else [self.base]), *self.parts.values()]

    @property
    def training(self) -> str:
        """The data that the model learnt from, as a table says it, and what it saw before."""
        if self.seen is None:
            return self.trained_on
        return f"{self.trained_on}; seen: {self.seen.tell()}"

    @property
    def all_parts(self) -> Mapping[str, ModelConfiguration]:
        """The parts of this model, or of the last base in its chain of bases."""
        return self.parts if self.base is None else self.base.all_parts

    @property
    def indexed(self) -> ModelConfiguration:
        """The model whose index this model searches: itself, or the next base with an own index."""
        if self.whole is not None:
            return self.whole.indexed
        own = any(not kind.of_base for _, kind, _ in list_kinds(self.learns))
        if self.base is None or own:
            return self
        return self.base.indexed

    @property
    def referred(self) -> ModelConfiguration | None:
        """The model to whose index this model's index refers; None where it refers to no index."""
        if self.base is None or not find_options(self.specification.kind).refers_to_base:
            return None
        return self.base.indexed

    @property
    def given(self) -> bool:
        """True where rankings of this model, or some it orders or combines, were made elsewhere."""
        return any(find_options(kind).given for kind in self.specification.kinds)

    @property
    def files(self) -> dict[str, str]:
        """Paths, by name, of the raw inputs of this model and of the models that it builds on.

        Raises:
            ConfigurationError: naming the model file, where an input is missing or cannot be used.
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
        """A key that is equal for models with equal indexes, which differ only in their queries."""
        made = _describe_index(self.specification, self.where)
        parts = [
            [name, part.indexed.index_key, part.keys["words"]]
            for name, part in self.all_parts.items()
        ]
        return fingerprint([made, self.keys, self.source_text, self.seed, parts])

    @property
    def pair_sets(self) -> set[str]:
        """Names of the sets of training pairs that this model and those it builds on read."""
        own = {name for kind in self.keys for name in self.list_pairs(kind)}
        return own.union(*(other.pair_sets for other in self.others))

    def list_pairs(self, kind: str) -> list[str]:
        """List the sets of training pairs from which the model's artifact of a kind is learnt."""
        block = getattr(self.learns, LEARNT[kind].block) if kind in LEARNT else None
        named: str | Iterable[str] = getattr(block, "pairs", ())
        return [named] if isinstance(named, str) else list(named)

    @property
    def learner(self) -> Learner:
        """All that decides what this model learns, except stop words, which rename no artifact."""
        return Learner(self.learns, self.words, self.seed)

    @cached_property
    def keys(self) -> dict[str, str]:
        """Folder names of this model's ``words``, of each kind of ``LEARNT`` and of ``training``.

        A name is the fingerprint of the options that the artifact is made with. The record of a
        training has the name of the artifact that was trained.
        """
        found = {"words": fingerprint(self.words.as_json())}
        for name, kind, _ in list_kinds(self.learns):
            if (key := name_learnt(name, self.learner)) is not None:
                found[name] = key
                if kind.recorded:
                    found.setdefault("training", key)
        return found

    @property
    def learnt(self) -> dict[str, str]:
        """Paths of the artifacts that this model's index is made with, by kind of ``LEARNT``."""
        return {
            name: kind.place.format(self.keys[name])
            for name, kind in LEARNT.items()
            if name in self.keys and kind.inputs
        }


def _describe_index(specification: RankerSpecification, where: str) -> list[Any]:
    kind, base = specification.kind, specification.base
    options = find_options(kind).parse(specification.options, where=where)
    made_with = options.model_dump(mode="json", exclude=set(options.of_queries))
    return [kind, made_with, None if base is None else _describe_index(base, where)]


def change_others(
    model: ModelConfiguration, change: Callable[[ModelConfiguration], ModelConfiguration]
) -> ModelConfiguration:
    """Return the model with a change of each model that it builds on, its base or its parts."""
    base = None if model.base is None else change(model.base)
    parts = {name: change(part) for name, part in model.parts.items()}
    return replace(model, base=base, parts=parts)


def list_made(models: Iterable[ModelConfiguration]) -> list[ModelConfiguration]:
    """List models, the models whose indexes they search, those these refer to, and all parts."""
    listed = list(models)
    for model in listed:  # It grows on the way.
        others = (model.indexed, model.referred, *model.parts.values())
        listed += [other for other in others if other is not None and other is not model]
    return listed


def share_indexes(runs: Iterable[ModelConfiguration]) -> dict[str, ModelConfiguration]:
    """Find the model whose index each run searches: the first with an equal index, made once."""
    first: dict[str, ModelConfiguration] = {}
    return {
        model.name: first.setdefault(model.indexed.index_key, model.indexed)
        for model in list_made(runs)
    }


def change_dimension(model: ModelConfiguration, dimension: int) -> ModelConfiguration:
    """Return the model, with those it builds on, with word vectors of another length if it has any.

    Raises:
        ConfigurationError: where the other options of the word vectors do not allow it.
    """
    changed = change_others(model, lambda other: change_dimension(other, dimension))
    embedding = model.learns.embedding
    if embedding is None:
        return changed
    return change_block(changed, "embedding", embedding.changed(dimension=dimension))


def change_block(model: ModelConfiguration, block: str, options: StrictModel) -> ModelConfiguration:
    """Return the model with other options in a block of ``LearntBlocks``."""
    return replace(model, learns=model.learns.model_copy(update={block: options}))


@dataclass(frozen=True)
class ModelArtifacts:
    """Paths of the artifacts of a run's models; an artifact that a model does not need is ``[]``.

    Attributes:
        indexes: models that have an index of their own, by name.
        index_of: the model whose index each run searches, by the name of the run.
        data: folder of the dataset.
        trained: folder of the learnt artifacts, mostly that of the dataset.
        code: folder of the settings files that describe the code of each kind of ranker.
    """

    indexes: Mapping[str, ModelConfiguration]
    index_of: Mapping[str, ModelConfiguration]
    data: str
    trained: str
    code: str

    def words(self, model: ModelConfiguration) -> str:
        """Return the corpus as words, which all models with the same word options share."""
        return f"{self.data}/words/{model.keys['words']}"

    def index(self, model: ModelConfiguration) -> str:
        """Return the index of a run; models that differ in their queries alone share an index."""
        return f"{self.data}/indexes/{self.index_of[model.name].name}"

    def base(self, model: ModelConfiguration) -> str | list[str]:
        """Return the index of a model's base, where the model's own index refers to that index."""
        return self.index(model.referred) if model.referred else []

    def part_indexes(self, model: ModelConfiguration) -> dict[str, str]:
        """Return the indexes of a model's parts, by name."""
        return {name: self.index(part) for name, part in model.parts.items()}

    def part_words(self, model: ModelConfiguration) -> dict[str, str]:
        """Return the words of the parts that have other words than the model, by name."""
        return {
            name: self.words(part)
            for name, part in model.parts.items()
            if part.keys["words"] != model.keys["words"]
        }

    def parts(self, model: ModelConfiguration) -> list[str]:
        """List indexes and words of all parts of a model and of the models that it builds on."""
        parts = [part for one in list_made([model]) for part in one.parts.values()]
        paths = [path for part in parts for path in (self.index(part), self.words(part))]
        return list(dict.fromkeys(paths))

    def ranker_code(self, model: ModelConfiguration) -> list[str]:
        """List the code descriptions of the kinds of rankers that make or search an index."""
        kinds = dict.fromkeys(model.specification.kinds)
        return [f"{self.code}/{name_code(kind)}.json" for kind in kinds]

    def loader_code(self, model: ModelConfiguration) -> list[str]:
        """List the descriptions of the code that reads learnt artifacts into an index."""
        return [f"{self.code}/{name_loader_code(kind)}.json" for kind in model.learnt]

    def learnt(self, model: ModelConfiguration) -> dict[str, str]:
        """Return the learnt artifacts that an index is made with, by kind of ``LEARNT``."""
        return {kind: f"{self.trained}/{place}" for kind, place in model.learnt.items()}

    def list_learnt(self, runs: Iterable[str], *, small: bool = False) -> list[str]:
        """List all learnt artifacts that the indexes of some runs are made with.

        Args:
            runs: names of runs.
            small: True leaves out artifacts that can be made again from the words alone, and those
                of trainings that leave a record.
        """
        models = list_made(map(self.index_of.__getitem__, runs))
        found = {
            path
            for one in models
            for kind, path in self.learnt(one).items()
            if not (small and (LEARNT[kind].recorded or LEARNT[kind].of_words))
        }
        return sorted(found)

    def learner(self, kind: str, key: str) -> ModelConfiguration:
        """Return the first model that has the artifact of this kind and key."""
        models = self.indexes.values()
        return next(model for model in models if model.keys.get(kind) == key)

    def learnt_from(self, kind: str, key: str, name: str) -> str | list[str]:
        """Return an input that the artifact of this kind and key is learnt from.

        Args:
            kind: a kind of ``LEARNT``.
            key: key of the artifact.
            name: an entry of ``learnt_from`` of the kind: ``words``, ``pairs`` or another kind.
        """
        model = self.learner(kind, key)
        if name == "words":
            return self.words(model)
        if name == "pairs":
            return [f"{self.data}/pairs/{one}.parquet" for one in model.list_pairs(kind)]
        found = model.keys.get(name)
        return f"{self.trained}/{LEARNT[name].place.format(found)}" if found else []

    def threads(self, kind: str, key: str) -> int:
        """Return the number of threads for the training of the artifact of this kind and key."""
        options = getattr(self.learner(kind, key).learns, LEARNT[kind].block)
        return int(getattr(options, "threads", 1))

    def keys(self, kind: str, runs: Iterable[str] | None = None) -> list[str]:
        """List the keys of a kind, ascending: of all models, or of the models behind some runs.

        Args:
            kind: a kind of ``LEARNT``, ``words`` or ``training``.
            runs: names of runs; None for all models.
        """
        models = self.indexes.values() if runs is None else map(self.index_of.__getitem__, runs)
        return sorted({one.keys[kind] for one in list_made(models) if kind in one.keys})


def count_threads(model: ModelConfiguration) -> int:
    """Count the threads of a sentence encoder that makes an index; bytes do not depend on it."""
    encoders = [one.options for one in model.specification.chain if one.kind == "encoder"]
    return max((options.get("threads", 1) for options in encoders), default=1)
