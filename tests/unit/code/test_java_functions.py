"""Functions of Java: each cell of the extraction table."""

import pytest

from ncsbench.code.functions.function_parser import parse_functions

FILE = b"""package shop;

/** A class. */
@Entity
public class Price {
    /** Cents. */
    private int cents;

    /**
     * Adds prices.
     *
     * @param other another one
     */
    @Deprecated
    public Price add(Price other) {
        return new Price(cents + other.cents) {
            void inside() {
                run();
            }
        };
    }

    // The first line.
    // The second line.
    int twice() {
        return 2 * cents;
    }

    /* Plain. */
    int thrice() {
        return 3 * cents;
    }

    public Price(int cents) {
        this.cents = cents;
    }

    int oneLine() { return cents; }

    abstract int noBody();

    public String toString() {
        return "";
    }

    class Nested {
        int hidden() {
            return 1;
        }
    }
}

interface Shop {
    default int price() {
        return 1;
    }
}

enum Kind {
    A;

    int number() {
        return 1;
    }
}

class Second {
    int taken() {
        return 1;
    }
}
"""


def test_methods_of_classes_of_the_top_level_dev_121() -> None:
    parsed = parse_functions(FILE, "java")
    found = [(one.identifier, one.start_line, one.end_line) for one in parsed.functions]
    assert found == [
        ("Price.add", 14, 21),
        ("Price.twice", 25, 27),
        ("Price.thrice", 30, 32),
        ("Price.noBody", 40, 40),
        ("Second.taken", 68, 70),
    ]
    assert dict(parsed.dropped) == {"body on one line": 1, "name": 1}
    assert parsed.functions[0].name == "add"


def test_the_one_comment_just_before_documents() -> None:
    functions = {one.name: one for one in parse_functions(FILE, "java").functions}
    assert functions["add"].docstring == "Adds prices.\n\n@param other another one"
    assert functions["add"].summary == "Adds prices."
    assert functions["add"].docstring_tokens == ["Adds", "prices", "."]
    assert functions["twice"].docstring == "The second line."
    assert functions["thrice"].docstring == "Plain."
    assert functions["noBody"].docstring == ""


def test_a_plain_comment_keeps_its_opening_as_released_dev_120() -> None:
    parsed = parse_functions(FILE, "java", rules="as_released")
    assert {one.name: one.docstring for one in parsed.functions}["thrice"] == "/* Plain."


@pytest.mark.parametrize("name", "toString hashCode equals finalize notify notifyAll clone".split())
def test_names_that_are_dropped(name: str) -> None:
    source = f"class A {{\n  int {name}() {{\n    return 1;\n  }}\n}}".encode()
    parsed = parse_functions(source, "java")
    assert (parsed.functions, dict(parsed.dropped)) == ([], {"name": 1})


def test_a_string_or_comment_is_one_token() -> None:
    source = b'class A {\n  @B("c d") int f() {\n    // e f\n    return "g \\" h" + \'i\';\n  }\n}'
    (function,) = parse_functions(source, "java").functions
    assert function.code_tokens == [
        *("@", "B", "(", '"c d"', ")", "int", "f", "(", ")", "{", "// e f"),
        *("return", '"g \\" h"', "+", "'i'", ";", "}"),
    ]
