"""Figures from units: means, intervals, tests, corrections, and their text.

It knows no measure by name.
"""
