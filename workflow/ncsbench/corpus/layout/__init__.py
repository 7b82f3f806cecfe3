"""Layout of a corpus of methods: schemas, ids, ledger, documents of words.

Whoever reads a corpus imports this folder alone; making one belongs to ``corpus.methods``.
"""
