"""Chains of ``<`` that no Java has are blanks to the parser, and nothing else is."""

import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ncsbench.code.aroma.features import method_codes
from ncsbench.code.aroma.trees import TreeFolder
from ncsbench.code.functions.function_parser import parse_functions
from ncsbench.code.functions.java_functions import tokenize_java
from ncsbench.code.java.java import MAXIMUM_DEPTH, blank_deep_types
from ncsbench.code.java.java_methods import parse_methods
from ncsbench.learning.deepcs.method_fields import read_fields

DEEP = 40
CHAIN = "a<" * DEEP
ORDINARY = [
    "List<" * MAXIMUM_DEPTH + "A" + ">" * MAXIMUM_DEPTH + " x;",
    "boolean b = " + " && ".join(["i < n"] * DEEP) + ";",
    "boolean b = " + " || ".join(["a.i < b.n"] * DEEP) + ";",
    "int x = " + " | ".join(["1 << a"] * DEEP) + ";",
    "int x = 1" + " << a" * DEEP + ";",
    "int x = 1" + " <<= a" * DEEP + ";",
    "boolean b = " + " & ".join(["(i < n)"] * DEEP) + ";",
    "int x = " + " : ".join(["i < n ? 1"] * DEEP) + " : 0;",
    "f(" + ", ".join(["i < n"] * DEEP) + ");",
    "f(" + "i < n + 1 < " * DEEP + "1);",
    "while (i < n) ++i;\n" * DEEP,
    "assert i < n;\n" * DEEP,
    "Map<K, " * DEEP + "V" + ">" * DEEP + " x;",
    "List<A> x;\n" * DEEP,
    "List<A>[] x, y;\n" * DEEP,
    f'String s = "{CHAIN}";',
    f'String s = "\\"{CHAIN}"; char c = \'"\';',
    f'String s = """\n{CHAIN} "" \\""" {CHAIN}""";',
    f"// {CHAIN}",
    f"/* {CHAIN}\n{CHAIN} */",
    f"/*/ {CHAIN} */",
    f"/** {CHAIN} */ int a; // {CHAIN}",
    "<" * DEEP + " HEAD",
]
"""Members and statements that Java may have, or that are no chain."""


@pytest.mark.parametrize("code", ORDINARY)
def test_what_java_may_have_stays_dev_183(code: str) -> None:
    source = f"class C {{ void m() {{ x(); {code}\n }} }}".encode()
    assert blank_deep_types(source) is source


@pytest.mark.parametrize(
    "unit",
    [
        *("a<", "a <", "a\n<\n", "a.b<", "é<", "a<?", "a<.", "a<a.1<", "a[]<", "a<^", "a<;"),
        *("a<:*", "a<, *", "a<>|", "a<{}*", "a<<=."),
        *("a</* ; */", "a<// ;\n", 'a</* " */', "a<this<"),
    ],
)
def test_a_deep_chain_is_blank_up_to_its_last_sign_dev_183(unit: str) -> None:
    before, after = "class C { void m() { x(); /* é */ ", "b y; z(); } }"
    source = f"{before}{unit * DEEP}{after}".encode()
    found = blank_deep_types(source)
    assert [len(line) for line in found.split(b"\n")] == [len(one) for one in source.split(b"\n")]
    assert found.startswith(before.encode())
    assert found.endswith(after.encode())
    assert b"<" not in found
    assert blank_deep_types(found) is found


@pytest.mark.parametrize(
    "before", ["/*", "/*/", '"a*/" /*', "'", "'\\'", '"', '"\\', "*/", "'''", "\\u0022"]
)
def test_what_does_not_end_hides_no_chain_on_the_next_line_dev_183(before: str) -> None:
    source = f"{before}\n{CHAIN}".encode()
    assert blank_deep_types(source) == f"{before}\na{' ' * (2 * DEEP - 1)}".encode()


@given(st.text(alphabet="a<>;.,?&|\"'/*\\\n\r é(", max_size=400))
def test_any_text_keeps_its_length_and_lines_dev_183(text: str) -> None:
    source = (CHAIN + text + CHAIN).encode()
    found = blank_deep_types(source)
    assert [len(line) for line in found.split(b"\n")] == [len(x) for x in source.split(b"\n")]


_MEASURE = """
import resource
from ncsbench.code.java.java import parse_java, parse_java_bounded

def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10

parse_java(b"class C { }")
before = peak()
for unit in ["a<", "a <", "a.b<", "a<a.1<", "a?<", "a<^a<", "a</**/", "a<;", "a<:*", "a<<=."]:
    for frame in ["class C { void m() { @ } }", "@"]:
        source = frame.replace("@", unit * (30_000 // len(unit))).encode()
        parse_java(source)
        parse_java_bounded(source)
print(peak() - before)
"""


def test_chains_take_little_memory_dev_183(root: Path) -> None:
    """One of them takes 1.9 GB without blanks, another one more than 4."""
    done = subprocess.run(
        [sys.executable, "-c", _MEASURE],
        env={"PYTHONPATH": str(root / "workflow")},
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    assert int(done.stdout) < 100


def test_every_reader_of_java_reads_chains_as_blanks_dev_183() -> None:
    method = f"int m(int i) {{\n  {CHAIN}b; return i + 1;\n}}"
    source = f"class C {{ {method} }}".encode()
    parsed = parse_methods(source)
    assert parsed.has_deep_types
    assert not parsed.has_errors
    assert [one.code for one in parsed.methods] == [method]
    functions = parse_functions(source, "java")
    assert functions.has_deep_types
    assert [one.code for one in functions.functions] == [method]
    assert "<" not in functions.functions[0].code_tokens
    assert "<" not in tokenize_java(method)
    shallow = method.replace(CHAIN, "a ")
    assert read_fields(method) == read_fields(shallow)
    folder = TreeFolder()
    assert method_codes(method, folder)
    assert method_codes(method, folder) == method_codes(shallow, folder)
    assert not parse_methods(b"class C { void m() { } }").has_deep_types
