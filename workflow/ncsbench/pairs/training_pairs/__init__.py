"""Making training pairs: of posts, Javadoc, published files; threads to choose models by.

The cleaned pairs of one study belong to ``pairs.cleaned_pairs``.
"""
