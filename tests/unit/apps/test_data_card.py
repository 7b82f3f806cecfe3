"""Data card of a dataset: counts, licences, whom to name."""

from __future__ import annotations

import csv
from pathlib import Path

import pyarrow as pa
import pytest
from identify.vendor.licenses import LICENSES

from ncsbench.apps.data_card.card_facts import ATTRIBUTION_COLUMNS
from ncsbench.apps.data_card.data_card import write_data_card
from ncsbench.base.files.storage import write_table, write_tables
from ncsbench.corpus.checks.licences import describe_licences
from ncsbench.corpus.layout.layout import CorpusFolder
from ncsbench.corpus.layout.ledger_schema import LICENCE_SCHEMA
from ncsbench.corpus.sources.repositories import Repository
from ncsbench.corpus.sources.source_protocol import ListedFile, Listing, SourceError, SourceFile
from ncsbench.errors import ConfigurationError
from ncsbench.pairs.training_pairs.pair_schema import PAIR_SCHEMA
from ncsbench.posts.questions.question_schema import QUESTION_SCHEMA
from ncsbench.studies.ncsed.table_settings import CardOptions, CardSettings
from tests.building import build_from

COMMIT = "0123456789" * 4
LICENCES = {
    "a/mit": {"LICENSE": dict(LICENSES)["MIT"]},
    "b/both": {"COPYING": dict(LICENSES)["ISC"], "LICENSE": dict(LICENSES)["MIT"]},
    "c/own": {"LICENCE.txt": "Ask me."},
    "d/none": {},
}
SETTINGS = CardSettings(
    dataset="small",
    licence="CC0-1.0 (list)",
    citation="Who: What. 2026.",
    description="A small <b>dataset</b>.",
    creators=("Us",),
    version="1.0.0",
    published="2026-11-22",
)


class Repositories:
    """Two methods in each repository, one file that is too large, a repository that is gone."""

    def list_files(self, repository: Repository) -> Listing:
        if repository.name == "gone":
            raise SourceError("not there (404)")
        files = (ListedFile("A.java", 60), ListedFile("B.java", 9, "too large (9 bytes)"))
        texts = LICENCES[repository.full_name]
        return Listing(repository.commit, files, tuple(ListedFile(one, 9) for one in texts))

    def read_files(self, repository, commit, paths):
        java = "class A {\n void m() { }\n void n() {\n  int i;\n }\n}\n"
        texts = LICENCES[repository.full_name] | {"A.java": java}
        yield from (SourceFile(path, texts[path].encode()) for path in paths)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The corpus of these repositories and their licences, a question and two pairs."""
    folder = tmp_path_factory.mktemp("card")
    names = [*LICENCES, "e/gone", "f/gone"]
    repositories = [Repository(*name.split("/"), COMMIT) for name in names]
    corpus = build_from(folder, repositories, Repositories(), rejected=[("?", "no name")])
    licences = describe_licences(corpus.inventory_path, Repositories())
    write_tables(folder / "licences", licences, LICENCE_SCHEMA)
    texts = dict.fromkeys(QUESTION_SCHEMA.names, "text")
    question = texts | {"query_id": 1, "stackoverflow_id": "7", "occurrence": 1,
                        "examples": [], "examples_url": []}  # fmt: skip
    pair = dict.fromkeys(PAIR_SCHEMA.names, "")
    for name, rows, schema in (
        ("questions", [question], QUESTION_SCHEMA),
        ("posts", [pair, pair], PAIR_SCHEMA),
    ):
        write_table(folder / name, pa.Table.from_pylist(rows, schema), schema)
    return folder


def write_page(settings: CardSettings, folder: Path) -> str:
    write_data_card(
        settings,
        corpus=CorpusFolder(folder / "corpus"),
        licences=folder / "licences",
        questions=folder / "questions",
        pairs=[folder / "posts"],
        attribution=folder / "attribution.csv",
        output=folder / "card.md",
    )
    return (folder / "card.md").read_text()


def test_the_page_counts_every_stage(folder: Path) -> None:
    page = write_page(SETTINGS, folder)
    assert "# Data card of small" in page
    assert "A small &lt;b&gt;dataset&lt;/b&gt;." in page
    for line in (
        *("repositories listed | 6", "repositories read | 4", "Java files read | 4"),
        *("Java files left out | 4", "methods | 8", "questions | 1", "training pairs posts | 2"),
        *("not there | 2", "no name | 1", "too large | 4"),
        "methods left out by the option nested | 0",
        *("ISC, MIT | 1 | 25.0 % | 2 | 25.0 %", "MIT | 1 | 25.0 % | 2 | 25.0 %"),
        *("none found | 1 | 25.0 % | 2 | 25.0 %", "unrecognised | 1 | 25.0 % | 2 | 25.0 %"),
        *("lines | 1 | 1 | 1 | 1 | 3 | 3 | 3 | 3", "unknown | 4 | 8"),
    ):
        assert f"| {line} |\n" in page
    assert "2 of 4 repositories, with 50.0 % of the methods, have no licence file" in page
    assert "2 of 6 listed repositories are missing" in page
    assert "Cite: Who: What. 2026. Methods belong to" in page


def test_what_is_not_given_is_not_said(folder: Path) -> None:
    bare = CardSettings(dataset="small", licence="", citation="")
    page = write_page(bare, folder)
    assert not [word for word in ("Cite:", "Terms:", "Released:", "By:", "Page:") if word in page]


def test_every_repository_is_named(folder: Path) -> None:
    write_page(SETTINGS, folder)
    with (folder / "attribution.csv").open(newline="") as file:
        header, *rows = csv.reader(file)
    assert tuple(header) == ATTRIBUTION_COLUMNS
    link = f"https://github.com/b/both/tree/{COMMIT}"
    assert rows[1] == ["b/both", COMMIT, "", link, "ISC, MIT", "COPYING / LICENSE", "2"]
    assert [row[4] for row in rows] == ["MIT", "ISC, MIT", "unrecognised", "none found"]


@pytest.mark.parametrize(
    ("key", "value"), [("version", "1"), ("published", "22 November"), ("published", "2026-02-31")]
)
def test_versions_and_days_have_a_form(key: str, value: str) -> None:
    with pytest.raises(ConfigurationError, match=f"^x: {key}: "):
        CardOptions.parse({key: value}, where="x")
