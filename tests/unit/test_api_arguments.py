"""Arguments of the Python interface that are of another kind end in one line."""

from numbers import Integral, Real
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ncsbench import create_ranker, judge_rankings, load_corpus
from ncsbench.base.runs.ranking_frames import check_argument
from ncsbench.errors import ConfigurationError


def test_a_path_in_place_of_a_corpus_is_one_line() -> None:
    message = r"^corpus: must be what load_corpus returns, not str$"
    wrong: Any = "data/sample/corpus"
    with pytest.raises(ConfigurationError, match=message):
        create_ranker("bm25", wrong)
    with pytest.raises(ConfigurationError, match=message):
        judge_rankings(wrong, wrong, wrong)
    nothing: Any = None
    with pytest.raises(ConfigurationError, match=r"^folder: must be a text or Path, not NoneType$"):
        load_corpus(nothing)


@pytest.mark.parametrize(
    ("value", "kind", "message"),
    [
        ("a", Integral, "x: must be a whole number, not str"),
        (True, Integral, "x: must be a whole number, not bool"),
        (2.0, Integral, "x: must be a whole number, not float"),
        (0, Integral, "x: must be at least 1 and finite, not 0"),
        (float("nan"), Real, "x: must be at least 1 and finite, not nan"),
        (float("inf"), Real, "x: must be at least 1 and finite, not inf"),
        (None, str | Path, "x: must be a text or Path, not NoneType"),
    ],
)
def test_an_argument_of_another_kind_is_one_line(value: Any, kind: Any, message: str) -> None:
    with pytest.raises(ConfigurationError) as error:
        check_argument("x", value, kind, least=1)
    assert str(error.value) == message


def test_numbers_of_numpy_are_numbers() -> None:
    check_argument("x", np.int64(3), Integral, least=1)
    check_argument("x", np.float32(0.25), Real, least=0)
