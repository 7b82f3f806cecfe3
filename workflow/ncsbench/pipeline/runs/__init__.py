"""A run and all that it computes: models, stages and settings, for each of the three kinds of run.

The forms of the files that a run reads are in ``pipeline.files``.
"""
