"""From configuration files to jobs: models and settings of runs, stale results, sources of figures.

The rules read this package when Snakemake starts, so its modules import no torch, faiss or
numba. Of the jobs only those of provenance and evidence are here; the others belong to the rooms
above.
"""
