"""Inputs of the rules that make a corpus."""

RELEASED_LISTS = [name for name in RUN.inputs.files if name.startswith("released-")]
SPANS = {
    "spans": f"{CORPUS}/released_methods.parquet",
    "counts": f"{CORPUS}/released_methods.json",
}


def states_of_sources(wildcards):
    """States of list and source; a run that needs them ends here where nothing is at hand."""
    mode = snakemake_private.find_mode(sys.argv[1:])
    if (
        snakemake_private.is_main_process(workflow)
        and mode is snakemake_private.Mode.RUN
    ):
        end_at_mistake(RUN.check_source)
    return states_of("repositories", "source")
