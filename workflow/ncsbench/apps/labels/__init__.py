"""Grades by people: sheets to fill in, how far people agree, and how far judges agree with them.

Statistics of agreement belong to ``evaluation.statistics``.
"""
