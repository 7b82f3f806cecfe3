from pathlib import Path

import pyarrow.parquet as pq

from ncsbench.corpus.layout import CorpusFolder
from ncsbench.corpus.synthetic_corpus import generate_corpus
from tests.unit.test_extraction import build

SOURCE = b"""class Host {
  void first(Gear gear) { gear.turn(speed); if (gear.stuck()) { gear.oil(); } }
  void second(List<String> names) { for (String name : names) { print(name.trim()); } } }"""


def test_copies_have_other_names_and_copy_0_is_the_base(tmp_path: Path) -> None:
    base = build(tmp_path, {"H.java": SOURCE})
    generated = []
    for folder in ("a", "b"):
        output = CorpusFolder(tmp_path / folder)
        generate_corpus(base, methods=7, output=output.path)
        (path,) = output.shard_paths("methods")
        generated.append(pq.read_table(path).to_pylist())
    assert generated[0] == generated[1]
    rows = generated[0]
    assert [row["id"] for row in rows] == list(range(7))
    assert rows[:2] == pq.read_table(base.shard_paths("methods")[0]).to_pylist()
    assert len({row["code"] for row in rows}) > 4
    assert len({row["filepath"] for row in rows}) == 4
    assert all(row["code"].count("{") == rows[row["id"] % 2]["code"].count("{") for row in rows)
