"""Runs, first ranks, Answered@k, MRR, intervals, tests."""
