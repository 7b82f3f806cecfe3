"""Joint encoders of queries and code (CodeSearchNet paper, section 4), in PyTorch.

Their ranker is ``rankers.vectors.joint_encoder``; encoders made elsewhere belong to
``rankers.vectors.encoder``.
"""
