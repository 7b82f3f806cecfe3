"""Every stage of Table 1 on a generated corpus: seconds, memory, bytes. docs/scale.md has results.

``python tests/bench/scale.py METHODS [--base DATASET] [--stages RULE ...] [--vectors random] ...``
makes a store of generated repositories and a dataset file in data/scale/, and runs the stages
through Snakemake: it may be killed and started again. What was measured is added to stages.csv and
runs.csv in the folder of --results.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import yaml
from scale_tables import write_measurements

from ncsbench.base.configuration.files import read_yaml
from ncsbench.base.files.storage import read_json, write_json, write_text
from ncsbench.base.text.safe_text import show_line
from ncsbench.learning.training.word_vectors import load_embedding, load_grams, save_embedding
from ncsbench.pipeline.runs.run import load_run

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from tests.generated_repositories import read_dataset, write_store  # noqa: E402

SAMPLE = Path("resources/sample")
SMALL = 200_000
"""Words of the text that are read to find vocabulary and n-grams of random vectors."""
_ENVIRONMENT = {
    **os.environ,
    "PYTHONPATH": str(ROOT / "workflow"),
    "PATH": os.pathsep.join(
        [str(ROOT / "workflow/bin"), str(Path(sys.executable).parent), os.environ["PATH"]]
    ),
    "NCSBENCH_CHECKSUMS": "data/checksums",
}


def main() -> None:
    """Generate, run and measure, as far as it was asked for."""
    os.chdir(ROOT)
    os.environ.update(_ENVIRONMENT)
    given = parse_arguments()
    name = f"scale_{given.methods}" + (f"_{given.dimension}d" if given.dimension != 100 else "")
    dataset = write_dataset(name, given)
    generate(given)
    if given.vectors == "random":
        snakemake(name, dataset, given, ["words"])
        make_vectors(name, dataset)
    else:
        remove_made_vectors(name)
    snakemake(name, dataset, given, given.stages)
    write_measurements(
        given.results,
        name,
        methods=given.methods,
        graph=run([*_command(dataset), "--rulegraph", "dot", "--", _target(name)]),
    )


def parse_arguments() -> argparse.Namespace:
    """What is measured, and how."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("methods", type=int, nargs="?", default=100_000)
    parser.add_argument("--base", default="sample", help="dataset whose files are renamed")
    parser.add_argument("--seed", type=int, default=2019)
    parser.add_argument("--dimension", type=int, default=100, help="of all word vectors")
    parser.add_argument("--stages", nargs="*", default=[], help="rules to run, with what they need")
    parser.add_argument(
        "--omit", nargs="*", default=[], help="rules to leave out, with what follows"
    )
    parser.add_argument(
        "--vectors", choices=("trained", "random"), default="trained",
        help="random: there in a moment, for what follows the embedding",
    )  # fmt: skip
    parser.add_argument("--questions", type=Path, default=SAMPLE / "questions.json")
    parser.add_argument("--posts", type=Path, default=SAMPLE / "posts.xml")
    parser.add_argument("--results", type=Path, default=Path("data/scale"))
    parser.add_argument("--cores", default="2")
    parser.add_argument("--memory", type=int, default=20_000, help="megabytes of jobs together")
    return parser.parse_args()


