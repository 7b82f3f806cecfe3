"""Full names of methods in what is asked."""

import pytest

from ncsbench.base.text.elasticsearch_analyzers import find_full_names, join_name


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Keyboard.hide", ["keyboard.hide"]),
        ("what does Keyboard#hide() do", ["keyboard.hide"]),
        ("map Keyboard::hide, or Keyboard.hide.", ["keyboard.hide"]),
        ("a.b.Keyboard.hide", ["a.b", "b.keyboard", "keyboard.hide"]),
        ("close it. Then read.", []),
        ("..", []),
    ],
)
def test_full_names_by_example(text: str, names: list[str]) -> None:
    assert find_full_names(text) == names


def test_a_method_has_the_name_that_is_asked_for() -> None:
    assert find_full_names("Keyboard.hide") == [join_name("Keyboard", "hide")]
