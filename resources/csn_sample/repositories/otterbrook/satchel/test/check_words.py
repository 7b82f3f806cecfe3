from satchel.tools.words import reverse_string, title_case


def check_reverse_string():
    """Check that a string that is reversed twice is itself again."""
    for text in ("", "a", "letter", "été"):
        assert reverse_string(reverse_string(text)) == text


def check_title_case():
    """Check that small words of a title stay small inside it."""
    title = title_case("the house of the rising moon")
    assert title == "The House of the Rising Moon"
