"""A model beside the committed ones: trials, studies, variants, added runs, compared rows.

The form of a model file is in ``pipeline.files``.
"""
