"""The examples of docs/add-a-model.md and docs/datasets.md work as they stand there."""

import contextlib
import io
import json
import re
import shutil
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pytest
import yaml

import ncsbench
import ncsbench.rankers
from ncsbench.base.configuration.strict_model import read_settings
from ncsbench.base.files.storage import write_table
from ncsbench.base.runs.rankings import Query
from ncsbench.base.runs.trec_files import read_run
from ncsbench.base.text.words import split_words
from ncsbench.code.java.java_terms import ItemKind
from ncsbench.corpus.layout.corpus_schemas import ITEM_SCHEMA, METHOD_SCHEMA
from ncsbench.corpus.layout.documents import save_documents
from ncsbench.corpus.layout.layout import CorpusFolder
from ncsbench.corpus.sources.folder_sources import DirectorySource
from ncsbench.corpus.sources.repositories import read_repositories
from ncsbench.corpus.sources.source_protocol import find_folder
from ncsbench.errors import ConfigurationError, DataError
from ncsbench.evaluation.judge.answers import write_answers
from ncsbench.pipeline.files.dataset_file import load_dataset
from ncsbench.pipeline.files.model_checks import check_model
from ncsbench.pipeline.files.model_configuration import ModelConfiguration
from ncsbench.pipeline.files.model_files import load_model
from ncsbench.pipeline.runs.run import load_run
from ncsbench.posts.questions.question_schema import QUESTION_SCHEMA
from ncsbench.posts.questions.questions_file import read_questions
from ncsbench.rankers.checked_search import CheckedSearch
from ncsbench.rankers.model_index import make_index
from ncsbench.rankers.model_run import retrieve
from ncsbench.rankers.ranker_options import RankerSettings, RetrievalSettings
from ncsbench.rankers.registry import ENTRY_POINT_GROUP, create_ranker, find_options, list_kinds
from tests.building import build_from
from tests.sample_corpus import build_sample_corpus

KIND = "name_words"


def read_block(page: Path, language: str, *, number: int = 0) -> str:
    """A block of a language on a page, by default the first, without the indent of a list."""
    indent, block = re.findall(
        rf"^( *)```{language}\n(.*?)^ *```$", page.read_text(encoding="utf-8"), re.M | re.S
    )[number]
    return re.sub(rf"^{indent}", "", block, flags=re.M)


@pytest.fixture(scope="module")
def corpus(root: Path, tmp_path_factory: pytest.TempPathFactory) -> ncsbench.Corpus:
    return ncsbench.load_corpus(build_sample_corpus(root, tmp_path_factory.mktemp("data")))


WAYS = ["named by its path", "in the package of rankers", "in a package of its own"]
STOP_WORDS = "resources/stopwords/english.txt"


@dataclass(frozen=True)
class Installed:
    """The ranker of the page where the page puts it.

    Attributes:
        folder: of the configuration, which is the working directory.
        code: the Python file.
        model_file: its model file.
        kind: what the ranker is created by.
        model: what the row is asked for by.
    """

    folder: Path
    code: Path
    model_file: Path
    kind: str
    model: str

    def load(self) -> ModelConfiguration:
        return load_model(self.model, root=self.folder, stop_words=STOP_WORDS, seed=1)


@pytest.fixture(params=WAYS)
def installed(
    request: pytest.FixtureRequest, root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Installed]:
    page = root / "docs/add-a-model.md"
    for part in ("config", "resources/stopwords"):
        shutil.copytree(root / part, tmp_path / part)
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "my_models"
    folder.mkdir()
    code = folder / f"{KIND}.py"
    code.write_text(read_block(page, "python"))
    text = read_block(page, "yaml")
    if request.param == WAYS[0]:
        model_file = folder / f"{KIND}.yaml"
        model_file.write_text(text)
        yield Installed(
            tmp_path, code, model_file, f"my_models/{KIND}.py", f"my_models/{KIND}.yaml"
        )
        return
    if request.param == WAYS[1]:
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
    model_file = tmp_path / f"config/models/{KIND}.yaml"
    model_file.write_text(text.replace(f"python: {KIND}.py", f"kind: {KIND}"))
    yield Installed(tmp_path, code, model_file, KIND, KIND)
    for module in (KIND, f"ncsbench.rankers.{KIND}"):
        sys.modules.pop(module, None)
    vars(ncsbench.rankers).pop(KIND, None)


@pytest.mark.parametrize(("page", "target"), [("add-a-model", "trial"), ("datasets", "tables")])
def test_the_first_command_of_a_page_replaces_no_table(page: str, target: str, root: Path) -> None:
    text = (root / f"docs/{page}.md").read_text()
    [command, *_] = re.findall(r"^snakemake .*$", text, re.M)
    assert command.startswith(f"snakemake --cores all {target} --quiet --config ")


