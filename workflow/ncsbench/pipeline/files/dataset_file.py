"""Dataset files: a corpus, its questions and posts."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field

from ncsbench.base.configuration.files import read_yaml
from ncsbench.base.configuration.strict_model import Distinct, Names, StrictModel
from ncsbench.corpus.archives.download_options import ArchiveOptions
from ncsbench.corpus.layout.corpus_settings import Duplicates, MethodOptions
from ncsbench.corpus.sources.collection_source import find_documents
from ncsbench.corpus.sources.source_protocol import SourceOptions, find_fixed_folder
from ncsbench.errors import ConfigurationError, nearest
from ncsbench.evaluation.haystacks.haystack_options import HaystackOptions
from ncsbench.pipeline.files.input_paths import (
    WHERE,
    InputPaths,
    Paths,
    check_given,
    check_template,
    find_input,
    require_input,
    require_template,
)
from ncsbench.pipeline.files.model_files import is_path
from ncsbench.posts.dump.dump_options import PostsOptions
from ncsbench.posts.questions.gold_entries import read_gold
from ncsbench.posts.questions.question_entries import QuestionIds, read_ids
from ncsbench.studies.ncsed.table_settings import CardOptions

_TAKEN_NAMES = (
    *("checksums", "logs", "scale", "sources", "stores"),
    *("android", "android_sample", "csn", "csn_sample"),  # runs of CodeSearchNet
    *("cleaning", "cleaning_corpus_sample", "cleaning_sample"),  # cleaning experiments
)  # folders beside those of datasets
STORES = "data/stores"
"""Folder of the stores of archives, for dataset files that name no other place."""
Seed = Annotated[int, Field(ge=0)]
PartName = Annotated[str, Field(pattern="^[a-z][a-z0-9_]{0,63}$")]


class ReplicateOptions(StrictModel):
    """Models that are made again with other seeds, which give other orders of text and draws."""

    seeds: Annotated[tuple[Seed, ...], Distinct] = ()
    """Seeds that are used beside the seed of the configuration."""
    models: Names = ()
    """Models that are made again with each of these seeds."""


class EmbeddingChanges(StrictModel):
    """Options that a dataset sets for the word vectors of all models."""

    dimension: int | None = Field(None, ge=1)
    """Length of a vector, in place of that in each model file; without it, the files decide."""


class DatasetFile(MethodOptions):
    """A corpus, its questions and posts.

    A relative path is looked for from the file's own folder first, then from the folder in which
    Snakemake runs. ``data/sources/<name>/<file>`` is a published input, which the workflow gets
    where it is not there (docs/datasets.md). The block ``inputs`` of a configuration names other
    places.
    """

    name: str = Field(pattern="^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$")
    """Names the folders ``data/<name>/`` and ``results/<name>/`` and every row of a table; letters,
    digits, ``-`` and ``_``."""
    repositories: str = ""
    """CSV with the columns ``repo`` (owner/name) and ``commit``, where further columns are ignored;
    or the published text file of archive links. A collection has no such list."""
    source: SourceOptions
    """The place that the Java files are read from."""
    download: ArchiveOptions = ArchiveOptions()
    """Options for the download of archives; keys that a configuration sets have precedence
    (docs/corpus.md)."""
    duplicates: Duplicates = "kept"
    """The treatment of methods that resemble each other: ``kept`` keeps all, the other values keep
    the first of them, for every row of the table. ``equal_words``: of methods whose words are equal
    in the default extraction (DEV-89). ``equal_lines``: of methods whose name, text of the body and
    lines are equal (docs/corpus.md). ``near``: of methods whose identifiers are nearly the same
    (DEV-106)."""
    released_methods: Paths = ()
    """Files of a released list of methods (``search_corpus_*.tar.gz``): the corpus has the methods
    at the lines that the list names, with their code from the source, whatever ``nested`` and
    ``field_initialisers`` say (docs/datasets.md)."""
    questions: Annotated[Paths, Field(min_length=1)] = ()
    """One file or a list of files in the published JSON schema; without this key, the questions are
    selected from the posts (docs/posts.md). With ``gold``, BEIR's ``queries.jsonl`` and CSV files
    with a column ``question`` (and ``id``) are read, too, and answers may be missing."""
    gold: Annotated[Paths, Field(min_length=1)] = ()
    """One file or a list of files that say which methods, files or lines are right for a question:
    CSV or qrels (docs/gold.md). Where no question has an answer, they take the place of judges."""
    parts: Annotated[dict[PartName, QuestionIds], Field(default_factory=dict)]
    """Parts of the questions by name: the ``stackoverflow_id`` of each question, as a list or as a
    text file with one id a line. ``--config part=<name>`` makes the tables of a part
    (docs/statistics.md)."""
    posts: PostsOptions | None = None
    """Posts of a Stack Exchange site, for questions and training pairs (docs/posts.md). Models that
    learn from posts are left out where the file of posts is absent."""
    further_models: Names = ()
    """Rows of this dataset's table after those of the configuration: names or paths of model files.
    A path is looked for as the other paths of this file are."""
    embedding: EmbeddingChanges = EmbeddingChanges()
    """Options of word vectors that hold for every model, whatever the model file says, except for
    `micro_benchmark.rows`, which set their own: a small corpus needs no long vectors (DEV-10)."""
    replicates: ReplicateOptions = ReplicateOptions()
    """Models that are made again with other seeds; the table has the mean and the spread."""
    ablations: Annotated[tuple[Literal["pairs", "dimension"], ...], Distinct] = ()
    """Ablations, for datasets with published questions: the models that rebuild a published system
    are made again with half of the training pairs (``pairs``) or half of the length of the word
    vectors (``dimension``), to see which way a figure moves (docs/table1.md)."""
    haystacks: HaystackOptions | None = None
    """Options of searches among more and more of the corpus (docs/corpus.md)."""
    trained_in: str = ""
    """Another dataset, built before, whose word vectors, expansions, translations and weights
    the models take instead of training anew; words and indexes are those of this dataset."""
    shards: int = Field(4, ge=1, le=9999)
    """Number of parts in which the corpus is worked on, whatever the machine; about one part for
    ten thousand methods is right. Results do not depend on this number."""
    ceiling: bool = True
    """True where the whole corpus is searched for methods that answer a question; their figures are
    the last row of the table."""
    licence: str = ""
    """Terms under which the data may be used."""
    citation: str = ""
    """The work that users of the data shall cite."""
    card: CardOptions = CardOptions()
    """Further texts of the data card (docs/datasets.md)."""


def load_dataset(path: Path, inputs: InputPaths | None = None) -> DatasetFile:
    """Read a dataset file and resolve its paths.

    A relative path is looked for from the dataset file's own folder first, then from the working
    directory. ``posts`` may be absent (``leave_out_absent``), and published inputs too.

    Args:
        path: the file.
        inputs: inputs that lie elsewhere on this machine.

    Raises:
        ConfigurationError: with one line that names file and key.
    """
    dataset = DatasetFile.parse(read_yaml(path), where=str(path), texts=True)
    given = inputs or InputPaths()
    if dataset.name in _TAKEN_NAMES:
        raise ConfigurationError(f"{path}: name: data/{dataset.name}/ is taken; choose another")
    questions = (
        tuple(check_given("questions", name) for name in given.questions)
        if given.questions and dataset.questions
        else tuple(require_input(path, "questions", name) for name in dataset.questions)
    )
    gold = tuple(require_input(path, "gold", name) for name in dataset.gold)
    found: dict[str, Any] = {
        "questions": questions,
        "gold": gold,
        "parts": {
            name: read_ids(Path(require_input(path, f"parts.{name}", ids)))
            if isinstance(ids, str)
            else ids
            for name, ids in dataset.parts.items()
        },
        "further_models": tuple(
            require_input(path, "further_models", name) if is_path(name) else name
            for name in dataset.further_models
        ),
        "released_methods": tuple(_resolve_list(path, name) for name in dataset.released_methods),
        "source": _resolve_source(path, dataset, given.source),
        "repositories": _resolve_list_of_repositories(path, dataset, given),
    }
    if gold:
        read_gold([Path(one) for one in gold])  # a mistake ends the run before anything is made
        found["questions"] = questions = questions or gold
    if dataset.posts is not None:
        found["posts"] = _resolve_posts(path, dataset.posts, given, needed=not questions)
    elif not questions and not gold:
        raise ConfigurationError(
            f"{path}: missing key 'questions' (or 'posts' to select them from)"
        )
    if dataset.haystacks is not None:
        base = Path(require_input(path, "haystacks.base", str(dataset.haystacks.base)))
        found["haystacks"] = dataset.haystacks.model_copy(update={"base": base})
    return dataset.model_copy(update=found)


def leave_out_absent(dataset: DatasetFile) -> tuple[DatasetFile, list[str]]:
    """Return the dataset without posts where their file is absent, and then a line about that."""
    if dataset.posts is None or dataset.posts.path.exists():
        return dataset, []
    return dataset.model_copy(update={"posts": None}), [
        f"posts: what needs it is left out, since there is no {dataset.posts.path}; put it there, "
        "or say by inputs.posts where it is"
    ]


def _resolve_list_of_repositories(path: Path, dataset: DatasetFile, given: InputPaths) -> str:
    if given.repositories:
        return check_given("repositories", given.repositories)
    if dataset.source.kind == "collection":
        return ""
    if not dataset.repositories:
        raise ConfigurationError(f"{path}: missing key 'repositories'")
    return require_input(path, "repositories", dataset.repositories)


def _resolve_list(path: Path, name: str) -> str:
    found = require_input(path, "released_methods", name)
    if Path(found).is_dir():
        raise ConfigurationError(f"{path}: released_methods: {name} is a folder; name its files")
    return found


def _resolve_posts(
    path: Path, posts: PostsOptions, given: InputPaths, *, needed: bool
) -> PostsOptions:
    """Resolve the paths of the files of posts; files that may be absent are not looked for."""
    changes, present = {}, True
    for key, name, other in (
        ("path", posts.path, given.posts),
        ("users", posts.users, given.users),
        ("links", posts.links, given.links),
    ):
        if name is None:
            continue
        if other:
            changes[key] = Path(check_given("posts" if key == "path" else key, other))
        elif needed or (key != "path" and present):
            changes[key] = Path(require_input(path, f"posts.{key}", str(name)))
        else:
            changes[key] = Path(find_input(path, f"posts.{key}", str(name)))
        present = present and changes[key].exists()
    return posts.model_copy(update=changes)


def _resolve_source(path: Path, dataset: DatasetFile, given: str | None) -> SourceOptions:
    source = dataset.source
    if source.kind == "archive":  # its store need not be there yet
        store = given or source.path or f"{STORES}/{dataset.name}"
        return source.model_copy(update={"path": store})
    if not source.path:
        raise ConfigurationError(f"{path}: missing key 'source.path'")
    if source.kind == "collection":
        folder = given or require_input(path, "source.path", source.path)
        find_documents(Path(folder))
        return source.model_copy(update={"path": folder})
    template = require_template(path, "source.path", source.path) if given is None else given
    where = f"{path}: source.path" if given is None else f"{WHERE}.source"
    check_template(where, source.kind, template)
    if given is not None and not find_fixed_folder(given).exists():
        raise ConfigurationError(f"{where}: there is no folder {find_fixed_folder(given)}")
    return source.model_copy(update={"path": template})


def find_dataset_file(name: str, root: Path) -> Path:
    """Find the file of a dataset, given the dataset's name or the path of the file.

    The path is relative where it can be, since paths beside the file get into settings, and
    settings shall be equal on every machine.

    Raises:
        ConfigurationError: where there is no such file, and where the ``name`` in the file is that
            of another file of ``config/datasets``, whose data and tables would be replaced.
    """
    folder = Path(os.path.relpath(root / "config" / "datasets"))
    known = sorted(path.stem for path in folder.glob("*.yaml"))
    by_path = name.endswith((".yaml", ".yml")) or "/" in name
    if not by_path and name not in known:
        raise ConfigurationError(
            f"dataset {name!r} is neither in config/datasets nor the path of a .yaml file; "
            f"{nearest(name, known)}"
        )
    path = Path(name) if by_path else folder / f"{name}.yaml"
    values = read_yaml(path)
    named = values.get("name") if isinstance(values, dict) else None
    if named in known and not path.samefile(folder / f"{named}.yaml"):
        raise ConfigurationError(
            f"{path}: name: {named!r} is the dataset of config/datasets/{named}.yaml, whose data "
            "and tables this one would replace; choose another name"
        )
    return path
