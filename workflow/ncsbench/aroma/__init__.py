"""Aroma: simplified parse trees, features, pruning and similarities of methods."""

from ncsbench.aroma.compilation import drop_stale_code

drop_stale_code()  # before numba looks for compiled code
