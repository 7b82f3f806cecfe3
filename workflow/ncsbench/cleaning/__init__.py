"""Does cleaning training pairs help? The experiment of Sun et al. (2022): sets, runs, tables."""
