"""The filter of comments that are like queries: rules, and a language model of queries (NLQF).

Experiments with the filter belong to ``pairs.cleaned_pairs`` and ``studies.icse_2022``.
"""
