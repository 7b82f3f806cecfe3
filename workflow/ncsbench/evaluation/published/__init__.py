"""Published figures, and ours beside them: verdicts, ablations, agreement with the score sheet.

The questions that are selected as the published ones were are chosen here, too. The printed
figures themselves are in ``config/published``.
"""
