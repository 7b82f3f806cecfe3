"""Published figures, and ours beside them: verdicts, ablations, the score sheet.

The printed figures themselves are in ``config/published``.
"""
