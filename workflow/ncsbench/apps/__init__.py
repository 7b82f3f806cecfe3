"""Programs for people: a run that is done, and code of their own.

An app reads artifacts, or makes an index of one's own code; nothing that a table needs is computed
here.
"""