def test_the_ranker_of_the_page_ranks(
    installed: Installed, corpus: ncsbench.Corpus, tmp_path: Path
) -> None:
    assert (KIND in list_kinds()) == (installed.kind == KIND)
    model = installed.load()
    check_model(model)
    assert model.name == KIND and model.source_text and model.trained_on == "none"
    assert model.specification.kind == installed.kind
    make_files(installed, corpus, tmp_path)
    run = read_run(tmp_path / "run.trec")
    found = ncsbench.create_ranker(installed.kind, corpus).search("open a file", k=5)
    assert found["method_id"].tolist() == run.ids.tolist() and len(run.ids) == 5
    names = corpus.methods(run.ids.tolist(), ["method_name"])["method_name"]
    shared = [len({"open", "a", "file"} & set(split_words(name))) for name in names]
    assert min(shared) > 0 and found["score"].tolist() == shared


def make_files(installed: Installed, corpus: ncsbench.Corpus, folder: Path) -> None:
    """The index and the run, from a settings file, as jobs of the workflow make them."""
    model = installed.load()
    settings = RankerSettings(ranker=model.specification, seed=1)
    path = folder / "settings.json"
    path.write_text(json.dumps(settings.as_json()))
    words, index = folder / "words", folder / "index"
    save_documents(corpus.documents, words)
    text = corpus.folder if model.source_text else None
    methods = None if text is None else CorpusFolder(text)
    make_index(read_settings(path, RankerSettings), words=words, corpus=methods, output=index)
    empty = {pa.string(): "", pa.int32(): 1}
    row = {field.name: empty.get(field.type, []) for field in QUESTION_SCHEMA}
    table = pa.Table.from_pylist([row | {"question": "open a file"}], QUESTION_SCHEMA)
    write_table(folder / "questions.parquet", table, QUESTION_SCHEMA)
    retrieve(
        read_settings(path, RankerSettings),
        RetrievalSettings(depth=5),
        words=words,
        index=index,
        questions=folder / "questions.parquet",
        tag=KIND,
        output=folder / "run.trec",
        corpus=text,
    )


def test_the_ranker_with_an_index_finds_the_same_from_its_files(
    corpus: ncsbench.Corpus, root: Path, tmp_path: Path
) -> None:
    code = tmp_path / "rare_words.py"
    code.write_text(read_block(root / "docs/add-a-model.md", "python", number=1))
    made, loaded = (create_ranker({"kind": str(code)}, seed=1) for _ in range(2))
    made.fit(corpus=corpus.documents)
    made.save(tmp_path / "index")
    loaded.load(tmp_path / "index", corpus=corpus.documents)
    queries = [Query(1, "open a file"), Query(2, "qqqqzz"), Query(3, "Read lines")]
    runs = [
        CheckedSearch(ranker, "rare_words", len(corpus)).search(queries, k=20)
        for ranker in (made, loaded)
    ]
    assert runs[0].query_ids.tolist() == [1] * 20 + [3] * 20
    for name in ("query_ids", "ids", "scores"):
        assert getattr(runs[0], name).tolist() == getattr(runs[1], name).tolist()
    CheckedSearch(loaded, "rare_words", len(corpus)).check_alone(runs[1], queries, k=20)


def test_a_column_that_methods_do_not_have_is_refused(corpus: ncsbench.Corpus) -> None:
    with pytest.raises(ConfigurationError, match="'class'; did you mean 'class_name'"):
        list(CorpusFolder(corpus.folder).iterate_methods(["id", "class"]))


def test_without_a_line_of_its_model_file_it_ends_in_one_line(installed: Installed) -> None:
    text = installed.model_file.read_text()
    installed.model_file.write_text(re.sub("source_text.*\n", "", text))
    with pytest.raises(ConfigurationError, match="add a line 'source_text: true'") as error:
        check_model(installed.load())
    name = installed.model if installed.model != KIND else f"config/models/{KIND}.yaml"
    assert str(error.value).startswith(f"{name}: ")


def test_needs_in_the_class_of_the_ranker_are_refused(installed: Installed) -> None:
    text = installed.code.read_text().replace('    needs = ("methods",)', "    #")
    text = text.replace("options_type =", 'needs = ("methods",)\n    options_type =')
    installed.code.write_text(text)
    with pytest.raises(ConfigurationError, match="has 'needs' in its own class") as error:
        find_options(installed.kind)
    assert "move it into its 'options_type' (docs/add-a-model.md)" in str(error.value)


