"""Evidence: published runs of a dataset with their judgements, and tables made of nothing else.

Rules make ``data/``; ``ncsbench evidence publish`` copies what tables need into
``results/<dataset>/evidence``, with the commit that made the files. No rule makes these copies, so
an edit of the code never asks a clone to make them again (docs/evidence.md).
"""
