"""Checks that Snakemake lacks: edited code, raw inputs, a second run, leftovers of a kill."""
