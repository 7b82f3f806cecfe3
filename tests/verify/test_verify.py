"""What a build of ``make verify`` is made from; the builds themselves take minutes."""

from pathlib import Path

from tests.verify.verify import ROOT, copy_files, list_files, tables_of


def test_only_files_of_the_checkout_are_copied_with_their_rights(tmp_path: Path) -> None:
    names = list_files(untracked=False)
    assert "Snakefile" in names and not any(name.startswith(("data/", ".venv/")) for name in names)
    copy_files(["workflow/bin/ncsbench", "Snakefile"], tmp_path)
    copied = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert len(copied) == 2
    for path in copied:
        original = ROOT / path.relative_to(tmp_path)
        assert path.read_bytes() == original.read_bytes()
        assert path.stat().st_mode == original.stat().st_mode


def test_tables_of_the_sample_are_committed_and_rankings_are_not() -> None:
    artifacts = [
        *("results/sample/table1.csv", "results/sample/runs/ncs.trec", "results/table1.csv"),
        *("results/published_table1.csv", "data/sample/settings/table.json"),
        *("results/sample/selected/questions.json", "results/sample/figures/a.svg"),
    ]
    assert tables_of(artifacts) == [
        "results/published_table1.csv",
        "results/sample/selected/questions.json",
        "results/sample/table1.csv",
    ]
