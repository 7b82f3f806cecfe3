"""The file of a run of CodeSearchNet: ``config/codesearchnet/<csn>.yaml``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field

from ncsbench.configuration.files import read_yaml, without_braces
from ncsbench.configuration.strict_model import Distinct, StrictModel
from ncsbench.errors import ConfigurationError
from ncsbench.function_corpus.corpus_options import CorpusOptions, RepositoryFilters
from ncsbench.functions.function_record import Rules
from ncsbench.published_inputs.source_files import is_published_input
from ncsbench.sources.source_folders import find_fixed_folder
from ncsbench.sources.source_options import SourceOptions

FOLDER = "config/codesearchnet"
LanguageName = Literal["go", "java", "javascript", "php", "python", "ruby"]
ALL: tuple[LanguageName, ...] = ("go", "java", "javascript", "php", "python", "ruby")
"""The languages of CodeSearchNet, in the order of its tables."""


class CsnFile(StrictModel):
    """Corpora of functions in some languages, and what is searched in them.

    A relative path is looked for from the file's own folder first, then from the folder in which
    Snakemake runs. ``data/sources/<name>/<file>`` is a published input (docs/datasets.md).
    """

    repositories: str
    """CSV with the columns ``language,repo,commit`` and some of ``fork,stars,forks,dependants,
    licence,part`` (docs/codesearchnet.md)."""
    source: SourceOptions
    """Where the code files are read from."""
    annotations: str
    """The annotations, in the published form: annotated functions stay in the corpus whatever they
    are copies of, and no training sees them."""
    queries: str
    """The queries: no training sees documentation with all words of one."""
    languages: Annotated[tuple[LanguageName, ...], Distinct, Field(min_length=1)] = ALL
    """In the order of the tables."""
    shards: int = Field(4, ge=1, le=9999)
    """The files of a language are parsed in this many jobs, whatever the machine. Results do not
    depend on it."""
    rules: Rules = "as_meant"
    """Where a rule of the released extraction never fires: ``as_meant``, or ``as_released``."""
    filters: RepositoryFilters = RepositoryFilters()
    """Which listed repositories are taken."""
    corpus: CorpusOptions = CorpusOptions()
    """Which of their functions, which are pairs, and the parts."""


def load_csn_file(path: Path) -> CsnFile:
    """Read a file and resolve its paths; what they name need not be there.

    Raises:
        ConfigurationError: with one line that names file and key.
    """
    file = CsnFile.parse(read_yaml(path), where=str(path))
    if file.source.kind == "git" and not all(
        key in file.source.path for key in ("{owner}", "{repo}")
    ):
        raise ConfigurationError(
            f"{path}: source.path of kind git needs {{owner}} and {{repo}} in it, for example "
            "clones/{owner}/{repo}"
        )
    if not file.source.path:
        raise ConfigurationError(f"{path}: missing key 'source.path'")
    return file.model_copy(
        update={
            **{
                key: without_braces(f"{path}: {key}", _find(path, getattr(file, key)))
                for key in ("repositories", "annotations", "queries")
            },
            "source": file.source.model_copy(update={"path": _find(path, file.source.path)}),
        }
    )


def _find(path: Path, name: str) -> str:
    """Where an input is, or where it would be in the working directory."""
    if is_published_input(name):
        return name
    beside = path.parent / find_fixed_folder(name)
    return str(path.parent / name) if beside.exists() else name
