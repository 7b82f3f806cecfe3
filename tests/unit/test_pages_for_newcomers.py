"""The examples of docs/models.md and docs/datasets.md work as they stand there."""

from __future__ import annotations

import re
import shutil
import sys
import tomllib
from pathlib import Path

import pytest
import yaml

import ncsbench
import ncsbench.rankers
from ncsbench.corpus.documents import save_documents
from ncsbench.errors import ConfigurationError
from ncsbench.experiment.dataset_file import load_dataset
from ncsbench.experiment.model_checks import check_model
from ncsbench.experiment.model_files import load_model
from ncsbench.experiment.run import load_run
from ncsbench.rankers.model_index import make_index
from ncsbench.rankers.ranker_options import RankerSettings
from ncsbench.rankers.registry import ENTRY_POINT_GROUP, create_ranker, find_options, list_kinds
from ncsbench.runs.rankings import Query
from ncsbench.sources.repositories import read_repositories
from ncsbench.sources.source_folders import find_folder
from tests.sample_corpus import build_sample_corpus

KIND = "name_length"


def read_block(page: Path, language: str) -> str:
    """The one block of a language on a page, without the indent of a list."""
    [(indent, block)] = re.findall(
        rf"^( *)```{language}\n(.*?)^ *```$", page.read_text(encoding="utf-8"), re.M | re.S
    )
    return re.sub(rf"^{indent}", "", block, flags=re.M)


@pytest.fixture(scope="module")
def corpus(root: Path, tmp_path_factory: pytest.TempPathFactory) -> ncsbench.Corpus:
    return ncsbench.load_corpus(build_sample_corpus(root, tmp_path_factory.mktemp("data")))


