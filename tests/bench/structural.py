"""Structural search and matching over generated corpora: size of the index, seconds, memory.

The corpora are those of ``scale.py``, in data/scale_<methods>/; queries are the answers of the
sample. Usage: python tests/bench/structural.py [METHODS ...] (default: 100000 300000 700000).
"""

import resource
import subprocess
import sys
import time
from pathlib import Path

import numpy as np

from ncsbench.base.files.storage import read_table
from ncsbench.corpus.layout.layout import CorpusFolder
from ncsbench.evaluation.judge.answers import AnswerFeatures, read_answers
from ncsbench.evaluation.judge.best_matches import find_matches
from ncsbench.evaluation.judge.judge_index import JudgeIndex
from ncsbench.evaluation.structural_search.search import SearchOptions
from ncsbench.posts.questions.question_schema import QUESTION_SCHEMA

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from tests.unit.evaluation.test_structural_search import search_methods  # noqa: E402

ANSWERS = 2000


def main() -> None:
    """Print one line per size."""
    for size in [int(size) for size in sys.argv[1:]] or [100_000, 300_000, 700_000]:
        scale = [str(ROOT / "tests/bench/scale.py"), str(size)]
        subprocess.run([sys.executable, *scale, "--stages", "questions", "judge_index"], check=True)
        folder = ROOT / "data" / f"scale_{size}"
        table = read_table(folder / "questions.parquet", QUESTION_SCHEMA, ["query_id", "answer"])
        answers = read_answers(dict(zip(*table.to_pydict().values(), strict=True)))
        candidates = candidate_answers(CorpusFolder(folder / "corpus"))
        output = folder / "judge_index"
        print(f"{size} methods: {measure(JudgeIndex(output), output, answers, candidates)}")  # noqa: T201


def measure(
    index: JudgeIndex, output: Path, answers: AnswerFeatures, candidates: AnswerFeatures
) -> str:
    """Size of the index, processor seconds of queries and of matching many answers, memory."""
    size = sum(path.stat().st_size for path in output.rglob("*") if path.is_file())
    search_methods(answers[0], index.blocks(), SearchOptions())  # compile
    seconds = []
    for place in range(0, len(answers), 4):
        started = time.process_time()
        search_methods(answers[place], index.blocks(), SearchOptions())
        seconds.append(time.process_time() - started)
    started = time.process_time()
    found = find_matches(
        answers=candidates, index=index,
        limits=[("pruned_jaccard_leaf", 0.25)], count=3,
    )  # fmt: skip
    matching = time.process_time() - started
    answered = len(set(found["query_id"].to_pylist()))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    return (
        f"index {size / 1e6:.0f} MB; query mean {np.mean(seconds):.3f} s, most"
        f" {max(seconds):.3f} s; {len(candidates)} answers matched in {matching:.0f} s,"
        f" {answered} have one; peak {peak} MiB"
    )


def candidate_answers(corpus: CorpusFolder) -> AnswerFeatures:
    """The middle half of the lines of methods of 8 to 40 lines, evenly drawn, as answers."""
    pieces = []
    for table in corpus.iterate_methods(["code", "lines"]):
        for code, lines in zip(*table.to_pydict().values(), strict=True):
            if 8 <= lines <= 40:
                pieces.append("\n".join(code.split("\n")[lines // 4 : -lines // 4]))
    return read_answers(dict(enumerate(pieces[:: max(1, len(pieces) // ANSWERS)])))


if __name__ == "__main__":
    main()
