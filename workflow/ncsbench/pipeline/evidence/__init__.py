"""Evidence: the published files of a dataset's runs, and tables made of these files alone.

Rules make ``data/``; ``ncsbench evidence publish`` copies what tables need into
``results/<dataset>/evidence``, with the commit that made it. No rule makes these files, so that no
edit of the code asks for clones to make them again (docs/evidence.md).
"""
