"""``python -m ncsbench`` is the command ``ncsbench``."""

from ncsbench.cli.start import main

main()
