"""What trainings of neural networks share: epochs, seeds, lists of ids, layers, files.

A network of its own, its loss and its batches belong to ``learning`` or to the filter of comments.
"""
