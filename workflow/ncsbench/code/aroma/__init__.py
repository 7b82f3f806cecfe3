"""Aroma: features of simplified parse trees, pruning, and similarities of two methods.

Searching a corpus with them belongs to ``evaluation.structural_search``, judging to
``evaluation.judge``.
"""

from ncsbench.code.aroma.compilation import drop_stale_code

drop_stale_code()  # before numba looks for any of it
