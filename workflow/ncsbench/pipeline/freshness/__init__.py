"""Checks that Snakemake lacks, of edited code, a second run, leftovers of a kill; jobs as forks.

The hashes of artifacts belong to ``base.files``.
"""
