"""Memory and time that a job asks for, by measurements, the size of the corpus and the attempt.

By these resources, a scheduler knows which jobs can run together, and a cluster when to end a job.
No artifact depends on them, and a change of the table repeats no job.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field

from ncsbench.base.configuration.files import read_yaml
from ncsbench.base.configuration.strict_model import StrictModel
from ncsbench.rankers.learnt_kinds import LEARNING_STAGES

TABLE = Path("config/resources.yaml")
"""The table, from the folder of the Snakefile."""

_MEGABYTES = 1.048576  # of a MiB
Amount = Annotated[float, Field(ge=0)]
Amounts = Annotated[tuple[Amount, ...], Field(min_length=1, max_length=3)]


class JobNeeds(StrictModel):
    """Resources of a job of a rule: the least, and what every unit of its input adds."""

    of: Literal["corpus", "shard", "posts"] = "corpus"
    """The unit of the input: a million methods of the corpus (``corpus``), a million methods of a
    shard of the corpus (``shard``), or a gigabyte of a part of the dump of posts (``posts``)."""
    mib: Amounts
    """Largest resident set, in MiB."""
    seconds: Amounts
    """Longest seconds of the job."""
    mean: Amounts | None = None
    """Seconds of processor time in the mean of such jobs, where they were measured."""
    disk: Amounts = (0.0,)
    """Size of the files that the job leaves, in MiB."""


class ResourceTable(StrictModel):
    """Resources that jobs ask for (docs/scale.md): measurements and margins on top of them."""

    snakemake_mib: Amount = 0
    """Memory of Snakemake's own processes in a job of a cluster, in MiB."""
    memory_margin: float = Field(1.2, ge=1)
    """Factor on the measured memory: a job asks for this many times as much, doubled with every
    further attempt."""
    time_margin: float = Field(4, ge=1)
    """Factor on the measured seconds: a job may take this many times as long, doubled with every
    further attempt."""
    shortest_minutes: int = Field(10, ge=1)
    """Shortest time that a job asks for, in minutes."""
    methods_per_shard: int = Field(10_000, ge=1)
    """Methods for each shard, by which the size of a corpus that is not built yet is estimated."""
    methods_per_repository: float = Field(0, ge=0)
    """Methods for each listed repository: another estimate of that size; the larger one counts."""
    learnt: JobNeeds
    """Resources of the jobs that learn a kind whose rule has no row, such as a new kind."""
    rules: dict[str, JobNeeds]
    """Resources of the jobs of each rule. A list holds the least amount, the amount that each unit
    of the input adds, and what each dimension of the word vectors adds to the latter."""


def load_resources(path: Path) -> ResourceTable:
    """Read the table; ``ConfigurationError`` with one line that names file and key."""
    table = ResourceTable.parse(read_yaml(path), where=str(path))
    rules = {**dict.fromkeys(LEARNING_STAGES, table.learnt), **table.rules}
    return table.model_copy(update={"rules": rules})


@dataclass(frozen=True)
class JobResources:
    """Resources that the jobs of one dataset ask for.

    Attributes:
        table: the measurements.
        manifest: manifest of the corpus, with the number of methods once the corpus is built.
        shards: number of parts of the corpus.
        expected: expected methods of a corpus that is not built yet; counts where it is more than
            the table's estimate.
        dump: the dump of posts; None where the dataset has no posts.
        parts: number of parts in which the dump is read.
    """

    table: ResourceTable
    manifest: Path
    shards: int
    expected: float = 0
    dump: Path | None = None
    parts: int = 1

    def find_megabytes(self, rule: str, *, attempt: int, dimension: int = 0) -> int:
        """Return the memory of a job in megabytes, the unit of Snakemake's ``mem_mb``.

        Args:
            rule: name of the job's rule, a row of the table.
            attempt: 1, or more where the job failed before.
            dimension: length of the word vectors that the job works on.
        """
        needs, table = self.table.rules[rule], self.table
        mib = self._measure(needs, needs.mib, dimension) + table.snakemake_mib
        return math.ceil(mib * _MEGABYTES * table.memory_margin * 2.0 ** (attempt - 1))

    def find_minutes(self, rule: str, *, attempt: int, dimension: int = 0) -> int:
        """Return the minutes after which a cluster may end a job; see ``find_megabytes``."""
        needs, table = self.table.rules[rule], self.table
        seconds = self._measure(needs, needs.seconds, dimension) * table.time_margin
        minutes = max(table.shortest_minutes, math.ceil(seconds / 60))
        return math.ceil(minutes * 2.0 ** (attempt - 1))

    def find_milliseconds(self, rule: str, *, dimension: int = 0) -> tuple[int, int]:
        """Return the processor time that a job is expected to take; see ``find_megabytes``.

        Returns:
            Milliseconds by the measured mean and, where none was measured, those of the longest
            job; one of both is 0.
        """
        needs = self.table.rules[rule]
        time = math.ceil(1000 * self._measure(needs, needs.mean or needs.seconds, dimension))
        return (time, 0) if needs.mean else (0, time)

    def find_kibibytes(self, rule: str, *, dimension: int = 0) -> int:
        """Return the size of the files that a job is expected to leave; see ``find_megabytes``."""
        needs = self.table.rules[rule]
        return math.ceil(1024 * self._measure(needs, needs.disk, dimension))

    def _measure(self, needs: JobNeeds, amounts: Sequence[float], dimension: int) -> float:
        least, each, each_dimension = (*amounts, 0.0, 0.0)[:3]
        return least + self._count(needs) * (each + each_dimension * dimension)

    def _count(self, needs: JobNeeds) -> float:
        """Count the units of a job's input: millions of methods or gigabytes of posts."""
        if needs.of == "posts":
            return self.dump.stat().st_size / 1e9 / self.parts if self.dump else 0.0
        usual = self.table.methods_per_shard
        try:
            methods, largest = _read_sizes(self.manifest, self.manifest.stat().st_mtime_ns)
        except (OSError, ValueError, KeyError, TypeError):  # no corpus yet; its readers check it
            methods = max(self.shards * usual, math.ceil(self.expected))
            largest = math.ceil(methods / self.shards)
        return (largest if needs.of == "shard" else methods) / 1e6


@lru_cache(maxsize=1)
def _read_sizes(manifest: Path, changed: int) -> tuple[int, int]:
    """Read the numbers of methods of a corpus and of its largest shard from its manifest.

    ``changed`` is the manifest's time of change, so that a changed manifest is read again.
    """
    content = json.loads(manifest.read_text(encoding="utf-8"))
    return int(content["methods"]), max(int(one["methods"]) for one in content["shards"])
