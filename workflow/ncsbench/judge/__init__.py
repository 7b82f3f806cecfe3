"""Floor 2: Aroma features, similarities and pruning; is a method similar to an answer?"""

from ncsbench.judge.compilation import drop_stale_code

drop_stale_code()
