"""Floor 2: runs, first ranks, Answered@k, MRR, intervals; knows nothing of models or Java."""