@pytest.fixture(params=["in the package of rankers", "in a package of its own"])
def installed(
    request: pytest.FixtureRequest, root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Path:
    """The ranker of the page where the page puts it; the folder of its configuration."""
    page = root / "docs/models.md"
    folder = tmp_path / "code"
    folder.mkdir()
    (folder / f"{KIND}.py").write_text(read_block(page, "python"))
    if request.param == "in the package of rankers":
        monkeypatch.setattr(ncsbench.rankers, "__path__", [*ncsbench.rankers.__path__, str(folder)])
    else:
        # What pip writes of the package.
        project = tomllib.loads(read_block(page, "toml"))
        name, version = project["project"]["name"], project["project"]["version"]
        assert project["tool"]["setuptools"]["py-modules"] == [KIND]
        about = folder / f"{name.replace('-', '_')}-{version}.dist-info"
        about.mkdir()
        (about / "METADATA").write_text(
            f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n"
        )
        points = project["project"]["entry-points"][ENTRY_POINT_GROUP]
        lines = [f"[{ENTRY_POINT_GROUP}]", *(f"{key} = {value}" for key, value in points.items())]
        (about / "entry_points.txt").write_text("\n".join(lines) + "\n")
        monkeypatch.syspath_prepend(str(folder))
    for part in ("config", "resources"):
        (tmp_path / part).mkdir()
    shutil.copytree(root / "config", tmp_path / "config", dirs_exist_ok=True)
    shutil.copytree(root / "resources/stopwords", tmp_path / "resources/stopwords")
    (tmp_path / f"config/models/{KIND}.yaml").write_text(read_block(page, "yaml"))
    yield tmp_path
    for module in (KIND, f"ncsbench.rankers.{KIND}"):
        sys.modules.pop(module, None)
    vars(ncsbench.rankers).pop(KIND, None)


def test_the_ranker_of_the_page_ranks(
    installed: Path, corpus: ncsbench.Corpus, tmp_path: Path
) -> None:
    assert KIND in list_kinds()
    model = load_model(KIND, root=installed, stop_words="resources/stopwords/english.txt", seed=1)
    check_model(model)
    assert model.source_text and model.trained_on == "none"

    words, index = tmp_path / "words", tmp_path / "index"
    save_documents(corpus.documents, words)
    settings = RankerSettings(ranker=model.specification, seed=1)
    nothing = {"embedding": None, "expansion": None, "weights": None}
    make_index(settings, words=words, corpus=corpus.folder, output=index, **nothing)
    ranker = create_ranker(model.specification, seed=1)
    ranker.load(index, corpus=corpus.documents)
    run = ranker.search([Query(1, "open a file")], k=3)

    found = ncsbench.create_ranker(KIND, corpus).search("open a file", k=3)
    assert found["method_id"].tolist() == run.ids.tolist()
    names = corpus.methods(range(len(corpus)), ["method_name"])["method_name"]
    assert found["score"].tolist() == sorted(names.str.len(), reverse=True)[:3]


def test_without_a_line_of_its_model_file_it_ends_in_one_line(
    installed: Path, corpus: ncsbench.Corpus, tmp_path: Path
) -> None:
    path = installed / f"config/models/{KIND}.yaml"
    path.write_text(re.sub("source_text.*\n", "", path.read_text()))
    model = load_model(KIND, root=installed, stop_words="resources/stopwords/english.txt", seed=1)
    with pytest.raises(ConfigurationError, match="add a line 'source_text: true'"):
        check_model(model)


def test_needs_in_the_class_of_the_ranker_are_refused(
    installed: Path, corpus: ncsbench.Corpus, tmp_path: Path
) -> None:
    code = installed / f"code/{KIND}.py"
    text = code.read_text().replace('    needs = ("methods",)', "    #")
    code.write_text(text.replace("options_type =", 'needs = ("methods",)\n    options_type ='))
    with pytest.raises(ConfigurationError, match=f"'{KIND}' has 'needs' in its own class") as error:
        find_options(KIND)
    assert "move it into its 'options_type' (docs/models.md)" in str(error.value)


def test_an_input_that_nobody_named_ends_in_one_line(
    installed: Path, corpus: ncsbench.Corpus, tmp_path: Path
) -> None:
    code = installed / f"code/{KIND}.py"
    code.write_text(code.read_text().replace('    needs = ("methods",)', "    #"))
    save_documents(corpus.documents, tmp_path / "words")
    settings = RankerSettings.parse({"ranker": {"kind": KIND}, "seed": 1}, where="settings")
    nothing = {"embedding": None, "expansion": None, "weights": None, "corpus": None}
    with pytest.raises(ConfigurationError, match="reads the input 'methods'") as error:
        make_index(settings, words=tmp_path / "words", output=tmp_path / "index", **nothing)
    assert "add 'methods' to 'needs' of its options (docs/models.md)" in str(error.value)
    assert "\n" not in str(error.value)


def test_the_dataset_of_the_page_is_read(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = root / "docs/datasets.md"
    files = {"mine.yaml": "yaml", "repositories.csv": "csv", "questions.json": "json"}
    for name, language in files.items():
        (tmp_path / name).write_text(read_block(page, language))
        assert name in page.read_text()
    (tmp_path / "java/acme/notes").mkdir(parents=True)
    dataset = load_dataset(tmp_path / "mine.yaml")
    [repository] = read_repositories(Path(dataset.repositories)).repositories
    assert find_folder(dataset.source.path, repository) == tmp_path / "java/acme/notes"
    questions = ncsbench.load_questions(*dataset.questions)
    assert questions["answer"].tolist() == ["stream.flush();\nstream.close();"]
    given = yaml.safe_load(read_block(page, "json"))[0]
    assert set(given) == set(questions.columns) - {"query_id", "occurrence"}

    monkeypatch.chdir(root)
    shipped = yaml.safe_load((root / "config/config.yaml").read_text())
    run = load_run({**shipped, "dataset": str(tmp_path / "mine.yaml")}, root=root)
    assert run.dataset == "mine" and {"bm25", "ncs"} <= set(run.models)
    assert "unif_stackoverflow_c" in run.left_out
