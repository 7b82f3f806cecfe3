"""Floor 2: Aroma features, similarities and pruning; is a method similar to an answer?"""
