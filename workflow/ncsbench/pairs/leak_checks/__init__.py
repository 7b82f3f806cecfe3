"""Whether training pairs hold evaluation questions or benchmarks.

Every set of pairs passes here; making sets belongs to ``pairs.training_pairs``.
"""
