"""Labels by people: how well methods answer questions, from 0 to 3, and what follows."""
