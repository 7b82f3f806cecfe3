"""Agreement of two readers."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ncsbench.questions.reader_agreement import cohen_kappa, compare_readers, describe_agreement

READERS = st.dictionaries(st.text("ab0", min_size=1, max_size=2), st.booleans(), max_size=12)


def readers(letters: tuple[str, str]) -> tuple[dict[str, bool], dict[str, bool]]:
    """Readers from a string of y and n each, one letter an item."""
    first, second = letters
    return (
        {str(i): letter == "y" for i, letter in enumerate(first)},
        {str(i): letter == "y" for i, letter in enumerate(second)},
    )


def test_kappa_of_a_table_computed_by_hand() -> None:
    # 20 both yes, 5 first only, 10 second only, 15 both no, as in textbooks:
    # observed 35/50, expected 25/50 * 30/50 + 25/50 * 20/50 = 0.5, kappa (0.7 - 0.5) / 0.5.
    both = readers(("y" * 25 + "n" * 25, "y" * 20 + "n" * 5 + "y" * 10 + "n" * 15))
    agreement = compare_readers(*both)
    counts = (agreement.both_yes, agreement.first_only, agreement.second_only, agreement.both_no)
    assert counts == (20, 5, 10, 15)
    assert agreement.observed == 0.7
    assert agreement.kappa == pytest.approx(0.4, abs=1e-15)


def test_kappa_equals_the_formula_by_weights_of_the_confusion() -> None:
    # scikit-learn computes 1 - sum(w * confusion) / sum(w * expected) with w = 1 off the diagonal.
    # [[3, 2], [1, 4]] of 10: expected off the diagonal 5 * 6 / 10 + 5 * 4 / 10 = 5; 1 - 3 / 5.
    both = readers(("nnnnnyyyyy", "nnnyynyyyy"))
    assert cohen_kappa(*both) == pytest.approx(0.4, abs=1e-15)


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [("yn", "yn", 1.0), ("yn", "ny", -1.0), ("yy", "nn", 0.0), ("yyyn", "yyyy", 0.0)],
)
def test_extremes(first: str, second: str, expected: float) -> None:
    assert cohen_kappa(*readers((first, second))) == expected


@pytest.mark.parametrize(("first", "second"), [("yyy", "yyy"), ("n", "n"), ("", ""), ("", "y")])
def test_kappa_is_undefined_without_variation_or_items(first: str, second: str) -> None:
    agreement = compare_readers(*readers((first, second)))
    assert agreement.kappa is None
    assert any("kappa: undefined, since" in line for line in describe_agreement(agreement))


@given(READERS, READERS)
def test_kappa_is_symmetric_and_at_most_one(
    first: dict[str, bool], second: dict[str, bool]
) -> None:
    kappa = cohen_kappa(first, second)
    assert kappa == cohen_kappa(second, first)
    assert kappa is None or -1 <= kappa <= 1


def test_ids_in_disagreement_and_judged_by_one_are_named() -> None:
    first = {"7": True, "8": True, "9": False, "1": True}
    second = {"8": False, "9": False, "3": True, "7": True}
    assert describe_agreement(compare_readers(first, second)) == [
        "judged by both: 3",
        "kept by both: 1",
        "kept by the first only: 1",
        "kept by the second only: 0",
        "kept by neither: 1",
        "observed agreement: 0.6667",
        "Cohen's kappa: 0.4000",
        "disagreement: 8",
        "judged by the first only: 1",
        "judged by the second only: 3",
    ]
