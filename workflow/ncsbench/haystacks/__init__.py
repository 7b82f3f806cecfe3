"""Haystacks: the effect of more methods to search among on the figures of Table 1."""
