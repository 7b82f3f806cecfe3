"""Haystacks: what more methods to search among do to the figures of Table 1."""
