"""Tables for readers: in the terminal, as pages, as a table of resources; compared.

Making a table belongs to ``studies``.
"""
