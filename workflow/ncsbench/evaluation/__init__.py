"""Judgements of results, and the figures that follow from them: judge, measures, statistics.

It sees rankings, never models, so that a ranking made elsewhere is measured in the same way.
"""
