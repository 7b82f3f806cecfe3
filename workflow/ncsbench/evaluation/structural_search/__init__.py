"""Methods that resemble a piece of code, as Aroma searches: candidates, pruning, clusters.

Features and similarities belong to ``code.aroma``.
"""
