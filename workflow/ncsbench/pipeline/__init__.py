"""From configuration files to jobs: what a run computes, what is stale, where numbers come from.

The rules read this package when Snakemake starts, so its modules import nothing heavy. The code
that computes results in jobs belongs to the other packages of the library.
"""
