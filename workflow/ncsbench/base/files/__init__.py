"""Files that jobs write and read: atomic, recorded with their hash, the same bytes each time.

Each format of an artifact (CSV, tensors, figures, checkpoints) has one module. Schemas do not
belong here; they lie beside the code that writes the artifact.
"""
