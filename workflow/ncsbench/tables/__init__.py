"""Tables that people read: Table 1 and what belongs to it."""
