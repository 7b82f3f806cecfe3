"""Rankers of other rankings: fusions of parts, and rankings that are given as files.

Rankers that reorder one base belong to ``rankers.vectors``.
"""
