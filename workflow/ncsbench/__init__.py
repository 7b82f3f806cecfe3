"""Reproducible evaluation of neural code search.

The packages stand on floors; a module imports only from floors below its own
(see ``docs/architecture.md``).
"""

__version__ = "0.1.0"
