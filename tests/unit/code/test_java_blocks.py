"""The rule that tells Java from the other code blocks of posts; the examples are written anew."""

import json
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ncsbench.code.java.java_blocks import _blank_literals, is_java_block
from tests.patience import guard_against_hanging

JAVA = {
    "a statement": "room.darken(false);",
    "a declaration": "Lamp lamp = (Lamp) room.findThing(R.id.lamp);",
    "a declaration without its end": 'String name = getArguments().getString("name")',
    "a method": "private int width() {\n    return shelf.size\n}",
    "a signature": "public Lamp buildLamp(String name, int watts)",
    "only a branch": "if (lamp.isOn() == true) {\n    lamp.dim(3);\n}",
    "a class with ellipses": "class Garden extends Field {\n  ...\n  void dig() { }\n  ...\n}",
    "a call with an elided body": "button.setListener(...){\n@Override\npublic void on(...){\n}\n}",
    "a lambda": "runner.start(() -> {\n    water(3);\n    dig();\n});",
    "foreign words in comments": "// fun main() => println\n/* val x: Int = 3 */\nwater(3);",
    "foreign words in strings": 'print("fun main() { val x: Int }");\nprint("#include <a>");',
    "imports": "import garden.tools.Can;\nimport garden.tools.Spade;",
    "a prose line": "Use this one instead of the old lamp\n\nLamp l = new Lamp(3);\nl.on();",
}

OTHER = {
    "nothing": "",
    "markup": '<Lamp\n    android:id="@+id/lamp"\n    android:text="on; off;" />',
    "attributes": 'app:tint="@color/yellow"\nandroid:width="3dp"',
    "kotlin": "override fun dig(depth: Int): Boolean {\n    val hole = spade?.dig(depth)\n}",
    "kotlin with semicolons": "val lamp: Lamp = Lamp();\nfun on() { lamp.on(); }",
    "kotlin lambda": "button.setListener {\n    water(3)\n}",
    "a call as in kotlin": "lamp.setColour(Colour.RED)",
    "gradle": "dependencies {\n    implementation 'org.example:lamp:1.0'\n}",
    "json": '{\n  "lamp": "on",\n  "watts": 40\n}',
    "shell": "$ ./gradlew assemble\nadb install -r lamp.apk",
    "properties": "org.example.home=/opt/lamp\nsdk.dir=/opt/sdk",
    "stack trace": "java.lang.IllegalStateException: dark\n    at a.b.Lamp.on(Lamp.java:12)",
    "log": "E/Lamp(  71): it is dark\nW/Lamp(  71): again;",
    "prose": "Right click on the lamp and then choose another one.",
    "javascript": "var lamp = function (watts) {\n  return watts * 2;\n};",
    "c": "#include <lamp.h>\nint main() {\n  return 0;\n}",
    "c++": "int Lamp::watts(int i) const {\n  return i;\n}",
    "c# lambda": "public bool On => lamp.State;",
    "shader": "varying vec2 place;\nvoid main() {\n  colour = vec4(1.0);\n}",
    "sql": "SELECT name FROM lamps WHERE watts > 40;",
}


@pytest.mark.parametrize("kind", JAVA)
def test_java_is_known_by_its_lines(kind: str) -> None:
    assert is_java_block(JAVA[kind])


@pytest.mark.parametrize("kind", OTHER)
def test_what_is_not_java_is_told_apart(kind: str) -> None:
    assert not is_java_block(OTHER[kind])


def test_the_greater_part_of_a_mixed_block_decides() -> None:
    java, markup = JAVA["a lambda"], '<a b="c"/>\n<d/>\n'
    assert is_java_block(f"{markup}{java}\n{java}")
    assert not is_java_block(f"{markup * 3}{java}")


KINDS = json.loads(Path(__file__).with_name("java_blocks_by_kind.json").read_text("utf-8"))
"""Blocks by language and kind, labelled by reading. The parser of JDK 17 accepts those of Java as a
file, as members or as statements, but for the last three and patterns of a switch (Java 21)."""


@pytest.mark.parametrize("language", ["java", "other"])
def test_modern_java_and_languages_that_look_like_it_are_told_apart(language: str) -> None:
    wrong = [
        kind
        for kind, text in KINDS[language].items()
        if is_java_block(text) != (language == "java")
    ]
    assert not wrong


def test_blocks_that_were_judged_wrongly_are_judged_rightly(shared: Path) -> None:
    blocks = json.loads((shared / "data/found/java_blocks/blocks.json").read_text("utf-8"))
    assert [one["id"] for one in blocks if is_java_block(one["text"]) != one["java"]] == []


@given(st.text())
def test_any_text_has_an_answer(text: str) -> None:
    assert is_java_block(text) in {True, False}


_NOT_CODE = re.compile(
    r"//[^\n]*|/\*.*?(?:\*/|\Z)|<!--.*?(?:-->|\Z)"
    r"|(?P<text>\"\"\"(?=[^\S\n]*\n)(?:\\.|\"(?!\"\")|[^\"\\])*\"\"\")"
    r"|(?P<open>\"\"\"(?=[^\S\n]*\n))"
    r"|(?P<string>\"(?:\\.|[^\"\\\n])*\")"
    r"|(?P<character>'(?:[^\\'\n]|\\(?:u+\w{4}|[0-7]{1,3}|.))')"
    r"|(?P<quoted>'(?:\\.|[^'\\\n])*')",
    re.DOTALL,
)
"""Comments and literals in one expression, which takes quadratic time."""


@given(st.text(alphabet="\"'\\/*<!->\n a;", max_size=60))
def test_comments_and_literals_are_found_in_linear_time_as_by_one_expression(text: str) -> None:
    def blank(match: re.Match[str]) -> str:
        if match["string"] or match["text"]:
            return '""'
        return {"character": "'a'", "quoted": "''", "open": match[0]}.get(
            match.lastgroup or "", " "
        )

    assert _blank_literals(text) == _NOT_CODE.sub(blank, text)


@pytest.mark.parametrize(
    "piece",
    [
        "/*",
        '"',
        "a<",
        "(a ",
        "A a ",
        "a.",
        "public ",
        "x, ",
        "\\",
        "{a ",
        "->a(",
        "a::b(",
        "a->",
        "a.b.C ",
        "new A(",
        '"""\n',
        "a ? ",
        "if (a) ",
        "switch (a) {case a -> ",
        "a;\n",
        "A a\n",
    ],
)
def test_long_lines_of_one_piece_come_to_an_end(piece: str) -> None:
    with guard_against_hanging():
        is_java_block(piece * 300_000)
