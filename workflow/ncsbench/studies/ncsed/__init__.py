"""NCSED and UNIF (2019): Table 1 in all its forms, and what is printed beside it.

Judging and figures belong to ``evaluation``, pages and the data card to ``apps``.
"""
