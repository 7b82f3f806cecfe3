"""Learning to rank: threads of posts that stand for searches, and what is fitted on them."""
