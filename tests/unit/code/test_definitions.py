"""Definitions of files: one fixture for each language, and text that no parser likes."""

from __future__ import annotations

import pytest

from ncsbench.code.definitions.definitions import (
    MAXIMUM_AROUND,
    REST_LINES,
    TYPE_LINES,
    find_definitions,
    find_rest,
)
from ncsbench.code.definitions.languages import LANGUAGES, find_language_of

FIXTURES = {
    "a.go": (
        """package store

// Store keeps values.
type Store struct {
	values map[string]int
}

// Get returns a value.
func (s *Store) Get(key string) int { return s.values[key] }

func (l List[T]) Len() int { return 0 }

func New() *Store { return &Store{} }

type (
	// Key names a value.
	Key = string
)
""",
        [
            ("", "Store", True, "// Store keeps values."),
            ("Store", "Get", False, "// Get returns a value."),
            ("List", "Len", False, ""),
            ("", "New", False, ""),
            ("", "Key", True, "	// Key names a value."),
        ],
    ),
    "A.java": (
        """package a;

/** Reads things. */
@Deprecated
public interface Reader {
    /** One line. */
    String read(int count);
    enum Mode { FAST }
}
class File implements Reader {
    File(String path) { }
    public String read(int count) { return null; }
}
""",
        [
            ("", "Reader", True, "/** Reads things. */"),
            ("Reader", "read", False, "    /** One line. */"),
            ("Reader", "Mode", True, ""),
            ("", "File", True, ""),
            ("File", "File", False, ""),
        ],
    ),
    "a.js": (
        """/**
 * Sends a body.
 */

res.send = function send(body) { return this; };
const close = async () => { await done(); };
class Pool { // all of them
  /* Takes one. */
  take() { return 1; }
  later = () => 2
}
module.exports = { open: function () { return 3; } };
""",
        [
            ("res", "send", False, "/**\n * Sends a body.\n */"),
            ("", "close", False, ""),
            ("", "Pool", True, ""),
            ("Pool", "take", False, "  /* Takes one. */"),
            ("Pool", "later", False, ""),
            ("", "open", False, ""),
        ],
    ),
    "a.kt": (
        """/** Talks to servers. */
class Client(val engine: Engine) {
    fun close() = engine.close()
    companion object { fun default(): Client = TODO() }
}
val Retry = createPlugin("retry") { }
fun Client.get(url: String): String = ""
object Registry
""",
        [
            ("", "Client", True, "/** Talks to servers. */"),
            ("Client", "close", False, ""),
            ("Client", "default", False, ""),
            ("", "Retry", True, ""),
            ("", "get", False, ""),
            ("", "Registry", True, ""),
        ],
    ),
    "a.php": (
        """<?php
/** A cart. */
final class Cart {
    // Adds one.
    public function add(Item $item): void { }
}
interface Priced { public function price(): int; }
function total() { return 0; }
""",
        [
            ("", "Cart", True, "/** A cart. */"),
            ("Cart", "add", False, "    // Adds one."),
            ("", "Priced", True, ""),
            ("Priced", "price", False, ""),
            ("", "total", False, ""),
        ],
    ),
    "a.py": (
        '''class Queue:
    """First in, first out."""

    # Waits.
    @retry
    async def get(self):
        """Return the next one."""
        def inner():
            return 1
        return inner()
''',
        [
            ("", "Queue", True, '"""First in, first out."""'),
            ("Queue", "get", False, '"""Return the next one."""'),
        ],
    ),
    "a.rb": (
        """module Store
  # A value.
  class Entry < Base
    def expired?
      true
    end

    def self.build; end
  end
end
""",
        [
            ("", "Store", True, ""),
            ("Store", "Entry", True, "  # A value."),
            ("Store.Entry", "expired?", False, ""),
            ("Store.Entry", "build", False, ""),
        ],
    ),
    "a.ts": (
        """// Names of procedures.
export type Name = string;
export interface Router<T> { call(name: Name): T }
export const router = createRouter({ a: 1 });
abstract class Base { abstract run(): void; protected stop = () => { } }
enum Mode { A }
namespace N { export function f<T>(x: T): T { return x } }
""",
        [
            ("", "Name", True, "// Names of procedures."),
            ("", "Router", True, ""),
            ("Router", "call", False, ""),
            ("", "router", True, ""),
            ("", "Base", True, ""),
            ("Base", "run", False, ""),
            ("Base", "stop", False, ""),
            ("", "Mode", True, ""),
            ("", "N", True, ""),
            ("N", "f", False, ""),
        ],
    ),
    "a.tsx": (
        "export function View(props: Props) {\n  return <b>{props.name}</b>;\n}\n",
        [("", "View", False, "")],
    ),
}


