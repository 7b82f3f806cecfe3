"""Learning from methods and pairs, before rankers search.

A learner writes an artifact and reads it again. Searching with the artifact belongs to ``rankers``;
the table of all kinds of artifacts is ``rankers.learnt_kinds``.
"""
