"""Rankers that compare words, translations of words, or nothing of the text.

Vectors of words belong to ``rankers.vectors``.
"""
