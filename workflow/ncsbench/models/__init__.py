"""Floor 3: rankers behind one protocol, one file per model."""
