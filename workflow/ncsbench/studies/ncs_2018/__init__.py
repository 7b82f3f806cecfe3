"""The NCS paper's micro-benchmark: finding a method again by some of its own words.

The NCS ranker is ``rankers.vectors.ncs``.
"""
