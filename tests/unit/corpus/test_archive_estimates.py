"""What a list takes before anything starts, and how far the fetching is."""

from pathlib import Path

import numpy as np
import pytest

from ncsbench.corpus.archives.download_options import FetchSettings
from ncsbench.corpus.archives.fetching import describe_status
from ncsbench.corpus.archives.progress import (
    Estimate,
    read_sizes,
    show_bytes,
)
from ncsbench.corpus.sources.archive_store import ArchiveStore
from ncsbench.corpus.sources.repositories import read_repositories
from ncsbench.errors import ConfigurationError, DataError
from ncsbench.pipeline.freshness.job_resources import TABLE, load_resources
from ncsbench.pipeline.runs.archive_plan import plan_corpus
from ncsbench.pipeline.runs.archive_settings import SIZES, load_fetch_settings
from tests.hub import write_list

NAMES = [f"owner/repo{number}" for number in range(5)]


@pytest.fixture
def settings(root: Path, tmp_path: Path) -> FetchSettings:
    return FetchSettings(
        repositories=write_list(tmp_path / "list.csv", NAMES),
        store=tmp_path / "stores" / "data",
        sizes=root / SIZES,
    )


def test_the_published_list_is_estimated_near_its_published_size(root: Path) -> None:
    sizes = read_sizes(root / SIZES)
    assert sizes.count == 453
    java = sizes.estimate("java_bytes", 24_549)
    assert java.low < java.value < java.high
    assert java.value == pytest.approx(24_549 * 154_634, rel=1e-3)
    # 4,716,814 methods were published: these are 4.65 million, at those of ncsed_383 for each byte.
    assert java.low < 4_716_814 / 635_484 * 518_427_323 < java.high
    assert sizes.estimate("java_bytes", 24_549) == java


@pytest.mark.parametrize("count", [1, 3, 20, 70, 383])
def test_an_interval_holds_sums_of_a_list_of_its_length(root: Path, count: int) -> None:
    sizes = read_sizes(root / SIZES)
    estimate = sizes.estimate("zip_bytes", count)
    drawn = np.random.default_rng(1).choice(sizes.rows["zip_bytes"], (4000, count)).sum(axis=1)
    covered = ((estimate.low <= drawn) & (drawn <= estimate.high)).mean()
    # A longer list's sum varies less than its estimate, which rests on 453 repositories.
    assert covered >= 0.93
    assert covered <= (0.97 if count < 70 else 1)
    assert sizes.estimate("zip_bytes", 0) == Estimate(0, 0, 0)


def test_a_broken_table_of_sizes_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "sizes.csv"
    header = "repo,zip_bytes,java_files,java_bytes,entries,missing_blobs\n"
    for text, reason in [
        ("", "header"),
        (header, "no row"),
        (header + "a/b,x,1,1,1,0\n", "no number"),
    ]:
        path.write_text(text, encoding="utf-8")
        with pytest.raises(DataError, match=reason):
            read_sizes(path)


def write_dataset(folder: Path, root: Path, more: str = "") -> Path:
    """A dataset file that names ``list.csv`` and questions of the checkout."""
    path = folder / "some.yaml"
    text = "name: some\nrepositories: list.csv\nsource: {kind: archive}\n"
    path.write_text(f"{text}questions: {root}/resources/sample/questions.json\n{more}")
    return path


