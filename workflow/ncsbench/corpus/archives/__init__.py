"""Archives of repositories: the one HTTP client, and fetching what the store lacks.

Reading an archive that is there belongs to ``corpus.sources``.
"""
