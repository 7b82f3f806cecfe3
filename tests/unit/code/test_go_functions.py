"""Functions of Go: each cell of the extraction table."""

from ncsbench.code.functions.function_parser import parse_functions
from ncsbench.code.functions.registry import Rules

FILE = b"""// A licence.

package shop

import "fmt"

// Price is no function.
type Price struct{ cents int }

// Sum adds prices.
//
// It may overflow.
func Sum(prices []Price) int {
\ttotal := 0
\tadd := func(p Price) { total += p.cents }
\tfor _, p := range prices {
\t\tadd(p)
\t}
\treturn total
}

/* Show prints
   a price. @see Sum */
func (p Price) Show() { fmt.Println(p.cents) }

// Nobody reads this.
var zero = Price{}

func plain() int { return 0 }

// The run of comments

// goes on after an empty line.
func (p *Price) reset() { p.cents = 0 }
"""


def parsed(rules: Rules = "as_meant") -> dict[str, tuple[int, int, str, str]]:
    return {
        one.identifier: (one.start_line, one.end_line, one.docstring, one.summary)
        for one in parse_functions(FILE, "go", rules=rules).functions
    }


def test_functions_and_methods_of_the_top_level_dev_121() -> None:
    assert parsed() == {
        "Sum": (13, 20, "Sum adds prices.\n\nIt may overflow.", "Sum adds prices."),
        "Show": (24, 24, "Show prints\na price. @see Sum", "Show prints\na price."),
        "plain": (29, 29, "", ""),
        "reset": (34, 34, *["goes on after an empty line."] * 2),
    }


def test_the_summary_is_cut_before_the_marks_as_released_dev_120() -> None:
    released = parsed("as_released")
    assert released["Sum"][3] == "Sum adds prices.\n\nIt may overflow."
    assert released["Show"][3] == "/* Show prints\na price."


def test_an_empty_line_does_not_end_documentation_as_released_dev_220() -> None:
    assert parsed("as_released")["reset"][2] == "The run of comments\ngoes on after an empty line."


def test_no_name_is_dropped() -> None:
    source = b"package a\n\nfunc String() {}\n\nfunc init() {}\n\nfunc TestA() {}\n\nfunc _() {}\n"
    functions = parse_functions(source, "go").functions
    assert [one.name for one in functions] == ["String", "init", "TestA", "_"]
