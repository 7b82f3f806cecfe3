"""The provenance file of a dataset, written after its tables."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from pathlib import Path, PurePosixPath

from ncsbench.provenance.job_graph import trace_tables
from ncsbench.provenance.lineage import read_lineage, write_lineage
from ncsbench.provenance.snakemake_records import Metadata
from ncsbench.provenance.software import describe_checkout, describe_machine

_LOG = logging.getLogger("provenance")
_TRIALS = "trials"


def write_provenance(
    output: Path,
    tables: Sequence[Path],
    dataset: str,
    settings: Path,
    metadata: Path = Path(".snakemake/metadata"),
    also: Sequence[Path] = (),
    made: Sequence[Path] = (),
) -> None:
    """Write the way from tables back to their raw sources, as JSON.

    Args:
        output: the provenance file; jobs that it names already stay as they are.
        tables: paths as the workflow names them, from the working directory.
        dataset: name of the dataset.
        settings: folder of the settings files of the dataset.
        metadata: folder of Snakemake's records.
        also: folders of which every file is described that is there and has a record, but for those
            of trials, which have a provenance of their own.
        made: folders in which everything but settings is made by a job; one without a record is
            named in a note.

    Raises:
        DataError: where a table is missing, or a record, a settings file or ``output`` as it was
            is broken.
    """
    records = Metadata(metadata)
    if not records.outputs():
        _LOG.warning("%s: there are no records of Snakemake", metadata)
    asked = {path.as_posix() for path in tables}
    for path in records.outputs():
        if any(_belongs_to(PurePosixPath(path), folder) for folder in also):
            if path != output.as_posix() and Path(path).is_file():
                asked.add(path)
    earlier = read_lineage(output) if output.exists() else None
    lineage = trace_tables(
        asked,
        dataset=dataset,
        metadata=records,
        settings=settings,
        code=describe_checkout(),
        machine=describe_machine(),
        earlier=earlier,
        made=[folder.as_posix() for folder in made],
    )
    for note in lineage.notes:
        _LOG.warning("%s", note)
    write_lineage(output, lineage)


def _belongs_to(path: PurePosixPath, folder: Path) -> bool:
    return path.is_relative_to(folder) and not path.is_relative_to(folder / _TRIALS)
