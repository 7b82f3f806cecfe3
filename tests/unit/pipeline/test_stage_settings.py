"""Settings files: each is read with the type that wrote it, and the start of a run stays light."""

import json
import subprocess
import sys
from pathlib import Path
from typing import get_type_hints

import pytest
import yaml

from ncsbench.base.configuration.strict_model import StrictModel
from ncsbench.corpus.layout.corpus_settings import CorpusSettings, WordOptions
from ncsbench.evaluation.statistics.evaluation_options import MatchSettings, StudySettings
from ncsbench.pairs.training_pairs.pair_options import (
    DerivedOptions,
    DocstringOptions,
    FileOptions,
    PostPairSettings,
    ThreadSettings,
)
from ncsbench.pipeline.freshness.stage_command import find_function
from ncsbench.pipeline.runs.run import load_run
from ncsbench.pipeline.trials.variants import take_part
from ncsbench.posts.dump.dump_options import PostSettings
from ncsbench.posts.questions.selection_options import (
    CandidateSettings,
    QuestionSettings,
    SelectSettings,
)
from ncsbench.rankers.learnt_kinds import LEARNT
from ncsbench.rankers.ranker_options import RankerSettings, RetrievalSettings
from ncsbench.studies.ncs_2018.micro_options import (
    MicroTableSettings,
    QuerySettings,
)
from ncsbench.studies.ncsed.table_settings import TableSettings

PAIRS: dict[str, type[StrictModel]] = {
    "posts": PostPairSettings,
    "docstrings": DocstringOptions,
    "file": FileOptions,
    "derived": DerivedOptions,
}
TYPES: dict[str, type[StrictModel]] = {
    "corpus": CorpusSettings,
    "words": WordOptions,
    "posts": PostSettings,
    "questions": QuestionSettings,
    "threads": ThreadSettings,
    "selection/candidates": CandidateSettings,
    "selection/matches": MatchSettings,
    "selection/questions": SelectSettings,
    "models": RankerSettings,
    "retrieval": RetrievalSettings,
    "matches": MatchSettings,
    "table": TableSettings,
    "micro_benchmark/queries": QuerySettings,
    "micro_benchmark/retrieval": RetrievalSettings,
    "micro_benchmark/table": MicroTableSettings,
    "study/matches": MatchSettings,
    "study/tables": StudySettings,
}
LEARNT_TYPES: dict[str, type[StrictModel]] = {
    str(Path(kind.place).parent): get_type_hints(find_function(kind.stage or name))["settings"]
    for name, kind in LEARNT.items()
    if kind.settings
}
HEAVY = ("pandas", "pyarrow", "numba", "torch", "scipy", "sklearn")


@pytest.mark.parametrize("dataset", ["sample", "sample_full"])
def test_what_is_written_is_read_back(root: Path, tmp_path: Path, dataset: str) -> None:
    config = yaml.safe_load((root / "config/config.yaml").read_text())
    mine = tmp_path / "mine.yaml"
    mine.write_text("kind: fused\ntrained_on: x\nparts: {bm25f: fused_bm25f}\n")
    config["models"] += ["nbow", "fused_translation_docstrings", str(mine)]
    run = load_run(config | {"dataset": dataset}, root=root)
    read: set[type[StrictModel]] = set()
    types: dict[str, type[StrictModel]] = {**TYPES, **LEARNT_TYPES}
    for path, written in run.settings.items():
        name = path.removeprefix(f"{dataset}/settings/").removesuffix(".json")
        kind = types.get(name) or types.get(name.split("/")[0])
        if name.startswith("pairs/"):
            kind = PAIRS[written["kind"]]
        if kind is not None:
            read.add(kind)
            content = json.loads(json.dumps(written))
            assert kind.parse(content, where=path).as_json() == content
    assert set(run.settings) - {"configured.json"}
    assert read >= set(TYPES.values()) | {PostPairSettings, DocstringOptions}
    learnt = {kind.__name__ for kind in LEARNT_TYPES.values() if kind in read}
    assert learnt >= {"ExpansionSettings", "TranslationSettings", "PairEncoderSettings"}


def test_the_names_of_artifacts_are_those_they_have_always_had(root: Path) -> None:
    config = yaml.safe_load((root / "config/config.yaml").read_text())
    run = load_run(config | {"dataset": "sample_full"}, root=root)
    assert {index.keys["words"] for index in run.indexes.values()} == {"3516b885"}
    keys = {name: run.runs[name] for name in ("ncs", "ncs-seed2020", "unif_github_c-seed2021")}
    assert [one.keys.get("embedding") for one in keys.values()] == [
        "d2976b77",
        "45f5f0a8",
        "886fe5f4",
    ]
    assert run.runs["unif_github_c-seed2021"].keys.get("weights") == "30309a1f"
    assert run.runs["unif_github_c"].keys.get("weights") == "10524589"
    part = take_part(run.runs["unif_github_c"], "pairs", 32)
    assert part is not None and part.keys.get("weights") == "12984c0c"
    learnt = {
        name: run.runs[name].keys.get("query_vectors") for name in ("unif_github_c", "unif_both_c")
    }
    assert learnt == {"unif_github_c": "715cbd38", "unif_both_c": "bba168b4"}
    assert run.runs["ncs"].keys.get("query_vectors") is None
    # A table of split words; of whole names, as up to version 0.2.2, it is c43ef47d.
    assert run.runs["ncs_expanded"].keys.get("expansion") == "31e1bc47"


@pytest.mark.parametrize(
    "program",
    [
        "import yaml, pathlib; from ncsbench.pipeline.runs import run;"
        "config = yaml.safe_load(pathlib.Path('config/config.yaml').read_text());"
        "run.load_run(config, root=pathlib.Path())",
        *(f"import ncsbench.pipeline.runs.{module}" for module in ("cleaning_run", "csn_run")),
    ],
)
def test_the_start_of_a_run_imports_nothing_that_takes_long(root: Path, program: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", f"{program}; import sys; print(*sys.modules)"],
        env={"PYTHONPATH": str(root / "workflow"), "PATH": ""},
        capture_output=True,
        text=True,
        check=True,
    )
    loaded = set(done.stdout.split())
    assert "ncsbench.pipeline.runs" in loaded and not set(HEAVY) & loaded
