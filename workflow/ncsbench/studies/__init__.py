"""The tables of the papers: one folder for each paper.

A study says which figures are made and how they are laid out, and has the measures and trainings
that it alone uses. Shared ones belong to ``evaluation`` and ``learning``; the cells of a run
belong to ``pipeline.runs``.
"""
