"""Gradient-boosted trees that rank candidates by their features: LambdaMART by LightGBM.

Sources: Burges, From RankNet to LambdaRank to LambdaMART (MSR-TR-2010-82, 2010); Ke et al.,
LightGBM (NIPS 2017). One thread and LightGBM's deterministic mode: the same bytes each time.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ncsbench.artifacts.hashes import check_file
from ncsbench.artifacts.storage import atomic_folder, format_json, hash_bytes, read_json
from ncsbench.configuration.nearest_name import nearest
from ncsbench.errors import ConfigurationError, DataError
from ncsbench.learning_to_rank.feature_schema import Floats
from ncsbench.learning_to_rank.lightgbm_library import load_lightgbm
from ncsbench.learning_to_rank.tree_options import TreeSettings
from ncsbench.learning_to_rank.tree_record import AboutTrees

ABOUT = "about.json"
TREES = "trees.txt"


class Trees:
    """Trees over a list of features.

    Attributes:
        features: names of all features of the list, in order, also of those that the trees do not
            see.
    """

    def __init__(self, features: Sequence[str], seen: Sequence[str], text: str) -> None:
        """Read trees.

        Args:
            features: names of all features, in the order of their columns.
            seen: those that the trees see, in the same order.
            text: LightGBM's text format.

        Raises:
            DataError: where LightGBM cannot read the text.
            ConfigurationError: where LightGBM or its shared library is not installed.
        """
        library = load_lightgbm()
        self.features = tuple(features)
        self._columns = [self.features.index(name) for name in seen]
        self.text = text
        try:
            self._booster = library.Booster(model_str=text)
        except library.basic.LightGBMError as error:
            raise DataError(f"trees that LightGBM cannot read ({error})") from error

    def predict(self, features: Floats) -> NDArray[np.float64]:
        """Scores of candidates, float64, shape (candidates,); each has that of its features alone.

        Args:
            features: float32, shape (candidates, features), columns in the order of ``features``.
        """
        if not len(features):
            return np.zeros(0)
        scores: NDArray[np.float64] = np.asarray(
            self._booster.predict(self._see(features), num_threads=1), np.float64
        )
        return scores

    def count_use(self) -> dict[str, tuple[int, float]]:
        """How many splits ask for each feature that the trees see, and their gain in all."""
        names = [self.features[column] for column in self._columns]
        splits, gains = (self._booster.feature_importance(kind) for kind in ("split", "gain"))
        return {
            name: (int(count), float(gain))
            for name, count, gain in zip(names, splits, gains, strict=True)
        }

    def _see(self, features: Floats) -> Floats:
        whole = len(self._columns) == len(self.features)
        return features if whole else features[:, self._columns]


def fit_trees(
    features: Floats,
    gains: NDArray[np.int32],
    threads: NDArray[np.int32],
    groups: Mapping[str, str],
    settings: TreeSettings,
) -> Trees:
    """Train trees.

    Args:
        features: float32, shape (candidates, features), the candidates of a thread in a row.
        gains: the gain of each candidate, shape (candidates,), from 0.
        threads: how many candidates each thread has, shape (threads,).
        groups: the group of each feature by name, in the order of the columns.
        settings: see there.

    Raises:
        ConfigurationError: where ``left_out`` names no feature and no group, or all; where LightGBM
            or its shared library is not installed.
    """
    library = load_lightgbm()
    seen = choose_features(groups, settings.left_out)
    columns = [place for place, name in enumerate(groups) if name in seen]
    data = library.Dataset(
        features if len(columns) == len(groups) else features[:, columns],
        label=gains,
        group=threads,
        feature_name=seen,
    )
    booster = library.train(_describe(settings, int(gains.max())), data, settings.rounds)
    return Trees(list(groups), seen, booster.model_to_string())


def choose_features(groups: Mapping[str, str], left_out: Sequence[str]) -> list[str]:
    """The features that stay, in order, when some and some groups are left out.

    Args:
        groups: the group of each feature by name, in the order of the columns.
        left_out: names of features and of groups.

    Raises:
        ConfigurationError: where a name is neither's, or no feature is left.
    """
    known = {*groups, *groups.values()}
    for name in left_out:
        if name not in known:
            raise ConfigurationError(
                f"left_out: {name!r} is no feature and no group; {nearest(name, sorted(known))}"
            )
    seen = [name for name, group in groups.items() if not {name, group} & {*left_out}]
    if not seen:
        raise ConfigurationError("left_out: no feature is left; leave out fewer")
    return seen


def save_trees(folder: Path, trees: Trees, about: AboutTrees) -> None:
    """Write ``trees.txt`` in LightGBM's text format, and ``about.json``."""
    with atomic_folder(folder) as temporary:
        (temporary / TREES).write_bytes(trees.text.encode())
        (temporary / ABOUT).write_bytes(format_json(about.as_json()).encode())


def read_about(folder: Path) -> AboutTrees:
    """What is known of the trees in a folder.

    Raises:
        DataError: where the folder has no ``about.json``, or this is no JSON.
        ConfigurationError: where it says something else.
    """
    return AboutTrees.parse(read_json(folder / ABOUT), where=str(folder / ABOUT))


def load_trees(folder: Path, features: Sequence[str]) -> Trees:
    """Read what ``save_trees`` wrote.

    Args:
        folder: the folder.
        features: the features that will be given, in the order of their columns.

    Raises:
        DataError: where the trees are of another list of features, or are damaged.
        ConfigurationError: where LightGBM or its shared library is not installed.
    """
    about = read_about(folder)
    names = [feature.name for feature in about.features]
    if names != list(features):
        raise DataError(
            f"{folder}: the trees are of another list of features ({_compare(names, features)});"
            " train them again with features of this version"
        )
    path = folder / TREES
    check_file(path)
    try:
        content = path.read_bytes()
    except OSError as error:
        raise DataError(f"{path}: cannot be read ({error.strerror})") from error
    # LightGBM takes what a text says for true, so that a damaged one may end the process.
    if hash_bytes(content) != about.sha256:
        raise DataError(f"{path}: is not the file that {ABOUT} speaks of; train the trees again")
    seen = [feature.name for feature in about.features if feature.seen]
    return Trees(names, seen, content.decode())


def _describe(settings: TreeSettings, most: int) -> dict[str, Any]:
    """Parameters of LightGBM; gains are what they say, not exponents of two."""
    return {
        "objective": "lambdarank",
        "label_gain": list(range(most + 1)),
        "lambdarank_truncation_level": settings.truncation,
        "learning_rate": settings.learning_rate,
        "num_leaves": settings.leaves,
        "min_data_in_leaf": settings.minimum_in_leaf,
        "feature_fraction": settings.feature_share,
        "lambda_l2": settings.l2,
        "seed": settings.seed,
        "deterministic": True,
        "force_row_wise": True,
        "num_threads": 1,
        "verbosity": -1,
    }


def _compare(theirs: Sequence[str], ours: Sequence[str]) -> str:
    new = [name for name in ours if name not in theirs]
    gone = [name for name in theirs if name not in ours]
    if not new and not gone:
        return "the same in another order"
    parts = [
        f"{word} {', '.join(names)}" for word, names in (("new", new), ("gone", gone)) if names
    ]
    return "; ".join(parts)[:200]
