"""Published files that others keep: got once, checked from then on."""
