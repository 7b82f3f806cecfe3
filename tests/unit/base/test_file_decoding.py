"""Encodings of code files that nobody says."""

import csv
from pathlib import Path

import pytest

from ncsbench.base.text.file_decoding import decode_source
from ncsbench.code.functions.function_parser import parse_functions
from ncsbench.code.java.java_methods import parse_methods

JAPANESE = "class 箱 {\n  /** ソースを表示する。この機能は予定です。 */\n  void 表示() {}\n}\n"
CHINESE = "class A {\n  /** 获取当前的时间并且返回结果 */\n  int 功能() { return 1; }\n}\n"
TRADITIONAL = "class A {\n  /** 取得目前的時間許功蓋的說明 */\n  int 功能() { return 1; }\n}\n"
KOREAN = "class A {\n  /** 장부의 합계를 구해서 돌려준다. */\n  int 합계() { return 1; }\n}\n"


@pytest.mark.parametrize(
    ("text", "codec", "remark"),
    [
        (JAPANESE, "cp932", "read as Shift_JIS by guess"),
        (JAPANESE, "euc_jp", "read as EUC-JP by guess"),
        (JAPANESE, "iso2022_jp", "read as ISO-2022-JP"),
        (CHINESE, "gbk", "read as GBK by guess"),
        (TRADITIONAL, "big5", "read as Big5 by guess"),
        (KOREAN, "euc_kr", "read as EUC-KR by guess"),
        (KOREAN, "iso2022_kr", "read as ISO-2022-KR"),
        (CHINESE, "utf-16-le", "read as UTF-16"),
        (CHINESE, "utf-16-be", "read as UTF-16"),
        ("class A {}", "utf-32-le", "read as UTF-32"),
        ("class A {}", "utf-32", "read as UTF-32"),
        ("class A {}", "utf-16", "read as UTF-16"),
        ("class Größe { int straße = 1; /* ÄÖÜ äöü «ß» */ }", "latin-1", "read as Latin-1"),
        ("class A { /* déjà vu, où ça être */ }", "latin-1", "read as Latin-1"),
        (CHINESE, "utf-8", ""),
        (CHINESE, "utf-8-sig", ""),
    ],
)
def test_the_bytes_tell_an_encoding_dev_211(text: str, codec: str, remark: str) -> None:
    assert decode_source(text.encode(codec)) == (text, remark)


def test_a_bad_byte_does_not_make_the_rest_latin_1_dev_211() -> None:
    data = "/** café: ".encode() + b"\xff" + " */ int 引く() {}".encode()
    assert decode_source(data) == (
        "/** café: \ufffd */ int 引く() {}",
        "read as UTF-8 with 1 bad byte",
    )


def test_a_stray_nul_is_a_blank() -> None:
    assert decode_source(b"class A {\0 }") == ("class A {  }", "NUL bytes read as blanks")


@pytest.mark.parametrize(
    ("line", "codec"),
    [("# -*- coding: shift_jis -*-", "cp932"), ("#!/bin/x\n# coding=koi8-r", "koi8-r")],
)
def test_a_file_says_its_encoding_dev_211(line: str, codec: str) -> None:
    text = f"{line}\ndef f():\n    '''{'表示' if codec == 'cp932' else 'Привет'}'''\n    return 1\n"
    assert decode_source(text.encode(codec))[0] == text


@pytest.mark.parametrize("name", ["rot13", "zlib", "unicode_escape", "punycode", "x" * 99, "utf-8"])
def test_what_is_no_encoding_of_a_text_is_not_taken(name: str) -> None:
    data = f"# coding: {name}\n# \xe9".encode("latin-1")
    assert decode_source(data) == (data.decode("latin-1"), "read as Latin-1")


@pytest.mark.parametrize(
    ("language", "source"),
    [
        ("python", "def f(x):\n    return x\n\ndef g(x):  # one\n    return x\n"),
        ("javascript", "// one\nfunction f(x) {\n return x;\n}\nfunction g(x) {\n return x;\n}\n"),
        (
            "java",
            "class A { // one\n int f(int x) {\n return x;\n }\n int g() {\n return 1;\n } }\n",
        ),
        (
            "php",
            "<?php\nclass A {// 1\nfunction f() {\n return 1;\n}\nfunction g() {\n return 1; } }\n",
        ),
    ],
)
@pytest.mark.parametrize("end", ["\r", "\n", "\r\n"])
def test_functions_are_found_at_any_line_end_dev_212(language: str, source: str, end: str) -> None:
    found = parse_functions(source.replace("\n", end).encode(), language).functions
    assert [one.identifier.rpartition(".")[2] for one in found] == ["f", "g"]


def test_files_of_many_encodings_give_the_methods_of_javac(shared: Path) -> None:
    folder = shared / "data/found/encodings"
    with (folder / "expected.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    for name in sorted({row["file"] for row in rows}):
        expected = [(row["class"], row["method"]) for row in rows if row["file"] == name]
        data = (folder / name).read_bytes()
        if name.endswith(".py"):
            functions = parse_functions(data, "python").functions
            assert [("", one.identifier) for one in functions] == expected, name
        else:
            methods = parse_methods(decode_source(data)[0].encode()).methods
            assert [(one.class_name, one.name) for one in methods] == expected, name