def write_dataset(name: str, given: argparse.Namespace) -> Path:
    """The dataset file; 10,000 methods a shard, at most 128 shards."""
    path = Path("data/scale") / f"{name}.yaml"
    content = {
        "name": name,
        "repositories": str(_list_of(given)),
        "source": {"kind": "archive", "path": str(_store_of(given))},
        "questions": str(given.questions),
        "posts": {"path": str(given.posts), "maximum_broken": 0},
        "shards": min(128, max(4, given.methods // 10_000)),
        "embedding": {"dimension": given.dimension},
    }
    write_text(path, yaml.safe_dump(content, sort_keys=False))
    return path


def generate(given: argparse.Namespace) -> None:
    """The store; nothing where it is there already, of the same base and seed."""
    store, listed = _store_of(given), _list_of(given)
    made_of = {"base": given.base, "seed": given.seed, "methods": given.methods}
    about = listed.with_suffix(".json")
    if about.exists() and read_json(about) != made_of:
        sys.exit(f"scale: {about}: is of another base or seed; remove {store} and {listed} first")
    if (store / "manifest.json").exists():
        return
    write_json(about, made_of)
    base = read_dataset(given.base, ROOT, seed=given.seed)
    write_store(base, methods=given.methods, store=store, listed=listed)


def make_vectors(name: str, dataset: Path) -> None:
    """The rows' embeddings that are not there yet: random vectors for the words of the corpus.

    Vectors of a little text alone would lie so close to each other that exact search took every
    method for a candidate.
    """
    run = load_run({**read_yaml(Path("config/config.yaml")), "dataset": str(dataset)}, root=ROOT)
    keys = {model.indexed.keys.get("embedding") or "" for model in run.models.values()} - {""}
    for key in sorted(keys):
        settings = Path("data", name, "settings/embeddings", f"{key}.json")
        folder, trained = Path("data", name, "embeddings", key), Path("data/scale", f"{name}.{key}")
        if folder.exists():
            continue
        content: dict[str, Any] = json.loads(settings.read_text(encoding="utf-8"))
        little = trained.with_suffix(".json")
        write_json(little, content | {"maximum_words": SMALL, "epochs": 1})
        (words,) = Path("data", name, "words").iterdir()
        ncsbench("stage embedding", {"settings": little, "words": words, "output": trained})
        found = load_embedding(trained)
        draws = np.random.default_rng(0).standard_normal(found.vectors.shape, dtype=np.float32)
        save_embedding(replace(found, vectors=draws), folder, load_grams(trained))
        shutil.rmtree(trained)


def remove_made_vectors(name: str) -> None:
    """What ``make_vectors`` made, so that they are trained."""
    for about in Path("data", name, "embeddings").glob("*/embedding.json"):
        if read_json(about)["options"].get("maximum_words") == SMALL:
            shutil.rmtree(about.parent)


def snakemake(name: str, dataset: Path, given: argparse.Namespace, rules: list[str]) -> None:
    """Run the workflow up to some rules, or to Table 1."""
    # Of the two options Snakemake obeys one.
    part = ["--until", *rules] if rules else ["--omit-from", *given.omit] if given.omit else []
    command = [
        *_command(dataset), "--cores", given.cores,
        "--resources", f"mem_mb={given.memory}", "--rerun-incomplete", "--quiet",
        *part, "--", _target(name),
    ]  # fmt: skip
    done = subprocess.run(command, env=_ENVIRONMENT, check=False)
    if done.returncode:
        sys.exit(f"scale: snakemake ended with {done.returncode}; start again to go on")


def ncsbench(command: str, options: dict[str, object]) -> str:
    """Run one command; what it logs."""
    arguments = [part for key, value in options.items() for part in (f"--{key}", str(value))]
    return run([sys.executable, "-m", "ncsbench", *command.split(), *arguments], stderr=True)


def run(command: list[str], *, stderr: bool = False) -> str:
    """The output of a program; ends the run where it fails."""
    done = subprocess.run(command, env=_ENVIRONMENT, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"scale: {show_line(done.stderr[-1000:])}")
    return done.stderr if stderr else done.stdout


def _command(dataset: Path) -> list[str]:
    return ["snakemake", "--config", f"dataset={dataset}"]


def _target(name: str) -> str:
    return f"results/{name}/table1.csv"


def _store_of(given: argparse.Namespace) -> Path:
    return Path("data/stores") / f"scale_{given.methods}"


def _list_of(given: argparse.Namespace) -> Path:
    return Path("data/scale") / f"{given.methods}.csv"


if __name__ == "__main__":
    main()
