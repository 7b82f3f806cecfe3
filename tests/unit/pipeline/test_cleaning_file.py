"""The file of a cleaning experiment: names, sets, cells, and what is said of mistakes."""

from pathlib import Path

import pytest

from ncsbench.errors import ConfigurationError
from ncsbench.pairs.cleaned_pairs.cleaning_options import name_cell
from ncsbench.pipeline.files.cleaning_file import CleaningFile, load_cleaning_file
from ncsbench.pipeline.files.dataset_file import load_dataset
from ncsbench.pipeline.files.input_paths import InputPaths
from tests.refusals import one_line

FILE = """
sources: {csn: {corpus: csn_sample}, more: {corpus: android_sample, maximum_pairs: 9}}
titles: titles.txt
benchmarks:
  csn: {kind: annotations, corpus: csn_sample, annotations: a.csv, queries: q.csv}
  other: {kind: answers, corpus: csn_sample, answers: a.json, code: code.jsonl}
sets:
  raw: {kind: raw}
  filtered: {kind: filtered, cut: {method: gaussian_mixture}}
  controlled: {kind: controlled, size_of: filtered, draws: 2}
  more_filtered: {kind: filtered, source: more, cut: null}
models: {deepcs: deepcs_keras, carlcs: carlcs_code}
seeds: [1, 2]
primary: {model: deepcs, benchmark: csn, better: filtered, than: controlled}
grid:
  - {sets: [filtered, controlled], models: [deepcs], seeds: [2]}
  - {sets: [raw, controlled_1], models: [deepcs]}
"""


def load(folder: Path, text: str = FILE) -> CleaningFile:
    path = folder / "mine.yaml"
    path.write_text(text)
    return load_cleaning_file(path)


def test_cells_stand_in_the_order_of_the_grid_dev_193(tmp_path: Path) -> None:
    file = load(tmp_path)
    assert [name_cell(*cell) for cell in file.iterate_cells()] == [
        *("filtered-deepcs-seed2", "controlled_1-deepcs-seed2", "controlled_2-deepcs-seed2"),
        *("raw-deepcs-seed1", "controlled_1-deepcs-seed1", "raw-deepcs-seed2"),
    ]
    whole = load(tmp_path, FILE.partition("grid:")[0])
    assert len(list(whole.iterate_cells())) == 5 * 2 * 2
    assert list(whole.draws) == ["raw", "filtered", "controlled_1", "controlled_2", "more_filtered"]
    assert whole.source_of("controlled_2") == "csn" and whole.source_of("more_filtered") == "more"


def test_inputs_lie_beside_the_file_or_in_the_working_directory(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("")
    benchmark = load(tmp_path).benchmarks["csn"]
    assert benchmark.kind == "annotations"
    assert (benchmark.annotations, benchmark.queries) == (str(tmp_path / "a.csv"), "q.csv")


def test_a_configuration_names_other_places_of_a_dump_and_of_questions(tmp_path: Path) -> None:
    published, own = "data/sources/ncsed/questions.json", str(tmp_path / "own.json")
    text = FILE.replace("titles: titles.txt", f"titles: inputs/Posts.xml\nquestions: [{published}]")
    asked = f"{{kind: questions, corpus: csn_sample, questions: {published}}}\n  other:"
    path = tmp_path / "mine.yaml"
    path.write_text(text.replace("other:", f"asked: {asked}"))
    for name in ("own.json", "Posts.xml"):
        (tmp_path / name).write_text("")
    given = InputPaths(questions=(own,), posts=str(tmp_path / "Posts.xml"))
    file = load_cleaning_file(path, given)
    assert (file.titles, file.questions) == (str(tmp_path / "Posts.xml"), (own,))
    benchmark = file.benchmarks["asked"]
    assert benchmark.kind == "questions" and benchmark.questions == own
    plain = load_cleaning_file(path)
    assert (plain.titles, plain.questions) == ("inputs/Posts.xml", (published,))
    with pytest.raises(ConfigurationError, match="there is no none"):
        load_cleaning_file(path, InputPaths(posts="none.xml"))


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("sets: [filtered, controlled]", "sets: [filterd]", "grid.0.sets: 'filterd' is unknown"),
        ("models: [deepcs], seeds: [2]", "models: [deepc]", "did you mean 'deepcs'?"),
        ("seeds: [2]", "seeds: [3]", "grid.0.seeds: '3' is unknown; known: 1, 2"),
        (
            "size_of: filtered",
            "size_of: x",
            "sets.controlled.size_of: 'x' is unknown; known: controlled_1",
        ),
        ("size_of: filtered", "size_of: controlled_2", "sets.controlled: would be made of itself"),
        ("{kind: raw}", "{kind: raw, draws: 2}", "sets.raw: a set of kind 'raw' takes no 'draws'"),
        ("{kind: raw}", "{kind: raw, steps_of: x}", "sets.raw.steps_of: 'x' is unknown"),
        ("source: more", "source: moor", "sets.more_filtered.source: 'moor' is unknown"),
        ("cut: null", "rules: none", "'rules: none' needs 'cut'"),
        ("cut: null", "cut: {method: percentile}", "method 'percentile' needs 'share'"),
        ("cut: null", "cuts: null", "unknown key 'sets.more_filtered.cuts'; did you mean 'cut'?"),
        ("more_filtered", "controlled_1", "sets.controlled_1: is the name of a draw too"),
        ("  raw:", "  Raw-1:", "the name 'Raw-1' must match"),
        ("kind: answers", "kind: answer", "benchmarks.other.kind: 'answer' is not one of"),
        ("queries: q.csv", "query: q.csv", "unknown key 'benchmarks.csn.query'; did you mean"),
        ("better: filtered", "better: filter", "primary.better: 'filter' is unknown"),
        ("benchmark: csn", "benchmark: cs", "primary.benchmark: 'cs' is unknown"),
        ("titles.txt", "'{titles}.txt'", "has a brace in it"),
    ],
)
def test_a_mistake_names_file_and_key(tmp_path: Path, old: str, new: str, message: str) -> None:
    with one_line(ConfigurationError, message, match=r"mine\.yaml: "):
        load(tmp_path, FILE.replace(old, new))


@pytest.mark.parametrize("name", ["cleaning", "cleaning_sample", "csn", "csn_sample", "android"])
def test_no_dataset_has_the_name_of_another_run(root: Path, tmp_path: Path, name: str) -> None:
    path = tmp_path / "mine.yaml"
    text = (root / "config" / "datasets" / "sample.yaml").read_text()
    path.write_text(text.replace("name: sample", f"name: {name}"))
    with pytest.raises(ConfigurationError, match=rf"name: data/{name}/ is taken"):
        load_dataset(path)
