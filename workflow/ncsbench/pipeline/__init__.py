"""From configuration files to jobs: what a run computes, what is stale, where numbers come from.

The rules read it when Snakemake starts, so its modules import nothing heavy. What a job computes
belongs to the rooms above.
"""
