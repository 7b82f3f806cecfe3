"""Where a table comes from: the jobs and files between it and the raw sources.

Publishing what a table needs belongs to ``pipeline.evidence``.
"""
