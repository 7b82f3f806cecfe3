"""The shared parts of training neural networks: epochs, seeds, lists of ids, layers, files.

A particular network, its loss and its batches belong to ``learning`` or to the filter of comments.
"""
