"""Layout of a corpus of methods: schemas, ids, ledger, documents of words.

To read a corpus this folder is enough; making one belongs to ``corpus.methods``.
"""
