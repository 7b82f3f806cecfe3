"""Raw, filtered and controlled pairs, and benchmarks, of the study of comment cleaning.

Filters belong to ``pairs.comment_filter``, the study's tables to ``studies.icse_2022``.
"""
