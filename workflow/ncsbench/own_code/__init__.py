"""Indexes of folders of one's own code, and questions to them."""
