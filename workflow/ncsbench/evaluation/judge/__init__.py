"""The judge: reads answers as Java, indexes a corpus, scores methods, finds matches.

Similarities are defined in ``code.aroma``; first ranks and figures follow in
``evaluation.measures``.
"""
