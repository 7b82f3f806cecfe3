"""Committed sums of what the sample's tables are made of: corpus, words, vectors, runs, judgements.

A table of three digits can hide that something before it moved. Settings, records of code and
provenance change with most changes of the library, so that they have no sum here.
"""

import fnmatch
import platform
import re
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

SUMS = "artifacts.sha256"
EXACT = (
    "data/sample/corpus/*",
    "data/sample/posts/*",
    "data/sample/pairs/*",
    "data/sample/words/*",
    "data/sample/questions.parquet",
    "data/sample/judge_index/*",
)
"""Artifacts made without floating point, which are the same on every processor."""

ROUNDED = (
    "data/sample/embeddings/*",
    "data/sample/weights/*",
    "data/sample/query_vectors/*",
    "data/sample/indexes/*",
    "data/sample/candidates/*",
    "data/sample/expansions/*",
    "data/sample/judgements/*",
    "results/sample/runs/*",
    "results/sample/per_question.parquet",
)
"""Artifacts that floating point goes into: another processor may give other last digits."""

_SUM = re.compile(r"([0-9a-f]{64})  (\S.*)")
_PROCESSOR = "# processor: "
_VECTOR_UNITS = ("avx2", "avx512f", "asimd")


class ArtifactCheck(NamedTuple):
    """Comparison of a build's artifacts with the committed sums.

    Attributes:
        same: number of artifacts of the committed bytes, under their path or under another one (a
            folder is named by the hash of settings).
        problems: one line for each artifact that is missing or differs and must not.
        rounded: artifacts of other bytes, where the sums are those of another processor.
    """

    same: int
    problems: list[str]
    rounded: list[str]


def describe_processor() -> str:
    """Name this machine's processor and the vector units by which libraries choose their code."""
    try:
        text = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return platform.machine()
    name = re.search(r"^model name\s*: (.*)$", text, re.MULTILINE)
    units = [unit for unit in _VECTOR_UNITS if re.search(rf"\b{unit}\b", text)]
    return " ".join([name[1].strip() if name else platform.machine(), *units])


def select_artifacts(sums: Mapping[str, str]) -> dict[str, str]:
    """Keep the artifacts that have a committed sum, which JSON files of settings have not."""
    return {
        name: value
        for name, value in sums.items()
        if not name.endswith(".json")
        and any(fnmatch.fnmatchcase(name, pattern) for pattern in EXACT + ROUNDED)
    }


def write_artifact_sums(path: Path, sums: Mapping[str, str]) -> None:
    """Write the sums of a build, in the form of ``sha256sum``, below the name of the processor."""
    lines = [f"{_PROCESSOR}{describe_processor()}"]
    lines += [f"{value}  {name}" for name, value in sorted(select_artifacts(sums).items())]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def check_artifact_sums(path: Path, made: Mapping[str, str]) -> ArtifactCheck:
    """Compare the sums of a build's artifacts with the committed ones.

    Args:
        path: a file of `write_artifact_sums`.
        made: SHA-256 by path of what the build made.

    Raises:
        ValueError: a line is no sum and a path.
    """
    first, *lines = path.read_text(encoding="utf-8").splitlines()
    same_processor = first == f"{_PROCESSOR}{describe_processor()}"
    made = select_artifacts(made)
    kinds_made = {(Path(name).name, value) for name, value in made.items()}
    check = ArtifactCheck(len(lines), [], [])
    for number, line in enumerate(lines, 2):
        matched = _SUM.fullmatch(line)
        if matched is None:
            raise ValueError(f"{path}, line {number}: must be a SHA-256, two blanks and a path")
        value, name = matched.groups()
        if (Path(name).name, value) in kinds_made:
            continue
        exact = any(fnmatch.fnmatchcase(name, pattern) for pattern in EXACT)
        if name in made and not exact and not same_processor:
            check.rounded.append(name)
        elif name in made:
            check.problems.append(f"{name}: other bytes than committed ({made[name][:12]})")
        else:
            check.problems.append(f"{name}: no file of this name has the committed bytes")
    return check._replace(same=len(lines) - len(check.problems) - len(check.rounded))
