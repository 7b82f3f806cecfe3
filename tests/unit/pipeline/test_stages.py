"""Stages: functions that rules call by name, with options made of the names of their files."""

import inspect
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Literal, get_type_hints

import pytest

from ncsbench.base.configuration.strict_model import StrictModel
from ncsbench.errors import ConfigurationError
from ncsbench.pipeline.freshness.stage_command import (
    describe_stages,
    find_function,
    list_stages,
    make_parser,
    options,
    read_option,
    run_stage,
)
from tests.workflow_rules import read_rules

RULE = re.compile(
    r'"ncsbench stage (\w+)(?: --threads \{threads\})? \{params\.options\} 2> \{log\}"'
)


class Named(dict[str, Any]):
    """Files as Snakemake gives them: those with a name by name, and all by number."""

    def __init__(self, *unnamed: str, **named: Any) -> None:
        super().__init__(named)
        self.unnamed = unnamed

    def __len__(self) -> int:
        return len(self.unnamed) + super().__len__()

    def __getitem__(self, key: Any) -> Any:
        return self.unnamed[key] if isinstance(key, int) else super().__getitem__(key)


class Settings(StrictModel):
    depth: int


def take(
    settings: Settings,
    pairs: Sequence[Path],
    output: Path,
    part: Mapping[str, Path] | None = None,
    kind: Literal["a", "b"] = "a",
    share: float = 0.5,
    deeper: bool = False,
) -> None:
    """Take all kinds of values.

    Args:
        settings: how.
        pairs: files of pairs,
            which may be many.
        output: file to write, 100 % of it.
        part: index of each part.
    """


@pytest.mark.parametrize("name", list_stages())
def test_a_stage_says_what_it_does_and_what_each_option_is(name: str) -> None:
    function = find_function(name)
    text = inspect.getdoc(function) or ""
    assert re.match(r"[A-Z][a-z]+ .*\.$", text.partition("\n")[0]), text
    parser = make_parser(name, function)  # all types are known at run time
    assert [action.dest for action in parser._actions if not action.help] == []


def test_every_stage_is_called_by_a_rule_and_by_its_literal_name(root: Path) -> None:
    texts = read_rules(root).values()
    called = {name for text in texts for name in RULE.findall(text)}
    assert called == set(list_stages())
    assert sum(text.count("ncsbench stage ") for text in texts) == sum(
        len(RULE.findall(text)) for text in texts
    )


def test_options_come_from_names_and_empty_ones_are_left_out() -> None:
    files = Named("shard.parquet", code="code.json", settings="s.json", pairs=["a", "b c"], old=[])
    made = options(
        shard="{shard}",
        part=lambda wildcards: {"x": f"index-{wildcards.shard}"},
        deeper=True,
        no="",
    )
    wildcards = SimpleNamespace(shard="0001", items=lambda: [("shard", "0001")])
    assert made(wildcards, files, Named("out.csv")) == (
        "--settings s.json --pairs a --pairs 'b c' --output out.csv --shard 0001"
        " --part x=index-0001 --deeper"
    )
    assert options()(wildcards, Named(), Named("a", "b")) == ""
    assert options(output="x")(wildcards, Named(), Named("a", run="r")) == "--run r --output x"


def test_values_come_from_the_types_of_parameters(tmp_path: Path) -> None:
    settings = tmp_path / "settings.json"
    settings.write_text('{"depth": 3}')
    hints = get_type_hints(take)
    assert read_option([str(settings)], hints["settings"]) == Settings(depth=3)
    assert read_option(["a", "b"], hints["pairs"]) == [Path("a"), Path("b")]
    assert read_option(["x=a/b=c"], hints["part"]) == {"x": Path("a/b=c")}
    assert read_option(["b"], hints["kind"]) == "b"
    assert read_option([".25"], hints["share"]) == 0.25
    assert read_option(["true"], hints["deeper"]) is True
    with pytest.raises(ValueError, match="'flat' must be NAME=PATH"):
        read_option(["flat"], hints["part"])
    with pytest.raises(ValueError, match="is given more than once"):
        read_option(["a", "b"], Path)
    settings.write_text('{"dept": 3}')
    with pytest.raises(ConfigurationError, match=r"settings\.json"):
        read_option([str(settings)], Settings)


def test_help_has_the_docstring(capsys: pytest.CaptureFixture[str]) -> None:
    text = " ".join(make_parser("take", take).format_help().split())
    assert "Take all kinds of values." in text
    assert "--pairs VALUE files of pairs, which may be many." in text
    assert "100 % of it" in text
    run_stage(["--help"])
    assert capsys.readouterr().out == f"{describe_stages()}\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["embeding"], "error: there is no stage 'embeding'; did you mean 'embedding'?"),
        (["embedding", "--words", "x"], "required: --settings, --output"),
        (["embedding", "--word", "x"], "--word"),
        (["published_table1", *"--printed x --printed y --sheet s --output z".split()], "more th"),
    ],
)
def test_a_wrong_call_names_its_mistake(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as end:
        run_stage(arguments)
    assert end.value.code == 2
    assert message in capsys.readouterr().err