def test_the_plan_of_a_dataset(root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write_list(tmp_path / "list.csv", NAMES)
    more = "download: {requests_per_minute: 1, software_heritage: ''}\n"
    dataset = write_dataset(tmp_path, root, more)
    lines = list(plan_corpus(str(dataset), root=root))
    assert lines[0].endswith("list.csv: 5 repositories, 0 here")
    assert "5 and one redirect each, at most 1 a minute and host: 5 min" in lines[1]
    mirror = ["download={url_template: 'file:///zips/{owner}/{repo}.zip'}"]
    assert list(plan_corpus(str(dataset), mirror, root))[1:3] == [
        "requests    none: 5 files of file:///zips/{owner}/{repo}.zip",
        "zips        " + lines[2].removeprefix("download").partition(":")[0].strip(),
    ]
    repositories = read_repositories(tmp_path / "list.csv").repositories
    store = ArchiveStore(tmp_path / "data/stores/some", repositories)
    store.add_missing(repositories[0], "404 Not Found")
    store.add_missing(repositories[1], "500, to be asked for again")
    left = list(plan_corpus(str(dataset), mirror, root))
    assert left[0].endswith("list.csv: 5 repositories, 0 here, 1 missing")
    assert left[1].startswith("requests    none: 4 files of ")
    assert not any(line.startswith("gone") for line in lines)
    assert any("453 repositories drawn at random" in line for line in lines)


def test_the_plan_of_the_published_list_is_that_of_the_docs(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    write_list(tmp_path / "list.csv", [f"o/r{number}" for number in range(24_549)])
    write_dataset(tmp_path, root, "shards: 128\nembedding: {dimension: 100}\n")
    lines = [line.replace(f"{root}/", "") for line in plan_corpus("some.yaml", root=root)]
    assert "\n".join(lines[1:]) in (root / "docs/corpus.md").read_text(encoding="utf-8")
    table = load_resources(root / TABLE)
    # What jobs ask for before there is a corpus is reckoned with nearly the same number.
    assert table.methods_per_repository * 24_549 == pytest.approx(4_653_238, rel=0.01)


def test_the_status_counts_reasons_and_names_what_is_missing(settings: FetchSettings) -> None:
    repositories = read_repositories(settings.repositories).repositories
    store = ArchiveStore(settings.store, repositories)
    store.add_missing(repositories[0], "damaged archive (at byte 12)")
    store.add_missing(repositories[1], "damaged archive (at byte 99)")
    store.add_missing(repositories[2], "404 Not Found\x1b[31m")
    lines = list(describe_status(settings, names=True))
    assert "          2 damaged archive" in lines
    assert "not asked   2" in lines
    assert f"{NAMES[0]}\tdamaged archive (at byte 12)" in lines
    assert not any("\x1b" in line for line in lines)


def test_lines_of_the_list_that_were_left_out_are_named(settings: FetchSettings) -> None:
    with settings.repositories.open("a", encoding="utf-8") as file:
        file.write("no name,\n")
    lines = list(describe_status(settings, names=True))
    assert lines[0].endswith(", 1 line of the list left out")
    assert lines[-1].startswith("no name") and "\tleft out: " in lines[-1]


def test_sizes_in_words() -> None:
    assert [show_bytes(n) for n in (7, 1234, 5e6, 2e9)] == ["7 bytes", "1.23 kB", "5 MB", "2.0 GB"]
    rounded = [show_bytes(n) for n in (999, 999.6, 999_600, 999_700_000)]
    assert rounded == ["999 bytes", "1 kB", "1 MB", "1.0 GB"]


@pytest.fixture
def a_dataset(root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Its file, below the working directory, with a list of which one line is left out."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "config").symlink_to(root / "config")
    (tmp_path / "my data").mkdir()
    (tmp_path / "list.csv").write_text("repo,commit\na/b,1234567\na/b,abc123\n", encoding="utf-8")
    write_dataset(tmp_path / "my data", root)
    return "my data/some.yaml"


def test_commands_by_hand_need_no_run_before(a_dataset: str) -> None:
    settings = load_fetch_settings(a_dataset, ["download={connections: 2}"])
    assert settings.store == Path("data/stores/some")
    assert settings.download.connections == 2
    assert settings.arguments == (
        "--dataset 'my data/some.yaml' --config 'download={connections: 2}'"
    )
    lines = list(describe_status(settings))
    assert lines[0] == "list        list.csv: 1 repositories, 1 line of the list left out"
    for text in ("download", "=1", "a b=1", "a={", "a=[1"):
        with pytest.raises(ConfigurationError, match="is no key and value"):
            load_fetch_settings(a_dataset, [text])


def test_a_published_list_that_is_not_there_is_said_with_the_remedy(
    a_dataset: str, tmp_path: Path
) -> None:
    dataset = tmp_path / a_dataset
    text = dataset.read_text(encoding="utf-8")
    dataset.write_text(text.replace("list.csv", "data/sources/ncsed/repositories.txt"))
    with pytest.raises(DataError, match=r"corpus plan --dataset 'my data/some\.yaml'$"):
        load_fetch_settings(a_dataset, get_list=False)
    (tmp_path / "published").mkdir()
    (tmp_path / "published" / "repositories.txt").write_text("another\n", encoding="utf-8")
    with pytest.raises(DataError, match="correct the folder"):
        load_fetch_settings(a_dataset, ["inputs={published: published}"])


@pytest.mark.parametrize("get_list", [True, False])
def test_a_published_list_of_another_checksum_is_refused_by_hand_too(
    a_dataset: str, tmp_path: Path, get_list: bool
) -> None:
    dataset = tmp_path / a_dataset
    listed = "data/sources/ncsed/repositories.txt"
    dataset.write_text(dataset.read_text(encoding="utf-8").replace("list.csv", listed))
    (tmp_path / listed).parent.mkdir(parents=True)
    link = f"https://github.com/a/b/archive/{'1' * 40}.zip\n"
    (tmp_path / listed).write_text(link, encoding="utf-8")
    with pytest.raises(DataError, match=r"ncsed\.yaml says a5044de8.*; remove data/sources/ncsed"):
        load_fetch_settings(a_dataset, get_list=get_list)
