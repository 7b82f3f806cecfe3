"""The script that compares Table 1 of 77 columns with its successors."""

from pathlib import Path

from tests.verify.compare_tables import compare

OLD = (
    "dataset,model,measure,threshold,questions,mrr,mrr_low,strict_measure,strict_threshold,"
    "strict_mrr,strict_mrr_mean,difference_mrr_low,printed_mrr,verdict_mrr,seeds\n"
    "d,ncs,leaf,0.25,40,0.5,0.4,dice,0.25,0.3,0.35,-0.1,0.189,equal,3\n"
)
NARROW = "dataset,model,judge,questions,mrr,verdict_mrr,strict_judge,strict_mrr\n"
LONG = (
    "dataset,model,judge,threshold,measure,statistic,value,low,high\n"
    "d,,,,methods,value,9,,\nd,ncs,,,questions,value,40,,\nd,ncs,,,mrr,printed,0.189,,\n"
    "d,ncs,leaf,0.25,mrr,value,0.5,0.4,\nd,ncs,dice,0.25,mrr,value,0.3,,\n"
    "d,ncs,dice,0.25,mrr,seeds_mean,0.35,,\nd,ncs,leaf,0.25,mrr,difference,,-0.2,\n"
)


def test_figures_are_equal_different_gone_or_new(tmp_path: Path) -> None:
    (tmp_path / "old.csv").write_text(OLD)
    (tmp_path / "table1.csv").write_text(NARROW + "d,ncs,leaf,40,0.5,equal,dice,0.3\n")
    (tmp_path / "table1_long.csv").write_text(LONG)
    found = compare(tmp_path / "old.csv", tmp_path / "table1.csv")
    assert len(found["equal"]) == 7
    assert found["different"] == ["('d', 'ncs', 'leaf', 'mrr', 'difference low'): -0.1, now -0.2"]
    assert found["gone"] == ["('d', 'ncs', '', 'seeds', 'value'): 3"]
    assert found["new"] == ["('d', '', '', 'methods', 'value'): 9"]


def test_a_dataset_may_have_another_name_now(tmp_path: Path) -> None:
    (tmp_path / "old.csv").write_text(OLD.replace("\nd,", "\nolder,"))
    (tmp_path / "table1.csv").write_text(NARROW + "d,ncs,leaf,40,0.5,equal,dice,0.3\n")
    (tmp_path / "table1_long.csv").write_text(LONG)
    assert len(compare(tmp_path / "old.csv", tmp_path / "table1.csv", "d")["equal"]) == 7


def test_the_narrow_table_has_the_figures_of_the_long_one(tmp_path: Path) -> None:
    (tmp_path / "old.csv").write_text(OLD)
    (tmp_path / "table1.csv").write_text(NARROW + "d,ncs,leaf,40,0.6,equal,dice,0.3\n")
    (tmp_path / "table1_long.csv").write_text(LONG)
    found = compare(tmp_path / "old.csv", tmp_path / "table1.csv")
    assert (
        "('d', 'ncs', 'leaf', 'mrr', 'value'): table1.csv 0.6, long table 0.5"
        in (found["different"])
    )
