"""Joint encoders of queries and code (CodeSearchNet paper, section 4), trained in PyTorch."""
