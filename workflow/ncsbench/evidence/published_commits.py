"""Which commit made evidence: only what the code of one clean commit made is published."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from ncsbench.errors import DataError
from ncsbench.provenance.job_graph import trace_tables
from ncsbench.provenance.lineage import Lineage
from ncsbench.provenance.snakemake_records import Metadata
from ncsbench.provenance.software import describe_checkout, describe_machine


def trace_commits(
    dataset: str, paths: Sequence[str], *, earlier: Lineage | None
) -> tuple[Lineage, str]:
    """The way back from files that are to be published, and the commit that made all of it.

    Args:
        dataset: name of the dataset.
        paths: runs and judgements, as the rules name them.
        earlier: the way of what was published before, which is joined to it.

    Raises:
        DataError: where nobody recorded how a file was made, the checkout has changes or is no
            git checkout, or jobs ran the code of several commits.
    """
    code = describe_checkout(Path())  # the one whose Snakefile ran here
    if code.commit is None or code.changed:
        raise DataError(f"only what a clean commit made is published, and this is {code}")
    lineage = trace_tables(
        paths,
        dataset=dataset,
        metadata=Metadata(),
        settings=Path("data", dataset, "settings"),
        code=code,
        machine=describe_machine(),
        made=["data", f"results/{dataset}"],
    )
    if lineage.notes:
        raise DataError(f"{lineage.notes[0]}; publish what one run made")
    others = {job.code for job in lineage.jobs if job.code is not None and job.code != code}
    if others:
        told = "; ".join(sorted(map(str, others)))
        raise DataError(f"jobs ran other code than {code}: {told}; make it again from one commit")
    if earlier is None:
        return lineage, code.commit
    makers = lineage.makers
    return (
        Lineage(
            dataset=dataset,
            artifacts={**earlier.artifacts, **lineage.artifacts},
            jobs=(
                *lineage.jobs,
                *(job for job in earlier.jobs if makers.keys().isdisjoint(job.outputs)),
            ),
            tables=tuple(sorted({*earlier.tables, *lineage.tables})),
        ),
        code.commit,
    )
