"""The artifacts of models: what rules of words, indexes, trainings and searches have as inputs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from ncsbench.experiment.model_configuration import LENT, ModelConfiguration, list_made
from ncsbench.run_control.rule_code import name_code

_BLOCKS = {"weights": "training", "query_vectors": "training"}


@dataclass(frozen=True)
class ModelArtifacts:
    """Paths of the artifacts of a run's models; an artifact that a model does not need is ``[]``.

    Attributes:
        indexes: models that have an index of their own, by name.
        index_of: the model whose index each run searches, by the name of the run.
        data: folder of the dataset.
        trained: folder of what was learnt, mostly that of the dataset.
        code: folder of what the code of each kind of ranker is.
    """

    indexes: Mapping[str, ModelConfiguration]
    index_of: Mapping[str, ModelConfiguration]
    data: str
    trained: str
    code: str

    def words(self, model: ModelConfiguration) -> str:
        """The corpus as words, shared by all models with the same word options."""
        return f"{self.data}/words/{model.words_key}"

    def index(self, model: ModelConfiguration) -> str:
        """The index that a run searches; models that differ in their queries alone share one."""
        return f"{self.data}/indexes/{self.index_of[model.name].name}"

    def base(self, model: ModelConfiguration) -> str | list[str]:
        """The index of its base that an index refers to."""
        return self.index(model.referred) if model.referred else []

    def part_indexes(self, model: ModelConfiguration) -> dict[str, str]:
        """The indexes of a model's parts, by name."""
        return {name: self.index(part) for name, part in model.parts.items()}

    def part_words(self, model: ModelConfiguration) -> dict[str, str]:
        """The words of the parts that have other words than the model, by name."""
        return {
            name: self.words(part)
            for name, part in model.parts.items()
            if part.words_key != model.words_key
        }

    def parts(self, model: ModelConfiguration) -> list[str]:
        """The indexes and words of all parts of a model and of the models that it builds on."""
        parts = [part for one in list_made([model]) for part in one.parts.values()]
        paths = [path for part in parts for path in (self.index(part), self.words(part))]
        return list(dict.fromkeys(paths))

    def ranker_code(self, model: ModelConfiguration) -> list[str]:
        """The code of the kinds of rankers that make an index or search it."""
        kinds = dict.fromkeys(model.specification.kinds)
        return [f"{self.code}/{name_code(kind)}.json" for kind in kinds]

    def learnt(self, kind: str, model: ModelConfiguration) -> str | list[str]:
        """What a model has of a kind of ``LEARNT``."""
        found = model.find_learnt(kind)
        return f"{self.trained}/{found}" if found else []

    def list_learnt(self, runs: Iterable[str], *, kinds: Iterable[str] = LENT) -> list[str]:
        """All that the models behind some runs have of some kinds."""
        models = list_made(map(self.index_of.__getitem__, runs))
        found = {str(self.learnt(kind, one) or "") for kind in kinds for one in models}
        return sorted(found - {""})

    def learner(self, kind: str, key: str) -> ModelConfiguration:
        """The first model that has what is learnt of this kind and key."""
        models = self.indexes.values()
        return next(model for model in models if getattr(model, f"{kind}_key") == key)

    def options(self, kind: str, key: str) -> Any:
        """How what has this key is learnt: a block of the model file, with ``pairs``."""
        return getattr(self.learner(kind, key), _BLOCKS.get(kind, kind))

    def pairs(self, kind: str, key: str) -> list[str]:
        """The sets of training pairs that it is learnt from."""
        named = self.options(kind, key).pairs
        names = [named] if isinstance(named, str) else named
        return [f"{self.data}/pairs/{name}.parquet" for name in names]

    def keys(self, kind: str, runs: Iterable[str] | None = None) -> list[str]:
        """Keys of a kind, ascending: of all models, or of those behind some runs.

        Args:
            kind: of ``LEARNT``, ``words`` or ``training``.
            runs: names of runs.
        """
        models = self.indexes.values() if runs is None else map(self.index_of.__getitem__, runs)
        keys = {getattr(model, f"{kind}_key") for model in list_made(models)}
        return sorted(keys - {None})


def count_threads(model: ModelConfiguration) -> int:
    """Threads of a sentence encoder that makes an index; one gives the same bytes on any cores."""
    encoders = [one.options for one in model.specification.chain if one.kind == "encoder"]
    return max((options.get("threads", 1) for options in encoders), default=1)
