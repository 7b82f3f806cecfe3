"""Settings files, one for each stage.

So a changed option reruns only stages that depend on it. Each file is written from the type by
which its stage reads it.
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ncsbench.base.configuration.strict_model import StrictModel
from ncsbench.code.aroma.similarity_names import SIMILARITIES
from ncsbench.corpus.layout.corpus_settings import CorpusSettings, ReleasedSettings
from ncsbench.corpus.sources.source_protocol import ListSettings
from ncsbench.evaluation.haystacks.haystack_options import (
    CORPUS,
    HaystackRuns,
    HaystackTableSettings,
    MemberSettings,
)
from ncsbench.evaluation.statistics.evaluation_options import (
    GoldSettings,
    GoldTableSettings,
    MatchSettings,
    StudySettings,
)
from ncsbench.pairs.training_pairs.pair_options import PostOptions, PostPairSettings, ThreadSettings
from ncsbench.pipeline.files.model_configuration import ModelConfiguration, list_made
from ncsbench.pipeline.files.model_files import CHANCE_BASELINES
from ncsbench.pipeline.files.run_options import RunOptions
from ncsbench.pipeline.runs.named_run import fill
from ncsbench.pipeline.trials.variants import MicroModels
from ncsbench.posts.dump.dump_options import LinkSettings, PostSettings, PostsOptions
from ncsbench.posts.questions.selection_options import (
    CandidateSettings,
    QuestionPart,
    QuestionSettings,
    SelectSettings,
)
from ncsbench.rankers.learnt_kinds import list_kinds
from ncsbench.rankers.ranker_options import RankerSettings, RetrievalSettings
from ncsbench.studies.ncs_2018.micro_options import (
    DEPTH,
    MicroTableSettings,
    QuerySettings,
    TableRow,
)
from ncsbench.studies.ncsed.table_settings import (
    CardSettings,
    RepositorySettings,
    TableAblation,
    TableModel,
    TableSettings,
)

if TYPE_CHECKING:
    from ncsbench.pipeline.runs.run import RunConfiguration


def make_settings(
    run: RunOptions, made: RunConfiguration, stop_words: Sequence[str]
) -> dict[str, Any]:
    """Make the content of every settings file, by path below the data folder.

    Args:
        run: the options of the run.
        made: the resolved configuration of the run.
        stop_words: stop words of the configuration.
    """
    dataset = made.file
    settings: dict[str, StrictModel] = {
        "listing": fill(ListSettings, dataset),
        "corpus": fill(CorpusSettings, dataset),
        "released_methods": ReleasedSettings(released=tuple(map(Path, dataset.released_methods))),
        "questions": fill(QuestionSettings, dataset),
        **_gold_settings(run, made),
        **{
            f"parts/{name}": QuestionPart(name=name, ids=tuple(ids))
            for name, ids in dataset.parts.items()
        },
        "retrieval": fill(RetrievalSettings, run),
        "repositories/retrieval": fill(RetrievalSettings, run.repositories),
        "repositories/intervals": fill(
            RepositorySettings, run.repositories, run, judges=run.all_judges
        ),
        "matches": MatchSettings(limits=run.all_judges, count=run.examples),
        "table": _table_settings(run, made),
        "card": fill(CardSettings, dataset, dataset.card, dataset=dataset.name),
        **_study_settings(run, made),
        **_haystack_settings(run, made),
        **_micro_settings(run, dataset.name, made.micro),
        **_model_settings(
            [
                *made.micro.by_name.values(),
                *made.models.values(),
                *made.variants.by_name.values(),
            ],
            tuple(stop_words),
        ),
    }
    if dataset.posts is not None:
        settings |= _post_settings(run, dataset.posts)
        if dataset.posts.links is not None:
            settings["post_links"] = LinkSettings(path=dataset.posts.links)
    for name, options in made.pairs.items():
        settings[f"pairs/{name}"] = options
        # Other kinds of pairs are not made from posts: their models must not be trained again
        # where posts come or go.
        if isinstance(options, PostOptions) and dataset.posts is not None:
            settings[f"pairs/{name}"] = fill(PostPairSettings, dataset.posts, options)
    folder = f"{dataset.name}/settings"
    return {
        "configured.json": {"dataset": dataset.name},
        **{f"{folder}/{name}.json": one.as_json() for name, one in settings.items()},
    }


def choose_baseline(run: RunOptions, models: Container[str]) -> str:
    """Return the model that every other one is tested against, else the first chance baseline."""
    return run.baseline if run.baseline in models else CHANCE_BASELINES[0]


def _table_settings(run: RunOptions, made: RunConfiguration) -> TableSettings:
    dataset, models, variants = made.file, made.models, made.variants
    return fill(
        TableSettings,
        dataset,
        run,
        dataset=dataset.name,
        models=tuple(
            TableModel(
                name=model.name,
                trained_on=model.training,
                published_as=model.published_as,
                beside=model.beside,
                replicates=tuple(variants.replicates.get(model.name, ())),
                weights=model.keys.get("training"),
                given=model.given,
            )
            for model in models.values()
        ),
        comparisons=tuple(pair for pair in run.comparisons if all(name in models for name in pair)),
        ablations=tuple(
            TableAblation(reason=reason, model=model, whole=tuple(whole), half=tuple(half))
            for reason, model, whole, half in variants.ablations
        ),
        other_judges=tuple(name for name in run.other_judges if name != run.judge),
        baseline=choose_baseline(run, models),
    )


def _gold_settings(run: RunOptions, made: RunConfiguration) -> dict[str, StrictModel]:
    if not made.file.gold:
        return {}
    table = fill(GoldTableSettings, run, dataset=made.dataset, models=tuple(made.models))
    return {"gold": GoldSettings(gold=made.file.gold), "gold_table": table}


def _haystack_settings(run: RunOptions, made: RunConfiguration) -> dict[str, StrictModel]:
    options = made.file.haystacks
    if options is None:
        return {}
    return {
        "haystacks/members": fill(MemberSettings, run, options),
        "haystacks/table": fill(
            HaystackTableSettings,
            options,
            run,
            dataset=made.dataset,
            models=tuple(
                HaystackRuns(
                    model=name,
                    published_as=made.models[name].published_as,
                    runs={**among, CORPUS: name},
                )
                for name, among in made.variants.haystacks.items()
            ),
        ),
    }


def _micro_settings(run: RunOptions, dataset: str, micro: MicroModels) -> dict[str, StrictModel]:
    options = run.micro_benchmark
    rows = tuple(
        TableRow(table=row.table, row=row.row, query_words=row.query_words, model=name)
        for row, name in zip(options.rows, micro.rows, strict=True)
    )
    return {
        "micro_benchmark/queries": fill(QuerySettings, run, options),
        "micro_benchmark/retrieval": RetrievalSettings(depth=DEPTH),
        "micro_benchmark/table": fill(MicroTableSettings, options, dataset=dataset, rows=rows),
    }


def _model_settings(
    models: Sequence[ModelConfiguration], stop_words: tuple[str, ...]
) -> dict[str, StrictModel]:
    settings: dict[str, StrictModel] = {}
    for model in list_made(models):
        settings[f"models/{model.name}"] = RankerSettings(
            ranker=model.specification, seed=model.seed
        )
        settings[f"words/{model.keys['words']}"] = model.words
        learner = model.learner._replace(stop_words=stop_words)
        for name, kind, _ in list_kinds(model.learns):
            if kind.settings is not None:
                place = kind.place_settings(model.keys[name]).removesuffix(".json")
                settings[place] = kind.settings(learner)
    return settings


def _post_settings(run: RunOptions, posts: PostsOptions) -> dict[str, StrictModel]:
    return {
        "threads": fill(ThreadSettings, posts, run.threads),
        "posts": fill(PostSettings, posts),
        "selection/candidates": fill(CandidateSettings, run.selection, site=posts.site),
        "selection/matches": MatchSettings(
            limits=((run.judge, run.threshold),), count=run.examples
        ),
        "selection/questions": fill(SelectSettings, run),
    }


def _study_settings(run: RunOptions, made: RunConfiguration) -> dict[str, StrictModel]:
    # One search serves both thresholds.
    lowest = min(run.threshold, run.own_threshold)
    return {
        "study/matches": MatchSettings(
            limits=tuple((similarity, lowest) for similarity in SIMILARITIES), count=run.examples
        ),
        "study/tables": fill(StudySettings, run, dataset=made.dataset, models=tuple(made.models)),
    }
