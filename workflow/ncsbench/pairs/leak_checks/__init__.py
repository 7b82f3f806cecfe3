"""Checks that training pairs hold no evaluation questions and no benchmarks.

Every set of pairs passes these checks; making sets belongs to ``pairs.training_pairs``.
"""
