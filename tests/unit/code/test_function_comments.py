"""Which comments document a function: the right reading, and the released one (DEV-220)."""

import json
from pathlib import Path

import pytest

from ncsbench.code.functions.function_parser import parse_functions
from ncsbench.code.functions.function_texts import without_directives
from ncsbench.code.functions.registry import LANGUAGES

FORMS = {
    "go": ("package a\n\n{}\nfunc f() int {{\n\treturn 1\n}}\n", "var d = 4", "//"),
    "java": ("class A {{\n  {}\n  int f() {{\n    return 1;\n  }}\n}}\n", "int d = 4;", "//"),
    "javascript": ("{}\nfunction f() {{\n  return 1;\n}}\n", "g(4);", "//"),
    "php": (
        "<?php\nclass A {{\n  {}\n  function f() {{\n    return 1;\n  }}\n}}\n",
        "const D = 4;",
        "#",
    ),
    "ruby": ("module M\n  class A\n    {}\n    def f\n      1\n    end\n  end\nend\n", "d 4", "#"),
}


def document(language: str, before: str, *, released: bool = False) -> str:
    source = FORMS[language][0].format(before).encode()
    rules = "as_released" if released else "as_meant"
    (function,) = parse_functions(source, language, rules=rules).functions  # type: ignore[arg-type]
    return function.docstring


@pytest.mark.parametrize("language", FORMS)
def test_a_comment_behind_code_documents_nothing_dev_220(language: str) -> None:
    _, code, mark = FORMS[language]
    assert document(language, f"{code} {mark} metres") == ""
    assert document(language, f"{code} {mark} metres\n{mark} Drains.") == "Drains."
    assert document(language, f"{mark} Drains.") == "Drains."
    assert "metres" in document(language, f"{code} {mark} metres", released=True)
    if language != "ruby":
        assert document(language, f"{code} /* metres\n of it */ {mark} deep") == ""
        assert document(language, f"{code} /* a */ /* b */\n/* Drains. */") == "Drains."


@pytest.mark.parametrize("language", ["java", "php"])
def test_a_comment_behind_the_head_of_a_class_documents_nothing_dev_220(language: str) -> None:
    start = "<?php " if language == "php" else ""
    source = f"{start}class A {{ // of the class\n  function f() {{\n return 1;\n }}\n}}"
    (function,) = parse_functions(source.encode(), language).functions
    assert function.docstring == ""


DIRECTIVES = {
    "go": """//go:noinline|//go:build linux|//nolint|//nolint:gocyclo,dupl // why|// nolint: all
        //lint:ignore SA1 why|// +build linux|//export F|//extern f|//line a.go:3|// #nosec G101
        //revive:disable|//easyjson:json""",
    "java": """//CHECKSTYLE:OFF|// CHECKSTYLE.ON: Name|// CHECKSTYLE IGNORE Name
        /* CHECKSTYLE:OFF */
        // NOPMD|// NOPMD - why|//NOSONAR|//noinspection unchecked|// @formatter:off|// CPD-OFF
        //<editor-fold desc="a">|//</editor-fold>|//#region a|// spotless:off|//$NON-NLS-1$""",
    "javascript": """// eslint-disable-next-line no-var|/* eslint no-var: 0 */
        /* eslint-env node */|/* istanbul ignore next */|/* istanbul ignore next: why */
        // @ts-ignore
        /* c8 ignore start */|// @ts-expect-error why|// prettier-ignore|// biome-ignore lint: why
        /* jshint unused:false */|// jscs:disable|// tslint:disable|/* global a, b:true */
        // $FlowFixMe[a] why|// deno-lint-ignore no-var|// Stryker disable next-line all|// @flow
        /* globals $ */|/*#__PURE__*/|/* v8 ignore next 3 */|/* exported f */|// NOSONAR""",
    "php": """// phpcs:ignore A.B|// phpcs:disable|# phpcs:enable|// @phpcs:ignore
        // @codeCoverageIgnore
        // @codeCoverageIgnoreStart|/** @phpstan-ignore-next-line */
        // @phpstan-ignore argument.type
        /** @psalm-suppress MixedReturn */|/** @noinspection PhpUnused */
        // @codingStandardsIgnoreStart
        /** @phan-suppress-next-line PhanA */|/** @SuppressWarnings(PHPMD) */
        // @infection-ignore-all
        /** @suppress PhanA */""",
    "ruby": """# rubocop:disable Metrics/AbcSize|# rubocop:todo all|# :nodoc:|#:nodoc: all|# :nocov:
        # standard:disable all|# steep:ignore|# frozen_string_literal: true|# @!visibility private
        # :stopdoc:|# typed: strict|# -*- coding: utf-8 -*-|# simplecov:disable|# :yields: a""",
}
CASES = [
    (language, line.strip())
    for language, lines in DIRECTIVES.items()
    for line in lines.replace("\n", "|").split("|")
]


