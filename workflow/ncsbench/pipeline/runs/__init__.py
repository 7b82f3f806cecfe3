"""What one run computes: its models, stages and settings, for each of the three kinds of run.

The forms of the files that it reads are in ``pipeline.files``.
"""
