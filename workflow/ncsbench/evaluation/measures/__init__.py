"""Judged rankings, first ranks, Answered@k and MRR, and checks of a result's robustness.

The stages of the judge are here (``judging``), its parts in ``evaluation.judge``. Intervals and
tests belong to ``evaluation.statistics``.
"""
