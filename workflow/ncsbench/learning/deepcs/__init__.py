"""DeepCS and CARLCS: networks that read a method's name, API sequence and tokens.

Their rankers are in ``rankers.vectors``.
"""
