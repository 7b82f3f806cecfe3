"""Inputs of the rules that make a corpus."""

LISTS = [name for name in RUN.inputs if name == "repositories"]
RELEASED_LISTS = [name for name in RUN.inputs if name.startswith("released-")]
SPANS = {
    "spans": f"{CORPUS}/released_methods.parquet",
    "counts": f"{CORPUS}/released_methods.json",
}


def states_of_sources(wildcards):
    """States of list and source; a run that needs them ends here where nothing is at hand."""
    if IS_RUN:
        end_at_mistake(RUN.check_source)
    return states_of(*LISTS, "source")