def find(path: str, text: str | bytes) -> list[tuple[str, str, bool, str]]:
    language = find_language_of(path)
    assert language is not None
    source = text if isinstance(text, bytes) else text.encode()
    return [
        (one.scope, one.name, one.is_type, one.documentation)
        for one in find_definitions(source, language).definitions
    ]


@pytest.mark.parametrize("path", FIXTURES)
def test_each_language_has_its_definitions(path: str) -> None:
    text, expected = FIXTURES[path]
    assert find(path, text) == expected


def test_every_language_has_a_fixture() -> None:
    assert {find_language_of(path) for path in FIXTURES} == set(LANGUAGES)
    assert find_language_of("a.rs") is None and find_language_of("Makefile") is None


def test_code_begins_with_the_words_before_it_and_a_type_ends_early() -> None:
    text = (
        "export const f = async () => {\n  return 1;\n};\nexport class C {\n"
        + "  x = 1;\n" * 90
        + "}"
    )
    language = find_language_of("a.ts")
    assert language is not None
    function, kind = find_definitions(text.encode(), language).definitions
    assert function.code == "export const f = async () => {\n  return 1;\n}"
    assert (function.start_line, function.end_line) == (1, 3)
    assert kind.code.startswith("export class C {\n  x = 1;")
    assert kind.code.count("\n") == TYPE_LINES - 1
    assert (kind.start_line, kind.end_line) == (4, 95)


@pytest.mark.parametrize("path", FIXTURES)
def test_broken_text_gives_what_there_is(path: str) -> None:
    text, _ = FIXTURES[path]
    for broken in (
        b"",
        b"\xff\xfe\x00",
        text.encode()[: len(text) // 2],
        b"{" * 5000,
        b"*/\n" * 99,
    ):
        find(path, broken)
    assert find(path, b"(" * 100_000 + b"a<" * 100_000) == []
    assert find(path, text.replace("\n", "\r")) or path.endswith((".py", ".rb", ".go"))


def test_code_that_a_program_wrote_and_deep_nesting_are_left_out() -> None:
    line = ";".join(f"function f{n}(){{return {n}}}" for n in range(200))
    assert 0 < len(find("a.js", line)) < 30
    depth = 3 * MAXIMUM_AROUND
    deep = "".join(f"function f{n}() {{\n\n" for n in range(depth)) + "}\n" * depth
    assert len(find("a.js", deep)) == MAXIMUM_AROUND + 1


def test_code_of_no_definition_is_found_in_pieces() -> None:
    lines = [
        "// licence",
        "import a",
        "",
        "def f():",
        "  pass",
        "ERR = 1",
        "}",
        "end",
        "def g():",
        "x",
    ]
    text = "\n".join(lines)
    assert list(find_rest(text, [(4, 5), (9, 10)])) == [(6, 8, "ERR = 1\n}\nend")]
    assert list(find_rest(text, [(1, 10)])) == list(find_rest("", [])) == []
    long = "\n".join(f"x{n} = {n}" for n in range(REST_LINES + 1))
    assert [piece[:2] for piece in find_rest(long, [])] == [(1, REST_LINES), (41, 41)]
    assert [piece[:2] for piece in find_rest(long, [(0, 2), (9, 99)])] == [(3, 8)]
