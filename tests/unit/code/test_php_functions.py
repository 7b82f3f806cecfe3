"""Functions of PHP: each cell of the extraction table."""

import pytest

from ncsbench.code.functions.function_parser import parse_functions

FILE = b"""<html>
<?php
namespace Shop;

/** A function is none. */
function free() {
    return 1;
}

/** A class. */
abstract class Price extends Base {
    /** Cents. */
    private $cents;

    /**
     * Adds prices.
     *
     * @param Price $other
     */
    public function add(Price $other): Price {
        return array_map(function ($x) { return $x; }, [$other]);
    }

    # The first line.
    // The second line.
    function one() { return 1; }

    #[Pure]
    function two() { return 2; }

    abstract function noBody();

    public function __construct() {
        $this->cents = 0;
    }

    function missing() { return new class { function hidden() { return 1; } }; }
}

trait Adds {
    /** Sums. */
    function sum() { ?> <b><?= $this->x ?></b> <?php }
}

interface Shop {
    function price();
}

if (true) {
    class Late {
        function hidden() { return 1; }
    }
}
"""


def test_methods_of_classes_and_traits_of_the_top_level_dev_121() -> None:
    parsed = parse_functions(FILE, "php")
    found = [(one.identifier, one.start_line, one.end_line) for one in parsed.functions]
    assert found == [
        ("Price.add", 20, 22),
        ("Price.one", 26, 26),
        ("Price.two", 28, 29),
        ("Price.noBody", 31, 31),
        ("Price.missing", 37, 37),
        ("Adds.sum", 42, 42),
    ]
    assert dict(parsed.dropped) == {"name": 1}


def test_the_one_comment_just_before_documents() -> None:
    functions = {one.name: one for one in parse_functions(FILE, "php").functions}
    assert functions["add"].docstring == "Adds prices.\n\n@param Price $other"
    assert functions["add"].summary == "Adds prices."
    assert functions["one"].docstring == "The second line."
    assert functions["two"].docstring == ""
    assert functions["sum"].docstring == "Sums."


@pytest.mark.parametrize(
    "name",
    [
        *("__construct", "__destruct", "__call", "__callStatic", "__get", "__set", "__isset"),
        *("__unset", "__sleep", "__wakeup", "__toString", "__invoke", "__set_state", "__clone"),
        *("__debugInfo", "__serialize", "__unserialize"),
    ],
)
def test_magic_methods_are_dropped(name: str) -> None:
    source = f"<?php class A {{ function {name}() {{ return 1; }} }}".encode()
    parsed = parse_functions(source, "php")
    assert (parsed.functions, dict(parsed.dropped)) == ([], {"name": 1})


def test_strings_with_variables_and_heredocs_are_one_token() -> None:
    source = b"""<?php class A { function f() { return "a {$b} $c" . 'd' . <<<E
e $f
E
    . $this->g(\\H::I, (int) $j) /* k */; } }"""
    (function,) = parse_functions(source, "php").functions
    assert function.code_tokens == [
        *(
            "function",
            "f",
            "(",
            ")",
            "{",
            "return",
            '"a {$b} $c"',
            ".",
            "'d'",
            ".",
            "<<<E\ne $f\nE",
        ),
        *(".", "$", "this", "->", "g", "(", "\\", "H", "::", "I", ",", "(", "int", ")", "$", "j"),
        *(")", "/* k */", ";", "}"),
    ]
