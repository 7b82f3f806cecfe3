"""Artifacts, settings or Snakemake's own notes are gone or cut off."""

import shutil
from pathlib import Path

from tests.faults.bench import Bench
from tests.faults.messages import call_command, find_command
from tests.faults.project import Project

# What is removed besides: a run only makes what its target needs.
DELETED = {
    "corpus shard": "data/sample/corpus/methods/0001.parquet",
    "corpus manifest": "data/sample/corpus/manifest.json",
    "questions": "data/sample/questions.parquet",
    "folder of words": "data/sample/words/*",
    "file in a folder of words": "data/sample/words/*/words.tokens.npy",
    "file in an index": "data/sample/indexes/ncs/document_vectors.npy",
    "file in the weights": "data/sample/weights/*/weights.safetensors",
    "file in the judge's index": "data/sample/judge_index/0002/0000/sizes.npy",
    "run": "results/sample/runs/ncs.trec.gz",
    "judgements": "data/sample/judgements/bm25.parquet",
    "a table beside Table 1": "results/sample/significance.csv",
    "settings of a stage": "data/sample/settings/retrieval.json",
    "all settings": "data/sample/settings",
    "configured.json": "data/configured.json",
    "Snakemake's notes": ".snakemake",
    "checksums": "data/checksums",
    "everything in data/": "data",
    "everything in results/sample/": "results/sample",
}
EMPTIED = {
    "corpus shard": "data/sample/corpus/methods/0001.parquet",
    "file in an index": "data/sample/indexes/ncs/document_vectors.npy",
    "run": "results/sample/runs/ncs.trec.gz",
    "final table": "results/table1.csv",
}
CUT_OFF = {
    "judgements": "data/sample/judgements/bm25.parquet",
    "weights": "data/sample/weights/*/weights.safetensors",
    "dataset table": "results/sample/table1.csv",
}


def inject(bench: Bench) -> None:
    """Files deleted (before a run that needs them, and before one that may not), emptied, cut."""
    for name, pattern in DELETED.items():
        delete(bench, name, pattern)
    for name, pattern in EMPTIED.items():
        shorten(bench, f"emptied: {name}", pattern, 0.0)
    for name, pattern in CUT_OFF.items():
        shorten(bench, f"cut off: {name}", pattern, 0.5)
    settings_cut_off(bench)


def delete(bench: Bench, name: str, pattern: str) -> None:
    """Delete, and run until the folder is whole again.

    A plain rerun may leave a file away that nothing needs any more, or say which artifact is no
    longer whole; it may not make other tables. With the tables gone too everything comes back.
    """
    said: list[str] = []
    with bench.project("lost", whole=True) as project, bench.case("lost", f"deleted: {name}", said):
        path = find(project, pattern)
        lost = files_below(project, path)
        remove(path)
        done = project.run()
        if done.status != 0:
            said.append(find_command(done, str(path.relative_to(project.folder))))
            project.call(said[-1])
            bench.check(project, project.run())
            return
        bench.compare(project, dict.fromkeys(lost, ""))
        complete = all((project.folder / file).exists() for file in lost)
        said.append("all of it made again" if complete else "not needed by the tables")
        project.forget_tables()
        if complete:
            bench.check(project, project.run())
        else:
            bench.check(project, project.run(), dict.fromkeys(lost, ""))


def shorten(bench: Bench, case: str, pattern: str, part: float) -> None:
    """Cut a file off; the run must name it and how to rebuild it, or make it again."""
    said: list[str] = []
    with bench.project("cut", whole=True) as project, bench.case("lost", case, said):
        path = find(project, pattern)
        with path.open("r+b") as file:
            file.truncate(int(part * path.stat().st_size))
        call_command(project, project.run(), str(path.relative_to(project.folder)), said)
        bench.check(project, project.run())


def settings_cut_off(bench: Bench) -> None:
    """Settings are written when the Snakefile is read, so a broken one mends itself."""
    said: list[str] = []
    case = "cut off: settings of a stage"
    with bench.project("cut", whole=True) as project, bench.case("lost", case, said):
        path = project.folder / "data/sample/settings/retrieval.json"
        path.write_bytes(path.read_bytes()[:10])
        bench.check(project, project.run())
        said.append("written again")


def find(project: Project, pattern: str) -> Path:
    """The one file or folder that fits a pattern."""
    return sorted(project.folder.glob(pattern))[0]


def files_below(project: Project, path: Path) -> list[str]:
    """The artifacts that go when a file or folder goes."""
    made = project.artifacts()
    name = str(path.relative_to(project.folder))
    return [file for file in made if file == name or file.startswith(f"{name}/")]


def remove(path: Path) -> None:
    """Remove a file or a folder."""
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink()
