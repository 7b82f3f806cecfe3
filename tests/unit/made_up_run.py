"""A made-up run of a workflow: a few files, and the records Snakemake would have of their jobs."""

import base64
import hashlib
import json
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from ncsbench.evaluation.measures import per_question, results

SETTINGS = Path("data/toy/settings")
METADATA = Path(".snakemake/metadata")
MODELS = [
    {"name": "bm25", "replicates": [], "weights": None},
    {"name": "ncs", "replicates": ["ncs-seed2"], "weights": "0a"},
]
HALVES = [{"model": "ncs", "whole": ["ncs"], "half": ["ncs-half"], "reason": "fewer_pairs"}]
RUNS = ("bm25", "ncs", "ncs-half", "ncs-seed2")
TABLE = "results/toy/table1.csv"
FIGURES = "judge,threshold,answered_1,mrr,verdict_mrr,published_as,published_mrr,training_pairs"
TABLE1 = f"dataset,model,{FIGURES}\n" + "\n".join(
    [
        "toy,bm25,dice,0.25,0,0.166667,,,,",
        "toy,ncs,dice,0.25,1,0.500000,equal,NCS,0.5,7",
        "toy,ceiling,dice,0.25,3,1.000000,,,,",
        "",
    ]
)
FIRST_RANKS = {"bm25": [0, 2, 60], "ncs": [1, 2, 0], "ncs-seed2": [3, 3, 3]}
"""Of three questions."""


def write_file(path: str, text: str) -> None:
    """Write a file and the folders above it."""
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    Path(path).write_text(text, encoding="utf-8")


def write_per_question() -> None:
    """Write what every run reached on every question, beside the table."""
    per_question.write_per_question(
        Path("results/toy/per_question.parquet"),
        questions=pa.table(
            {"query_id": pa.array([7, 8, 9], pa.int32()), "stackoverflow_id": ["70", "80", "90"]}
        ),
        first_ranks={
            results.Judge(similarity, 0.25): {
                run: np.array(ranks[::step], np.int32) for run, ranks in FIRST_RANKS.items()
            }
            for similarity, step in (("dice", 1), ("containment", -1))
        },
        replicate_of={"ncs-seed2": "ncs"},
        published_ranks={},
    )


def write_record(output: str, rule: str, inputs: list[str], **changes: Any) -> Path:
    """Write the record of an output as Snakemake does."""
    name = base64.urlsafe_b64encode(output.encode()).decode()
    pieces = [name[start : start + 254] for start in range(0, len(name), 254)]
    path = METADATA.joinpath(*(f"@{piece}" for piece in pieces[:-1]), pieces[-1])
    path.parent.mkdir(parents=True, exist_ok=True)
    record = {
        "rule": rule,
        "input": sorted(inputs),
        "shellcmd": f"ncsbench {rule} --seed 1",
        "params": [],
        "starttime": 1000.5,
        "endtime": 1003.75,
        "incomplete": False,
        "input_checksums": {},
    }
    path.write_text(json.dumps(record | changes))
    return path


def make_run() -> None:
    """Questions, a folder, a temporary part, runs and a table, in the working directory."""
    write_file("raw/questions.json", "[1, 2]")
    write_file("raw/list.csv", "owner,repo\n")
    write_file("published/figures.csv", "0.5\n")
    code = {"command": "x", "modules": {"ncsbench.words": "00ff"}, "packages": {"numpy": "2.4.6"}}
    for rule in ("words", "retrieve", "tables"):
        write_file(f"{SETTINGS}/code/{rule}.json", json.dumps(code))
    state = {"path": "raw/list.csv", "sha256": hashlib.sha256(b"owner,repo\n").hexdigest()}
    write_file(f"{SETTINGS}/inputs/repositories.json", json.dumps(state))
    write_file(f"{SETTINGS}/words.json", '{"seed": 2019, "class_name": true, "more": [1, null]}')
    write_file(f"{SETTINGS}/table.json", json.dumps({"models": MODELS, "ablations": HALVES}))
    write_file("data/toy/words/tokens.npy", "tokens")
    write_file("data/toy/words/.snakemake_timestamp", "")
    write_file("data/toy/words/deep/offsets.npy", "offsets")
    write_record(
        "data/toy/part.parquet", "extract", [f"{SETTINGS}/inputs/repositories.json", "raw/list.csv"]
    )
    write_record(
        "data/toy/words",
        "words",
        ["data/toy/part.parquet", f"{SETTINGS}/words.json", f"{SETTINGS}/code/words.json"],
        input_checksums={"data/toy/part.parquet": "sha256:" + "ab" * 32},
    )
    for run in RUNS:
        write_file(f"results/toy/runs/{run}.trec", run)
        inputs = ["data/toy/words", "raw/questions.json", f"{SETTINGS}/code/retrieve.json"]
        write_record(
            f"results/toy/runs/{run}.trec", "retrieve", inputs, shellcmd=f"retrieve --tag {run}"
        )
    write_file("data/toy/matches.parquet", "matches")
    write_record("data/toy/matches.parquet", "match", ["raw/questions.json"])
    write_file(TABLE, TABLE1)
    write_file("results/toy/qrels.txt", "0 0 1 1\n")
    write_per_question()
    runs = [f"results/toy/runs/{run}.trec" for run in RUNS]
    others = [f"{SETTINGS}/{name}.json" for name in ("table", "code/tables")]
    write_file("data/toy/trainings/0a/training.json", "{}")
    write_record("data/toy/trainings/0a", "weights", ["raw/questions.json"])
    write_file("data/toy/repository_intervals/bm25.csv", "low,high")
    write_record("data/toy/repository_intervals/bm25.csv", "intervals", ["raw/questions.json"])
    made = ["data/toy/matches.parquet", "data/toy/trainings/0a"]
    made.append("data/toy/repository_intervals/bm25.csv")
    inputs = [*runs, *others, *made, "published/figures.csv"]
    for output in (TABLE, "results/toy/qrels.txt", "results/toy/per_question.parquet"):
        write_record(output, "tables", inputs)
