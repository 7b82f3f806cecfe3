"""One byte of an artifact is altered: the next run must name the file, and how to rebuild it."""

import os
import random

from tests.faults.bench import Bench
from tests.faults.messages import call_command
from tests.faults.project import Project

# One pattern per kind of artifact; a file of each is drawn.
KINDS = {
    "corpus shard": "data/sample/corpus/methods/*.parquet",
    "corpus manifest": "data/sample/corpus/manifest.json",
    "ledger": "data/sample/corpus/ledger.parquet",
    "questions": "data/sample/questions.parquet",
    "posts": "data/sample/posts/*.parquet",
    "pairs": "data/sample/pairs/*.parquet",
    "words": "data/sample/words/*/*.npy",
    "vocabulary": "data/sample/words/*/*.vocabulary.json",
    "embedding": "data/sample/embeddings/*/vectors.npy",
    "n-grams": "data/sample/embeddings/*/gram_vectors.npy",
    "vectors of new words": "data/sample/query_vectors/*/vectors.npy",
    "weights": "data/sample/weights/*/*.safetensors",
    "history": "data/sample/trainings/*/history.csv",
    "index": "data/sample/indexes/*/*.npy",
    "judge index": "data/sample/judge_index/*/*/*.npy",
    "run": "results/sample/runs/*.trec.gz",
    "judgements": "data/sample/judgements/*.parquet",
    "best matches": "data/sample/matches.parquet",
    "dataset table": "results/sample/*.csv",
    "final table": "results/table1.csv",
}


def inject(bench: Bench) -> None:
    """Each kind of artifact, with the time of the file as it comes and put back."""
    for kind in [kind for kind, pattern in KINDS.items() if any(bench.whole.folder.glob(pattern))]:
        for put_back in (False, True):
            damage_one(bench, kind, put_back=put_back)


def damage_one(bench: Bench, kind: str, *, put_back: bool) -> None:
    """One altered byte; detection, the printed command, a plain rerun."""
    case = f"{kind}{', time put back' if put_back else ''}"
    generator = bench.generator(f"bytes {case}")
    with bench.project("bytes", whole=True) as project:
        said: list[str] = []
        with bench.case("bytes", case, said):
            file, place = alter_byte(project, KINDS[kind], generator, put_back=put_back)
            said.append(f"{file} at {place}")
            call_command(project, project.run(), file, said)
            bench.check(project, project.run())


def alter_byte(
    project: Project, pattern: str, generator: random.Random, *, put_back: bool
) -> tuple[str, int]:
    """Alter a byte of a file that fits a pattern; its name and the place of the byte."""
    files = [path for path in sorted(project.folder.glob(pattern)) if path.stat().st_size]
    path = generator.choice(files)
    before = path.stat()
    place = generator.randrange(before.st_size)
    data = bytearray(path.read_bytes())
    data[place] ^= generator.randrange(1, 256)
    with path.open("r+b") as file:
        file.write(data)
    if put_back:
        os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    return str(path.relative_to(project.folder)), place
