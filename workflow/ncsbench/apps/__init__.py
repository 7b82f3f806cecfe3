"""What people use when a run is done, or on code of their own.

An app reads artifacts; nothing that a table needs is computed here.
"""
