"""UNIF: attention weights and vectors learnt from pairs (NCSED and UNIF papers).

Its ranker is ``rankers.vectors.unif``.
"""
