"""Dataset files: a corpus, its questions and posts."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field

from ncsbench.configuration.files import read_yaml, without_braces
from ncsbench.configuration.strict_model import Distinct, Names, StrictModel
from ncsbench.corpus.corpus_settings import Duplicates, MethodOptions, SourceOptions
from ncsbench.errors import ConfigurationError
from ncsbench.haystacks.haystack_options import HaystackOptions
from ncsbench.posts.dump_options import PostsOptions
from ncsbench.run_control.raw_inputs import find_fixed_folder

_TAKEN_NAMES = ("checksums", "logs")  # folders beside those of datasets
Seed = Annotated[int, Field(ge=0)]


def _list_paths(value: Any) -> Any:
    if isinstance(value, str):
        return (value,)
    return tuple(value) if isinstance(value, list) else value


class ReplicateOptions(StrictModel):
    """Models that are made again with other seeds: other orders of text, other draws."""

    seeds: Annotated[tuple[Seed, ...], Distinct] = ()
    """Seeds beside that of the configuration."""
    models: Names = ()
    """Models that are made again with each of them."""


class EmbeddingChanges(StrictModel):
    """What a dataset sets for the word vectors of all models."""

    dimension: int | None = Field(None, ge=1)
    """Length of a vector, instead of what each model file says; without it the files count."""


class DatasetFile(MethodOptions):
    """A corpus, its questions and posts.

    A relative path is looked for from the file's own folder first, then from the folder in which
    Snakemake runs.
    """

    name: str = Field(pattern="^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$")
    """Names the folders ``data/<name>/`` and ``results/<name>/`` and every row of a table; letters,
    digits, ``-`` and ``_``."""
    repositories: str
    """CSV with the columns ``repo`` (owner/name) and ``commit``, more are ignored; or the published
    text file of archive links."""
    source: SourceOptions
    """Where the Java files are read from."""
    duplicates: Duplicates = "kept"
    """``equal_words``: methods whose words are equal, in the default extraction, are one method of
    the corpus, the first of them, for every row of the table (DEV-89). ``equal_lines``: the
    same for methods whose name, text of the body and lines are equal (docs/corpus-counts.md).
    ``near``: for methods whose identifiers are nearly the same (DEV-106)."""
    questions: Annotated[
        tuple[str, ...],
        BeforeValidator(_list_paths, json_schema_input_type=str | tuple[str, ...]),
        Field(min_length=1),
    ] = ()
    """One file or a list of files in the published JSON schema; without it the questions are
    selected from the posts (docs/questions.md)."""
    posts: PostsOptions | None = None
    """Posts of a Stack Exchange site, for questions and training pairs (docs/posts.md); models that
    learn from posts need it."""
    further_models: Names = ()
    """Rows of this dataset's table after those of the configuration."""
    embedding: EmbeddingChanges = EmbeddingChanges()
    """Options of word vectors that hold for every model, whatever its file says, but for
    `micro_benchmark.rows`, which set their own: a small corpus needs no long vectors (DEV-10)."""
    replicates: ReplicateOptions = ReplicateOptions()
    """Models that are made again with other seeds; the table has the mean and the spread."""
    ablations: Annotated[tuple[Literal["pairs", "dimension"], ...], Distinct] = ()
    """Where the questions are published ones, the models that rebuild a published system are made
    again with half of this, to see which way a figure moves (docs/table1.md)."""
    haystacks: HaystackOptions | None = None
    """Searching among more and more of the corpus (docs/haystacks.md)."""
    trained_in: str = ""
    """Another dataset, built before, whose word vectors, expansions and weights the models take
    instead of training anew; words and indexes are this one's."""
    curation: str | None = None
    """Decisions about the candidate questions, as ``ncsbench questions curate`` writes them."""
    example_scores: Path | None = None
    """CSV with the reference implementation's scores of the published examples, for the order of
    their slots (docs/judge.md); without it the examples in the corpus are ordered."""
    shards: int = Field(4, ge=1, le=9999)
    """The corpus is worked on in this many parts, a fixed number whatever the machine; about one
    per ten thousand methods is right. Results do not depend on it."""
    ceiling: bool = True
    """Search the whole corpus for the methods that answer a question: the last row of the table."""
    licence: str = ""
    """Under which terms the data may be used."""
    citation: str = ""
    """What to cite."""


def load_dataset(path: Path) -> DatasetFile:
    """Read a dataset file and resolve its paths.

    A relative path is looked for from the dataset file's own folder first, then from the working
    directory.

    Raises:
        ConfigurationError: with one line that names file and key.
    """
    dataset = DatasetFile.parse(read_yaml(path), where=str(path), texts=True)
    if dataset.name in _TAKEN_NAMES:
        raise ConfigurationError(f"{path}: name: data/{dataset.name}/ is taken; choose another")
    found: dict[str, Any] = {
        "questions": tuple(_resolve(path, "questions", name) for name in dataset.questions)
    }
    if dataset.posts is not None:
        files = {"path": _resolve(path, "posts.path", str(dataset.posts.path))}
        if dataset.posts.users is not None:
            files["users"] = _resolve(path, "posts.users", str(dataset.posts.users))
        if dataset.posts.links is not None:
            files["links"] = _resolve(path, "posts.links", str(dataset.posts.links))
        resolved = {key: Path(file) for key, file in files.items()}
        found["posts"] = dataset.posts.model_copy(update=resolved)
    elif not dataset.questions:
        raise ConfigurationError(
            f"{path}: missing key 'questions' (or 'posts' to select them from)"
        )
    if dataset.haystacks is not None:
        base = Path(_resolve(path, "haystacks.base", str(dataset.haystacks.base)))
        found["haystacks"] = dataset.haystacks.model_copy(update={"base": base})
    if dataset.curation is not None:
        found["curation"] = _resolve(path, "curation", dataset.curation)
    if dataset.example_scores is not None:
        scores = _resolve(path, "example_scores", str(dataset.example_scores))
        found["example_scores"] = Path(scores)
    found["repositories"] = _resolve(path, "repositories", dataset.repositories)
    source = dataset.source
    template = _resolve_template(path, source.path)
    if source.kind == "git" and not all(key in template for key in ("{owner}", "{repo}")):
        raise ConfigurationError(
            f"{path}: source.path of kind git needs {{owner}} and {{repo}} in it, "
            f"for example clones/{{owner}}/{{repo}}"
        )
    found["source"] = source.model_copy(update={"path": template})
    return dataset.model_copy(update=found)


def _resolve(dataset: Path, key: str, name: str) -> str:
    for folder in (dataset.parent, Path()):
        if (folder / name).exists():
            return without_braces(f"{dataset}: {key}", str(folder / name))
    raise ConfigurationError(
        f"{dataset}: {key}: {name} exists neither beside the dataset file nor in the "
        "working directory"
    )


def _resolve_template(dataset: Path, template: str) -> str:
    """Like ``_resolve`` for the folders before the first placeholder, if there is one."""
    start = find_fixed_folder(template)
    for folder in (dataset.parent, Path()):
        if (folder / start).exists():
            return str(folder / template)
    raise ConfigurationError(
        f"{dataset}: source.path: {start} exists neither beside the dataset file nor in the "
        "working directory"
    )