@pytest.mark.parametrize(("language", "line"), CASES)
def test_a_line_that_instructs_a_tool_documents_nothing_dev_220(language: str, line: str) -> None:
    mark = "#" if language == "ruby" else "//"
    assert document(language, line) == ""
    assert document(language, f"{mark} Sifts it.\n{line}") == "Sifts it."
    assert document(language, line, released=True)


@pytest.mark.parametrize(
    "comment",
    [
        "// Ignores what eslint says.\n// See: off the mill. Note: on.\n// A re-enable of it.",
        "/**\n * @return the sum: ignore it\n * @see #region\n * @param a one\n */",
        "/* global settings of it */\n// regions of the map\n// http://a.b/c\n// export it\n// line 3",  # noqa: E501
        "# a: b\n# Typed: by hand\n# todo: more\n# extern ones",
        "// todo:more\n//TODO: faster",
    ],
)
def test_words_of_a_person_stay_dev_220(comment: str) -> None:
    assert without_directives(comment) == comment


def test_a_directive_inside_documentation_goes_alone_dev_220() -> None:
    text = "/**\n * Sifts it.\n *\n * @codeCoverageIgnore\n * @param $a one\n */"
    assert document("php", text) == "Sifts it.\n\n@param $a one"
    assert document("javascript", "/* istanbul ignore next:\n * hard to reach */") == ""
    assert document("java", "/** Sifts it. */\n// NOPMD\n@A") == "Sifts it."


@pytest.mark.parametrize(
    ("before", "expected"),
    [
        ("// Part one.\n\n", ""),
        ("// Part one.\n\n// F runs.", "F runs."),
        ("/* Part one. */\n\n/* F\nruns. */\n// Fast.", "F\nruns.\nFast."),
        ("// F runs.\n//\n// Fast.", "F runs.\n\nFast."),
        ("// F runs.\n//go:noinline\n// Fast.", "F runs.\nFast."),
        ("/* F runs. */ // Fast.", "F runs.\nFast."),
    ],
)
def test_an_empty_line_parts_a_comment_of_go_dev_220(before: str, expected: str) -> None:
    assert document("go", before) == expected


@pytest.mark.parametrize(
    ("before", "expected"),
    [
        ("/// Grinds.\n///\n/// More.", "Grinds.\n\nMore."),
        ("/// Old.\n\n  /// Grinds.", "Grinds."),
        ("/** Grinds. */\n// note", "Grinds."),
        ("/** Grinds. */\n\n/* note */", "Grinds."),
        ("/** Old. */\n/// Grinds.\n/// More.\n// note", "Grinds.\nMore."),
        ("/// Old.\n/** Grinds. */", "Grinds."),
        ("int d = 4; /** Grinds. */", "Grinds."),
        ("// Plain.\n// Second.", "Second."),
    ],
)
def test_documentation_comments_of_java_dev_220(before: str, expected: str) -> None:
    assert document("java", before) == expected


@pytest.mark.parametrize("mark", ["#", "##", "# ", "//", "///", "/*! ", "/** "])
def test_marks_of_comments_of_php_dev_220(mark: str) -> None:
    end = " */" if mark.startswith("/*") else ""
    assert document("php", f"{mark}Grinds a sack.{end}") == "Grinds a sack."


def _found(shared: Path) -> Path:
    folder = shared / "data/found/functions"
    if not folder.is_dir():
        pytest.skip("needs ../shared (inputs that were read wrongly)")
    return folder


def test_inputs_that_were_read_wrongly(shared: Path) -> None:
    folder = _found(shared)
    expected = json.loads((folder / "expected.json").read_text())
    languages = {one.suffixes[0]: one.name for one in LANGUAGES.values()}
    read = {}
    for name in expected:
        parsed = parse_functions((folder / name).read_bytes(), languages[Path(name).suffix])
        read[name] = [
            {"identifier": one.identifier, "docstring": one.docstring} for one in parsed.functions
        ]
    assert read == {name: one["functions"] for name, one in expected.items()}
