"""Programs for people: a run that is done, and code of their own.

An app reads artifacts; nothing that a table needs is computed here.
"""
