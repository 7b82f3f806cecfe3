"""The names of ``import ncsbench``, which ``ncsbench.api`` gathers: pandas frames in and out.

Checks of frames and of arguments are in ``base.runs.ranking_frames``.
"""
