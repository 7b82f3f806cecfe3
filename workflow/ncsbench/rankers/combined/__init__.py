"""Rankers that search nothing themselves: fusions of other rankings, and rankings in files.

Rankers that reorder one base belong to ``rankers.vectors``.
"""
