"""From configuration files to jobs: models and settings of runs, stale results, sources of figures.

The rules read this package when Snakemake starts, so its modules import nothing heavy. The code
that computes results in jobs belongs to the other packages of the library.
"""
