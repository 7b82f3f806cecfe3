"""An index of a folder of one's own code, and what is asked of it.

The models that it uses are learnt elsewhere and lent by ``pipeline.runs.library_models``.
"""
