"""Memory and time that a job asks for, by measurements, the size of the corpus and the attempt.

They tell a scheduler what runs together and a cluster where a job ends; no artifact depends on
them, and a change of the table repeats nothing.
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

TABLE = Path("config/resources.yaml")
"""The table, from the folder of the Snakefile."""

_MEGABYTES = 1.048576  # of a MiB
Amount = Annotated[float, Field(ge=0)]
Amounts = Annotated[tuple[Amount, ...], Field(min_length=1, max_length=3)]


class JobNeeds(StrictModel):
    """What a job of a rule takes: at the least, and with every unit of its input."""

    of: Literal["corpus", "shard", "posts"] = "corpus"
    """What is counted: a million methods of the corpus, a million methods of a shard of it, or a
    gigabyte of a part of the dump of posts."""
    mib: Amounts
    """Largest resident set, in MiB."""
    seconds: Amounts
    """Seconds of the job."""


class ResourceTable(StrictModel):
    """What jobs ask for (docs/scale.md): measurements and what is added to them."""

    snakemake_mib: Amount = 0
    """Memory of Snakemake's own processes in a job of a cluster, in MiB."""
    memory_margin: float = Field(1.2, ge=1)
    """A job asks for this many times the memory that was measured; for twice as much with every
    further attempt."""
    time_margin: float = Field(4, ge=1)
    """A job may take this many times the seconds that were measured; twice as many with every
    further attempt."""
    shortest_minutes: int = Field(10, ge=1)
    """No job asks for less time."""
    methods_per_shard: int = Field(10_000, ge=1)
    """How large a corpus that is not built yet is taken for, by its number of shards."""
    methods_per_repository: float = Field(0, ge=0)
    """How large it is taken for by its number of listed repositories, where that is more."""
    rules: dict[str, JobNeeds]
    """What each rule takes. A list holds what a job takes at the least, what each unit of its input
    adds, and what each dimension of the word vectors adds to that for each unit."""


def load_resources(path: Path) -> ResourceTable:
    """Read the table; ``ConfigurationError`` with one line that names file and key."""
    return ResourceTable.parse(read_yaml(path), where=str(path))


@dataclass(frozen=True)
class JobResources:
    """What the jobs of one dataset ask for.

    Attributes:
        table: the measurements.
        manifest: of the corpus; it says how many methods there are, once it is there.
        shards: number of parts of the corpus.
        expected: methods of a corpus that is not there yet, where the table takes it for fewer.
        dump: the dump of posts; None where the dataset has none.
        parts: number of parts in which it is read.
    """

    table: ResourceTable
    manifest: Path
    shards: int
    expected: float = 0
    dump: Path | None = None
    parts: int = 1

    def find_megabytes(self, rule: str, *, attempt: int, dimension: int = 0) -> int:
        """Memory of a job in megabytes, as Snakemake's ``mem_mb`` has them.

        Args:
            rule: name of its rule, a row of the table.
            attempt: 1, or more where the job failed before.
            dimension: length of the word vectors that it works on.
        """
        needs, table = self.table.rules[rule], self.table
        mib = self._measure(needs, needs.mib, dimension) + table.snakemake_mib
        return math.ceil(mib * _MEGABYTES * table.memory_margin * 2.0 ** (attempt - 1))

    def find_minutes(self, rule: str, *, attempt: int, dimension: int = 0) -> int:
        """Minutes after which a cluster may end a job; arguments as of ``find_megabytes``."""
        needs, table = self.table.rules[rule], self.table
        seconds = self._measure(needs, needs.seconds, dimension) * table.time_margin
        minutes = max(table.shortest_minutes, math.ceil(seconds / 60))
        return math.ceil(minutes * 2.0 ** (attempt - 1))

    def _measure(self, needs: JobNeeds, amounts: Sequence[float], dimension: int) -> float:
        least, each, each_dimension = (*amounts, 0.0, 0.0)[:3]
        return least + self._count(needs) * (each + each_dimension * dimension)

    def _count(self, needs: JobNeeds) -> float:
        """Units of a job's input: millions of methods, gigabytes of posts."""
        if needs.of == "posts":
            return self.dump.stat().st_size / 1e9 / self.parts if self.dump else 0.0
        usual = self.table.methods_per_shard
        try:
            methods, largest = _read_sizes(self.manifest, self.manifest.stat().st_mtime_ns)
        except (OSError, ValueError, KeyError, TypeError):  # none yet; readers check what is there
            methods = max(self.shards * usual, math.ceil(self.expected))
            largest = math.ceil(methods / self.shards)
        return (largest if needs.of == "shard" else methods) / 1e6


@lru_cache(maxsize=1)
def _read_sizes(manifest: Path, changed: int) -> tuple[int, int]:
    """Methods of a corpus and of its largest shard, read again when the manifest changed."""
    content = json.loads(manifest.read_text(encoding="utf-8"))
    return int(content["methods"]), max(int(one["methods"]) for one in content["shards"])
