"""The tables of the papers: one folder for each paper.

A study says which figures are made and how they are laid out. Measures and tests belong to
``evaluation``; which cells a run has belongs to ``pipeline.runs``.
"""
