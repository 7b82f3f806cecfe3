"""Tables that people read: Table 1 and the tables around it."""
