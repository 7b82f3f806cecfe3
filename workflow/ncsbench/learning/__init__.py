"""What rankers learn from methods and pairs before they search.

A learner writes an artifact and reads it again. Searching with it belongs to ``rankers``; the
table of all kinds is ``rankers.learnt_kinds``.
"""
