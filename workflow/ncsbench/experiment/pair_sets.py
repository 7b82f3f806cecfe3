"""Sets of training pairs: the files in ``config/pairs/``, and which of them can be made."""

from __future__ import annotations

from pathlib import Path

from ncsbench.configuration.files import list_names, read_yaml, without_braces
from ncsbench.pairs.pair_options import FileOptions, PairOptions, parse_pair_options


def load_pair_sets(
    root: Path, *, with_posts: bool
) -> tuple[dict[str, PairOptions], dict[str, str]]:
    """The options of every set whose sources are there, and why the others cannot be made.

    Args:
        root: folder of the Snakefile.
        with_posts: whether the dataset has posts.
    """
    sets, absent = {}, {}
    for name in name_pair_sets(root):
        path = root / "config" / "pairs" / f"{name}.yaml"
        options = parse_pair_options(read_yaml(path), where=str(path))
        if options.kind == "posts" and not with_posts:
            absent[name] = "the dataset has no 'posts'"
        elif isinstance(options, FileOptions) and not Path(options.path).is_file():
            absent[name] = f"there is no file {options.path}"
        else:
            if isinstance(options, FileOptions):
                without_braces(f"{path}: path", options.path)
            sets[name] = options
    return sets, absent


def name_pair_sets(root: Path) -> list[str]:
    """Names of all sets, sorted."""
    return list_names(root / "config" / "pairs")
