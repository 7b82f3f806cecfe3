"""Judged rankings, first ranks, Answered@k and MRR, and checks of a result's robustness.

Intervals and tests belong to ``evaluation.statistics``.
"""