def test_an_input_that_nobody_named_ends_in_one_line(
    installed: Installed, corpus: ncsbench.Corpus, tmp_path: Path
) -> None:
    installed.code.write_text(
        installed.code.read_text().replace('    needs = ("methods",)', "    #")
    )
    text = installed.model_file.read_text()
    installed.model_file.write_text(re.sub("source_text.*\n", "", text))
    with pytest.raises(ConfigurationError, match="reads the input 'methods'") as error:
        make_files(installed, corpus, tmp_path)
    assert "add 'methods' to 'needs' of its options (docs/add-a-model.md)" in str(error.value)
    assert "\n" not in str(error.value)


def test_the_dataset_of_the_page_is_read(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    page = root / "docs/datasets.md"
    java = "java/acme/notes/src/Notes.java"
    files = {"mine.yaml": "yaml", "repositories.csv": "csv", "questions.json": "json", java: "java"}
    for name, language in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(read_block(page, language))
        assert f"`mine/{name}`" in page.read_text()
    dataset = load_dataset(tmp_path / "mine.yaml")
    [repository] = read_repositories(Path(dataset.repositories)).repositories
    assert find_folder(dataset.source.path, repository) == tmp_path / "java/acme/notes"
    questions = read_questions(list(map(Path, dataset.questions)))
    write_answers(questions, tmp_path / "answers.csv")
    [warning] = [record.getMessage() for record in caplog.records]
    assert f"\nanswers: warning: {warning}\n" in page.read_text()

    source = DirectorySource(str(tmp_path / "java"))
    corpus = build_from(tmp_path / "built", [repository], source)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "data/mine").mkdir(parents=True)
    shutil.copytree(corpus.path, tmp_path / "data/mine/corpus")
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(read_block(page, "python"), {})  # noqa: S102
    assert [line.split()[-1] for line in printed.getvalue().splitlines()] == [
        "method_name", "save", "firstLine", "isEmpty"
    ]  # fmt: skip

    monkeypatch.chdir(root)
    shipped = yaml.safe_load((root / "config/config.yaml").read_text())
    run = load_run({**shipped, "dataset": str(tmp_path / "mine.yaml")}, root=root)
    assert run.dataset == "mine" and {"bm25", "ncs"} <= set(run.models)
    assert "unif_stackoverflow_c" in run.left_out


def read_columns(page: Path, heading: str) -> list[dict[str, str]]:
    """The tables below a heading of a page, one after the other, by the names in their headers."""
    text = page.read_text(encoding="utf-8").split(f"## {heading}\n")[1].split("\n## ")[0]
    rows: list[dict[str, str]] = []
    for table in re.findall(r"(?:^\|.*\n)+", text, re.M):
        header, _, *lines = [line.strip("|\n ").split(" | ") for line in table.splitlines()]
        rows += [dict(zip(header, line, strict=True)) for line in lines]
    return rows


def test_the_columns_of_the_page_are_those_of_the_schemas(root: Path) -> None:
    page = root / "docs/datasets.md"
    rows = read_columns(page, "Columns of the corpus")
    fields = [*METHOD_SCHEMA, *ITEM_SCHEMA]
    assert [row["column"] for row in rows] == [f"`{field.name}`" for field in fields]
    types = [re.sub(r"<.*: (\w+).*>", r" of \1", str(field.type)) for field in fields]
    assert [row["type"] for row in rows] == types
    for row, field in zip(rows, fields, strict=True):
        assert not field.nullable or "; empty " in row["is"]
    kinds = next(row["is"] for row in rows if row["column"] == "`kinds`")
    assert [int(one) for one in re.findall(r"\d", kinds)] == list(ItemKind)


def test_the_fields_of_the_page_are_those_of_a_question(root: Path, tmp_path: Path) -> None:
    rows = read_columns(root / "docs/datasets.md", "Schema of the questions")
    needed = {name: row["needed"] for row in rows for name in re.findall(r"`(\w+)`", row["field"])}
    assert list(needed) == QUESTION_SCHEMA.names
    made = {name for name, value in needed.items() if value == "not in the file"}
    assert made == {"query_id", "occurrence"}
    entry = dict.fromkeys(["stackoverflow_id", "question", "answer"], "1")
    assert {name for name, value in needed.items() if value == "yes"} == set(entry)
    for absent in ("", *entry):
        whole = {name: value for name, value in entry.items() if name != absent}
        (tmp_path / "questions.json").write_text(json.dumps([whole]))
        with (
            contextlib.nullcontext()
            if not absent
            else pytest.raises(DataError, match=f"field '{absent}' is missing or empty")
        ):
            read_questions([tmp_path / "questions.json"])
