"""Making a corpus of methods: extraction by shards, duplicates, assembly, words.

How the result is read belongs to ``corpus.layout``.
"""
