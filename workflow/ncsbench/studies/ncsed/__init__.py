"""NCSED and UNIF (2019): Table 1 in all its forms, and the tables that accompany it.

Judging and figures belong to ``evaluation``, pages and the data card to ``apps``.
"""
