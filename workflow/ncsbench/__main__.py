"""``python -m ncsbench`` is the command ``ncsbench``."""

from ncsbench.cli.main import main

main()
