"""Tables of "On the Importance of Building High-quality Training Datasets" (ICSE 2022).

Pairs and benchmarks belong to ``pairs.cleaned_pairs``, the filter to ``pairs.comment_filter``.
"""
