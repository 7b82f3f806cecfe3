"""Labels by people: how well methods answer questions, how much comments are like queries."""
