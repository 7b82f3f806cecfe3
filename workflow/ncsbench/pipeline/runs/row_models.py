"""The models that are rows of a run, and the models that cannot be rows."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from ncsbench.base.configuration.files import list_names, read_yaml, without_braces
from ncsbench.errors import ConfigurationError, nearest
from ncsbench.pairs.training_pairs.pair_options import (
    DerivedOptions,
    FileOptions,
    PairOptions,
    derive_threadless,
    find_raw_path,
    needs_posts,
    parse_pair_options,
)
from ncsbench.pipeline.files.input_paths import WHERE, check_given
from ncsbench.pipeline.files.model_configuration import ModelConfiguration, change_dimension
from ncsbench.pipeline.files.model_files import CHANCE_BASELINES
from ncsbench.pipeline.files.run_options import RunOptions
from ncsbench.pipeline.runs.stage_settings import choose_baseline

if TYPE_CHECKING:
    from ncsbench.pipeline.runs.run import RunConfiguration


def load_pair_sets(
    root: Path, *, with_posts: bool, files: Mapping[str, str]
) -> tuple[dict[str, PairOptions], dict[str, str]]:
    """Load the options of all sets of pairs that can be made, and reasons why others cannot.

    Args:
        root: folder of the Snakefile.
        with_posts: True where the dataset has posts.
        files: paths that replace the path of a set of pairs, by name of the set.

    Raises:
        ConfigurationError: with one line that names file and key.
    """
    listed = _read_pair_sets(root)
    for name in files:
        if name not in listed:
            raise ConfigurationError(
                f"{WHERE}.pairs: {name!r} is no set of pairs; {nearest(name, [*listed])}"
            )
    sets: dict[str, PairOptions] = {}
    absent: dict[str, str] = {}
    for name, options in listed.items():
        if isinstance(options, FileOptions) and name in files:
            given = check_given(f"pairs.{name}", files[name])
            sets[name] = options.model_copy(update={"path": given})
        elif name in files:
            raise ConfigurationError(
                f"{WHERE}.pairs: {name!r} reads no file: it is of kind {options.kind}"
            )
        elif not with_posts and needs_posts(options):
            absent[name] = "the dataset has no 'posts'"
        elif (raw := find_raw_path(options)) and not Path(raw).is_file():
            absent[name] = f"there is no file {raw}"
        else:
            if raw:
                without_braces(f"{_place_set(root, name)}: path", raw)
            sets[name] = options
    _leave_out_derived(root, sets, absent)
    return sets, absent


def _leave_out_derived(root: Path, sets: dict[str, PairOptions], absent: dict[str, str]) -> None:
    """Leave out the sets that are derived from one that cannot be made, directly or not.

    Raises:
        ConfigurationError: where a set is derived from itself, or from a set that does not exist.
    """
    known = [*sets, *absent]
    for name in list(sets):
        pending, seen = [name], set[str]()
        while pending:
            one = pending.pop()
            options = sets.get(one)
            if one in absent:
                absent[name] = f"it is made of the pairs {one!r}, and {absent[one]}"
            if not isinstance(options, DerivedOptions):
                continue
            path = _place_set(root, one)
            for source in options.sources():
                if source not in known:
                    raise ConfigurationError(
                        f"{path}: {source!r} is no set of pairs; {nearest(source, known)}"
                    )
                if source == name:
                    raise ConfigurationError(f"{path}: {name!r} would be made of itself")
                if source not in seen:
                    seen.add(source)
                    pending.append(source)
    for name in absent:
        sets.pop(name, None)


def _place_set(root: Path, name: str) -> Path:
    return root / "config" / "pairs" / f"{name}.yaml"


def _read_pair_sets(root: Path) -> dict[str, PairOptions]:
    """Read all sets by name, sorted: that of each file, and those of its pairs without threads."""
    sets: dict[str, PairOptions] = {}
    for name in list_names(root / "config" / "pairs"):
        path = _place_set(root, name)
        options = parse_pair_options(read_yaml(path), where=str(path))
        for other, made in ((name, options), *derive_threadless(name, options).items()):
            if other in sets:
                raise ConfigurationError(f"{path}: another set is called {other!r}; rename one")
            sets[other] = made
    return dict(sorted(sets.items()))


def name_thread_sets(sets: Mapping[str, PairOptions]) -> list[str]:
    """List the names of sets that lack some threads, or are derived from such a set, in order."""

    def lacks_threads(options: PairOptions) -> bool:
        return isinstance(options, DerivedOptions) and (
            options.without_threads is not None
            or any(lacks_threads(sets[source]) for source in options.sources())
        )

    return [name for name, options in sets.items() if lacks_threads(options)]


def load_rows(
    asked: list[str],
    load: Callable[[str], ModelConfiguration],
    pairs: Mapping[str, PairOptions],
    absent: Mapping[str, str],
) -> tuple[dict[str, ModelConfiguration], dict[str, str]]:
    """Load the rows by name, chance and length baselines first, and reasons for rows left out.

    Args:
        asked: names or paths of model files.
        load: function that reads the model of a name or path.
        pairs: sets of training pairs that can be made.
        absent: reasons why other sets cannot be made, by name.

    Raises:
        ConfigurationError: with one line, for a model file that cannot be used.
    """
    known = [*pairs, *absent]
    models: dict[str, ModelConfiguration] = {}
    left_out: dict[str, str] = {}
    for name in [*(name for name in CHANCE_BASELINES if name not in asked), *asked]:
        model = load(name)
        for unknown in sorted(model.pair_sets - set(known)):
            raise ConfigurationError(
                f"{model.where}: pairs {unknown!r} are unknown; {nearest(unknown, known)}"
            )
        if model.name in {*models, *left_out}:
            raise ConfigurationError(
                f"{name}: another row is called {model.name!r}; rename this file"
            )
        missing = sorted(model.pair_sets - set(pairs))
        if missing:
            left_out[model.name] = (
                f"it learns from the pairs {missing[0]!r}, and " + absent[missing[0]]
            )
        else:
            models[model.name] = model
    return models, left_out


def resize(
    model: ModelConfiguration, dimension: int | None, dataset_file: Path
) -> ModelConfiguration:
    """Return the model with word vectors of the length that a dataset file sets, if it sets one."""
    if dimension is None:
        return model
    try:
        return change_dimension(model, dimension)
    except ConfigurationError as error:
        raise ConfigurationError(
            f"{dataset_file}: embedding.dimension: {dimension} does not fit the model {model.name} "
            f"({error})"
        ) from error


def make_notices(run: RunOptions, made: RunConfiguration) -> list[str]:
    """Write a line for each row that is left out or lacks something, and for another baseline.

    Args:
        run: the options of the run.
        made: the resolved configuration of the run.
    """
    notices = [f"{name} is left out: {reason}" for name, reason in made.left_out.items()]
    baseline = choose_baseline(run, made.models)
    if baseline != run.baseline:
        notices.append(
            f"every model is tested against {baseline}, since the baseline {run.baseline} is "
            "not among the models"
        )
    for name in (name for name, model in made.models.items() if model.given):
        asked = (
            ("replicates", name in made.file.replicates.models),
            ("intervals over repositories", made.over_repositories),
            ("haystacks", made.file.haystacks is not None),
        )
        missing = [what for what, wanted in asked if wanted]
        if missing:
            notices.append(f"{name} is a run made elsewhere: it has no {', no '.join(missing)}")
    return notices
