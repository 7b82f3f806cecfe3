"""Seconds and peak memory of every stage on a generated corpus (default: 700,000 methods).

The base is the corpus of a dataset that was run before: data/ncsed/corpus where it exists, else
data/sample/corpus. Usage: python tests/bench/scale.py [METHODS] [FOLDER]
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
MODELS = ("bm25", "longest_first", "ncs", "ncs_postrank")


def main() -> None:
    """Run the stages one after the other and print a line for each."""
    methods = sys.argv[1] if len(sys.argv) > 1 else "700000"
    base = next(ROOT / "data" / name for name in ("ncsed", "sample") if _has_corpus(name))
    settings = base / "settings"
    (words_settings,) = (settings / "words").glob("*.json")
    # Those of ncs: of the longest vectors, where a dataset has several.
    embedding_settings = max((settings / "embeddings").glob("*.json"), key=_dimension)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(sys.argv[2]) if len(sys.argv) > 2 else Path(name)
        corpus, words, embedding = folder / "corpus", folder / "words", folder / "embedding"
        questions = base / "questions.parquet"
        run("corpus generate", corpus=base / "corpus", methods=methods, output=corpus)
        run("corpus words", settings=words_settings, corpus=corpus, output=words)
        run("training embed", settings=embedding_settings, words=words, output=embedding)
        depth = settings / "retrieval.json"
        judge_index = folder / "judge_index"
        run("judge index", corpus=corpus, output=judge_index)
        run(
            "judge match",
            settings=settings / "matches.json",
            questions=questions,
            index=judge_index,
            output=folder / "matches.parquet",
        )
        for model in MODELS:
            own = {"settings": settings / "models" / f"{model}.json", "words": words}
            index = (
                folder
                / "indexes"
                / {"longest_first": "bm25", "ncs_postrank": "ncs"}.get(model, model)
            )
            if index.name == model:
                vectors = {"embedding": embedding} if model == "ncs" else {}
                run("rankers index", **own, **vectors, output=index)
            trec = folder / f"{model}.trec"
            run(
                "rankers retrieve",
                **own,
                retrieval=depth,
                index=index,
                questions=questions,
                tag=model,
                corpus=corpus,
                output=trec,
            )
            judged = folder / f"{model}.parquet"
            run("judge score", run=trec, questions=questions, index=judge_index, output=judged)


def _dimension(path: Path) -> int:
    return int(json.loads(path.read_text(encoding="utf-8"))["dimension"])


def _has_corpus(dataset: str) -> bool:
    return (ROOT / "data" / dataset / "corpus" / "manifest.json").exists()


def run(command: str, **options: object) -> None:
    """Run one command and print the usage it logs."""
    arguments = [part for name, value in options.items() for part in (f"--{name}", str(value))]
    done = subprocess.run(
        [sys.executable, "-m", "ncsbench", *command.split(), *arguments],
        capture_output=True,
        text=True,
        check=False,
        env={"PYTHONPATH": str(ROOT / "workflow"), "PATH": "/usr/bin:/bin"},
    )
    usage = re.findall(r"usage: (.*)", done.stderr)
    label = f"{command} {options.get('tag', '')}"
    print(f"{label:30} {usage[-1] if usage else done.stderr[-300:]}", flush=True)  # noqa: T201
    if done.returncode:
        sys.exit(done.returncode)


if __name__ == "__main__":
    main()
