"""Floor 4: published and reproduced tables."""
