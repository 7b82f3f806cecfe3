"""Tables for readers: in the terminal, as pages, as figures of losses and of resources; compared.

Making a table belongs to ``studies``.
"""
