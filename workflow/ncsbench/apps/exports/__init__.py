"""A dataset that was run, in the form of other tools: BEIR's layout, TREC files.

Reading files of other tools belongs to ``base.runs`` and ``rankers.combined``.
"""
