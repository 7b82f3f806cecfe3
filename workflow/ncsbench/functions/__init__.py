"""Functions of six languages: spans, names, documentation and tokens, by tree-sitter."""
