"""The provenance of a table: the jobs and files between the table and the raw sources.

The files that a table needs are published by ``pipeline.evidence``.
"""
