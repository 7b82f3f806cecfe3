"""The similarities without pruning."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ncsbench.code.aroma.similarity import UNPRUNED, similarity_of_sizes


def similarities(**sizes: int) -> dict[str, float]:
    return {name: similarity_of_sizes(i, *sizes.values()) for i, name in enumerate(UNPRUNED)}


def test_formulas() -> None:
    values = similarities(
        common=8, answer=10, method=30, common_distinct=3, answer_distinct=4, method_distinct=9
    )
    assert values == {
        "containment": pytest.approx(0.8),
        "set_containment": pytest.approx(0.75),
        "jaccard": pytest.approx(0.25),
        "dice": pytest.approx(0.4),
        "set_cosine": pytest.approx(0.5),
        "charged_overlap": pytest.approx(0.64),
    }


@pytest.mark.parametrize(("answer", "method"), [(0, 0), (0, 5), (5, 0)])
def test_an_empty_side_gives_zero(answer: int, method: int) -> None:
    values = similarities(
        common=0, answer=answer, method=method,
        common_distinct=0, answer_distinct=min(answer, 1), method_distinct=min(method, 1),
    )  # fmt: skip
    assert set(values.values()) == {0.0}


@given(common=st.integers(1, 50), rest=st.integers(0, 50), others=st.integers(0, 5000))
def test_charged_overlap_is_tverskys_index_with_unequal_weights_dev_38(
    common: int, rest: int, others: int
) -> None:
    """Only the answer has ``rest`` features, only the method ``others``."""
    values = similarities(
        common=common, answer=common + rest, method=common + others,
        common_distinct=1, answer_distinct=1, method_distinct=1,
    )  # fmt: skip
    tversky = common / (common + 7 / 8 * rest + 1 / 8 * others)
    assert values["charged_overlap"] == pytest.approx(tversky)
    assert 0 < values["charged_overlap"] <= 1


def test_charged_overlap_charges_for_length_less_than_dice_dev_38() -> None:
    short, long = (
        similarities(
            common=10, answer=20, method=size,
            common_distinct=1, answer_distinct=1, method_distinct=1,
        )
        for size in (20, 200)
    )  # fmt: skip
    assert long["containment"] == short["containment"]
    assert long["dice"] < long["charged_overlap"] < short["charged_overlap"] == short["dice"]
