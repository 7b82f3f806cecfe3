"""Functions of Ruby: each cell of the extraction table."""

import pytest

from ncsbench.code.functions.function_parser import parse_functions
from ncsbench.code.functions.registry import Function

FILE = b"""require 'set'

# A shop.
module Shop
  # Of the module alone.
  def self.open; end

  def direct
    1
  end

  # A price.
  class Price < Base
    # Adds prices.
    #
    # @param other another one
    def add(other)
      @cents + other.cents
    end

    attr_reader :cents

    # The run of comments

    ## goes on after an empty line.
    def show?
      true
    end

    # Of a name.
    CENTS = 1
    def plain; 1 end

    # No method of an instance.
    def self.make; 1 end

    class << self
      def inside; 1 end
    end

    private def hidden; 1 end

    class Deep
      def nested; 1 end
    end
  end

  module Tools::Sharp
    # Cuts.
    def cut=(value)
      @value = value
    end
  end

  module Empty; end
end

class Lonely
  def outside; 1 end
end

def top; 1 end
"""


def functions(source: bytes = FILE) -> list[Function]:
    return parse_functions(source, "ruby").functions


def in_class(text: str) -> list[Function]:
    return functions(f"module A\n  class B\n{text}\n  end\nend\n".encode())


def test_methods_of_classes_and_modules_in_a_module_of_the_top_level() -> None:
    assert [(one.name, one.identifier, one.start_line, one.end_line) for one in functions()] == [
        ("add", "Shop.Price.add", 17, 19),
        ("show?", "Shop.Price.show?", 26, 28),
        ("plain", "Shop.Price.plain", 32, 32),
        ("hidden", "Shop.Price.hidden", 41, 41),
        ("cut=", "Shop.Tools::Sharp.cut=", 50, 52),
    ]


def test_the_run_of_comments_before() -> None:
    assert [(one.docstring, one.summary) for one in functions()] == [
        ("Adds prices.\n\n@param other another one", "Adds prices."),
        (*["The run of comments\ngoes on after an empty line."] * 2,),
        ("", ""),
        ("", ""),
        ("Cuts.", "Cuts."),
    ]


def test_a_comment_behind_the_head_of_a_class_is_of_the_first_method_dev_129() -> None:
    source = b"module A # first\n  class B # second\n    # third\n    def c; 1 end\n  end\nend\n"
    (released,) = parse_functions(source, "ruby", rules="as_released").functions
    assert released.docstring == "second\nthird"
    assert functions(source)[0].docstring == "third"


@pytest.mark.parametrize(
    "words",
    [
        *("private def", "public def", "protected def", "private(def", "module_function def"),
        *("memoize def", "private memoize def", "Memo.wrap def", "memoize :ttl, def", "a b c, def"),
    ],
)
def test_methods_that_are_arguments_of_calls_dev_222(words: str) -> None:
    text = f"# Greases.\n{words} d(e) f; g end{')' if '(' in words else ''}\ndef h; 1 end"
    found = [(one.identifier, one.start_line, one.docstring) for one in in_class(text)]
    assert found == [("A.B.d", 4, "Greases."), ("A.B.h", 5, "")]
    source = f"module A\n  class B\n{text}\n  end\nend\n".encode()
    released = parse_functions(source, "ruby", rules="as_released")
    assert [one.identifier for one in released.functions] == ["A.B.h"]
    assert dict(released.dropped) == {"argument of a call": 1}


def test_singletons_and_blocks_of_calls_stay_out_dev_222() -> None:
    text = "private_class_method def self.d; 1 end\nincluded do\n  def e; 1 end\nend"
    assert in_class(text) == []


NESTED = {
    "one": "puts <<~O\n  a #{<<~I}\n    b\n  I\n  c\nO",
    "in a call": "puts <<~O\n  a #{f(<<-I).strip} c\n    b\n    I\nO",
    "two outer ones": "f(<<~O, <<~P)\n  a\nO\n  a #{<<~I}\n  b\n  I\nP",
    "over lines": 'puts <<~"O"\n  #{g.map do |i|\n    <<~I\n      #{i}\n    I\n  end}\nO',
    "three": "puts <<~O\n  #{<<~I}\n    #{<<~J}\n      b\n    J\n  I\nO",
}


@pytest.mark.parametrize("kind", NESTED)
def test_heredocs_inside_each_other_dev_222(kind: str) -> None:
    text = f"def d; 1 end\n# Paints.\ndef e\n{NESTED[kind]}\nend\n# After.\ndef f; 2 end"
    source = f"module A\n  class B\n{text}\n  end\nend\n".encode()
    parsed = parse_functions(source, "ruby")
    found = [(one.identifier, one.docstring) for one in parsed.functions]
    assert found == [("A.B.d", ""), ("A.B.e", "Paints."), ("A.B.f", "After.")]
    assert parsed.functions[1].code == f"def e\n{NESTED[kind]}\nend"
    released = parse_functions(source, "ruby", rules="as_released")
    assert not released.functions
    assert released.has_errors
    assert released.dropped["syntax error"] >= 2  # those that the parser still sees


def test_comments_between_begin_and_end_dev_220() -> None:
    (function,) = in_class("=begin\nPaints.\n\nMore.\n=end\ndef d; 1 end")
    assert (function.docstring, function.summary) == ("Paints.\n\nMore.", "Paints.")


@pytest.mark.parametrize(
    "name",
    "initialize to_text display dup clone equal? == <=> === <= < > >= between? eql? hash".split(),
)
def test_names_that_are_dropped(name: str) -> None:
    source = f"module A\n  class B\n    def {name}(c) d; e end\n    def f; 1 end\n  end\nend\n"
    parsed = parse_functions(source.encode(), "ruby")
    assert [function.name for function in parsed.functions] == ["f"]
    assert parsed.dropped == {"name": 1}


def test_a_file_with_an_error_at_its_top_is_left_out() -> None:
    source = b"module A\n  class B\n    def c; 1 end\n  end\nend\n"
    parsed = parse_functions(source + b"]]] %\n", "ruby")
    assert (parsed.functions, parsed.dropped) == ([], {"syntax error": 1})
    inside = source.replace(b"def c", b"d = = 1\n    def c")
    assert parse_functions(inside, "ruby").has_errors
    assert [function.name for function in functions(inside)] == ["c"]


def test_tokens_of_literals_dev_127() -> None:
    (function,) = in_class(
        """def c(d)
  # e
  x = "f #{g} h" + 'i' + <<~END + `ls -l`
    j #{k}
  END
  y[:l] = {m: :"n o", "p" => /q[r] #{s}/i, t: %w(u v), w: ?x}
  z&.a ||= @b
end"""
    )
    assert function.code_tokens == [
        *("def", "c", "(", "d", ")", "# e", "x", "=", '"f #{g} h"', "+", "'i'", "+"),
        *("<<~END", "+", "`ls -l`", "j #{k}\n  END", "y", "[", ":l", "]", "=", "{"),
        *("m", ":", ':"n o"', ",", '"p"', "=>", "/q[r] #{s}/i", ",", "t", ":"),
        *("%w(", "u", "v", ")", ",", "w", ":", "?x", "}", "z", "&.", "a", "||=", "@b", "end"),
    ]
