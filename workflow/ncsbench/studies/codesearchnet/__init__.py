"""CodeSearchNet (2019): the challenge's measures, systems and Tables 1 to 4.

Corpora of functions belong to ``corpus.function_corpus``.
"""
