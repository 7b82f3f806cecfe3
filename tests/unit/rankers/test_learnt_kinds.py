"""The table of what is learnt: what it names is there, and an index takes nothing else."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import get_args

import pytest

from ncsbench.corpus.layout.documents import save_documents
from ncsbench.errors import ConfigurationError
from ncsbench.rankers.learnt_kinds import INPUTS, LEARNT, LearntBlocks, list_loaders
from ncsbench.rankers.model_index import make_index
from ncsbench.rankers.protocol import FitInputs
from ncsbench.rankers.ranker_options import RankerSettings, RankerSpecification
from tests.synthetic_documents import make_documents


def test_every_kind_has_a_block_and_functions_that_are_there() -> None:
    assert {kind.block for kind in LEARNT.values()} == LearntBlocks.model_fields.keys()
    for kind in LEARNT.values():
        for name in (kind.learnt_by, *(one.loaded_by for one in kind.inputs.values())):
            module, function = name.split(":")
            assert callable(getattr(import_module(f"ncsbench.{module}"), function))
        assert set(kind.learnt_from) <= {"words", "pairs", *LEARNT}
        block = get_args(LearntBlocks.model_fields[kind.block].annotation)[0]
        assert ("pairs" in kind.learnt_from) == ("pairs" in block.model_fields)
        assert kind.place.format("0123abcd") != kind.place


def test_every_input_of_fit_has_a_remedy_and_comes_of_one_kind() -> None:
    inputs = [name for kind in LEARNT.values() for name in kind.inputs]
    assert sorted([*inputs, "methods"]) == sorted(FitInputs.__annotations__) == sorted(INPUTS)
    assert all(one.what and one.added_by.startswith("a ") for one in INPUTS.values())
    lent = [name for name, kind in LEARNT.items() if kind.inputs]
    assert list(list_loaders()) == [f"learnt-{name}" for name in lent]


def test_an_index_takes_no_other_kind(tmp_path: Path) -> None:
    save_documents(make_documents(["a file"]), tmp_path / "words")
    settings = RankerSettings(ranker=RankerSpecification(kind="bm25"), seed=1)
    with pytest.raises(ConfigurationError, match=r"--learnt embeding: no kind; .*'embedding'"):
        make_index(
            settings,
            words=tmp_path / "words",
            learnt={"embeding": tmp_path},
            output=tmp_path / "index",
        )
