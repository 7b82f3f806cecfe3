"""Making a corpus of methods: extraction by shards, duplicates, assembly, words.

Reading the result belongs to ``corpus.layout``.
"""
