from kitbag.dates import parse_date
from kitbag.lists import binary_search


def check_parse_date():
    """Check that a date string in two formats gives one date."""
    first = parse_date("2021-03-04")
    second = parse_date("04.03.2021")
    assert first == second


def check_binary_search():
    """Check that the binary search finds each value of a sorted list."""
    values = [2, 3, 5, 7, 11]
    for position, value in enumerate(values):
        assert binary_search(values, value) == position
