"""How a corpus of methods is laid out: schemas, ids, ledger, documents of words.

Whoever reads a corpus imports this folder alone; making one belongs to ``corpus.methods``.
"""
