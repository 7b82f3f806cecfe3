"""Methods with the same name, body and lines as an earlier one can be left out of a corpus."""

import pyarrow as pa

from ncsbench.corpus.methods.duplicate_methods import COLUMNS, find_first_copies

METHOD = ("get", 3, 5, "int get(A a) {\n f();\n}")


def test_name_body_and_lines_count_and_types_do_not() -> None:
    rows = [
        METHOD,
        ("get", 3, 5, "private long get(B b) {\n f();\n}"),
        ("put", 3, 5, "int put(A a) {\n f();\n}"),
        ("get", 4, 6, METHOD[3]),
        ("get", 3, 5, METHOD[3].replace("f", "g")),
        ("get", 3, 5, METHOD[3].replace("\n", "\r\n")),
        METHOD,
    ]
    tables = [
        pa.Table.from_pylist([dict(zip(COLUMNS, row, strict=True)) for row in part])
        for part in (rows[:2], rows[2:])
    ]
    assert find_first_copies(tables).tolist() == [0, 0, 2, 3, 4, 5, 0]
    assert find_first_copies([]).tolist() == []
