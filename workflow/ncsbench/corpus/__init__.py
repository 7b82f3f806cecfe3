"""The code that is searched: sources of repositories, methods and functions, their indexes.

Everything here works without questions, models and judgements, but for the annotations of
CodeSearchNet, which say which functions its corpora keep.
"""
