"""What is committed is on a page, and pages name only what is there."""

import json
import re
import subprocess
from pathlib import Path

import pytest
import yaml

from ncsbench.base.files.csv_tables import read_headed_rows
from ncsbench.evaluation.published.printed_figures import NEAR, read_published_cells

MODEL = re.compile(r"<!-- ((?:unif|ncs|fused|bm25|elasticsearch|deepcs|carlcs)[a-z0-9_]*) -->")
FIGURE = re.compile(
    r'<picture><source media="\(prefers-color-scheme: dark\)" '
    r'srcset="[a-z/]*/([a-z0-9_]+)_dark\.svg">'
    r'<img alt="([^"]{20,})" src="[a-z/]*/\1\.svg"></picture>\n\n(.*)'
)
"""A figure of a page: its name, what it shows, and the line below it."""


def list_committed(root: Path, pattern: str) -> list[str]:
    done = subprocess.run(
        ["git", "ls-files", "--", pattern], cwd=root, capture_output=True, text=True, check=False
    )
    if done.returncode or not done.stdout:
        pytest.skip("needs a checkout of git")
    return done.stdout.split()


def test_every_committed_table_is_named_beside_its_folder(root: Path) -> None:
    """``results/README.md`` has a row for each folder, with the names of its tables."""
    rows = [line for line in (root / "results/README.md").read_text().splitlines() if "|" in line]
    missing = []
    for path in map(Path, list_committed(root, "results/*.csv")):
        folder = path.parent.relative_to("results").as_posix()
        named = "(here)" if folder == "." else f"`{folder}/`"
        told = "".join(row.split("|")[1] + row for row in rows if named in row.split("|")[1])
        numbers = range(2, 9) if "`table2.csv` to `table8.csv`" in told else ()
        names = {*re.findall(r"`([a-z0-9_]+\.csv)`", told), *(f"table{n}.csv" for n in numbers)}
        endings = tuple(re.findall(r"`(_[a-z_]+\.csv)`", told))
        if path.name not in names and not (endings and path.name.endswith(endings)):
            missing.append(str(path))
    assert not missing, f"name them in results/README.md: {', '.join(missing)}"


def test_every_page_that_results_are_said_to_be_on_exists(root: Path) -> None:
    pages = re.findall(r"`(docs/[a-z0-9-]+\.md)`", (root / "results/README.md").read_text())
    assert pages
    assert [page for page in pages if not (root / page).is_file()] == []


def test_every_environment_is_on_its_page(root: Path) -> None:
    page = (root / "docs/environments.md").read_text()
    named = set(re.findall(r"^\| `envs/([a-z]+\.yaml)` \|", page, re.MULTILINE))
    assert named == {path.name for path in (root / "envs").glob("*.yaml")}


def test_each_figure_is_on_a_page_in_light_and_dark_with_a_line_that_says_what_to_see(
    root: Path,
) -> None:
    shown = [
        (page.name, *found)
        for page in (root / "README.md", *(root / "docs").glob("*.md"))
        for found in FIGURE.findall(page.read_text())
    ]
    drawn = {path.stem for path in (root / "docs/figures").glob("*.svg")}
    light = {name for name in drawn if not name.endswith("_dark")}
    assert drawn - light == {f"{name}_dark" for name in light}
    assert {name for _, name, _, _ in shown} == light
    sentence = re.compile(r"(?:\*\*)?[A-Z][^|]{40,}")
    assert [one for one in shown if not sentence.match(one[3])] == []


def test_models_that_figures_name_exist(root: Path) -> None:
    models = {path.stem for path in (root / "config/models").glob("*.yaml")}
    for figure in (root / "docs/figures").glob("*.svg"):
        assert {*MODEL.findall(figure.read_text())} <= models, figure.name


@pytest.mark.parametrize("run", ["csn", "csn_java"])
def test_committed_table_3_compares_only_trainings_of_the_published_size(
    root: Path, run: str
) -> None:
    cells = read_published_cells(root / "config/published/codesearchnet_tables.csv")
    size = int(cells["released pairs", "All", "train"])
    _, rows = read_headed_rows(root / f"results/{run}/table3.csv")
    systems = yaml.safe_load((root / f"config/codesearchnet/{run}.yaml").read_text())["systems"]
    for row in rows:
        if row["verdict"] in ("", "not comparable: pool"):
            continue
        seeds = systems[row["model"]].get("seeds")
        name = f"{row['model']}-seed{seeds[0]}" if seeds else row["model"]
        record = json.loads((root / f"results/{run}/systems/{name}.json").read_text())
        trained = sum(one["pairs"]["trained"] for one in record["training"].values())
        near = abs(trained / size - 1) <= NEAR
        assert near != row["verdict"].startswith("not comparable: pairs")


def test_no_output_of_dvc_is_committed(root: Path) -> None:
    """DVC refuses to make an output that git tracks, and so a release ends in its third step."""
    text = (root / "dvc.yaml").read_text()
    outputs = {path.replace("${key}", "sample") for path in re.findall(r"- (\S+): \{persist", text)}
    assert "results/table1.csv" in outputs
    assert not outputs & set(list_committed(root, "results"))
