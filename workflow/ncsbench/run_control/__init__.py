"""What Snakemake does not notice: edited code, raw inputs, a second run, leftovers of a kill."""
