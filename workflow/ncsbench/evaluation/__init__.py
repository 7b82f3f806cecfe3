"""Whether a result is right, and the figures that follow: judge, measures, statistics.

It sees rankings, never models, so that a ranking made elsewhere is measured in the same way.
"""
