"""The cut between comments that are like queries and others, found from their losses.

Source: Sun et al. (ICSE 2022), section 3.2.2 and Table 5; ``nlqf/model_filter.py`` of its program.
"""

from __future__ import annotations

import logging
import math
import warnings
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from pydantic import Field, model_validator
from sklearn.cluster import KMeans
from sklearn.exceptions import ConvergenceWarning
from sklearn.mixture import GaussianMixture
from threadpoolctl import threadpool_limits

from ncsbench.base.configuration.strict_model import Share, StrictModel
from ncsbench.errors import DataError
from ncsbench.pairs.comment_filter.filter_options import CutMethod, CutOptions

_LOG = logging.getLogger(__name__)
_FEWEST = 10
_ROUNDS = 1000  # Largest number of rounds of expectation and maximisation, as released.
Losses = NDArray[np.float64]


class Component(StrictModel):
    """A normal distribution of a mixture."""

    weight: float = Field(ge=0, le=1)
    """Share of all losses that belong to this component."""
    mean: float
    """Mean of the component's losses."""
    variance: float = Field(gt=0)
    """Variance of the component's losses."""

    def log_density(self, losses: Losses) -> Losses:
        """Return the logarithm of weight times density at each loss, shape (n,)."""
        spread = (losses - self.mean) ** 2 / self.variance
        logarithm: Losses = (
            np.log(np.maximum(self.weight, np.finfo(float).tiny))
            - (spread + np.log(2 * np.pi * self.variance)) / 2
        )
        return logarithm


class Cut(StrictModel):
    """The losses that are kept: all up to a threshold, or all of one component (DEV-177)."""

    method: CutMethod
    """The method that found the cut: ``CutOptions.method``."""
    threshold: float | None = None
    """The highest loss that is kept; None where the losses of one component are kept."""
    components: tuple[Component, ...] = ()
    """Components of a mixture, by ascending mean; empty for other methods."""
    crossing_point: float | None = None
    """The loss from which on the second component is more probable; None without such a loss."""
    kept_component: int | None = Field(None, ge=0, le=1)
    """The component whose losses are kept, where there is no threshold."""
    losses: int = Field(ge=1)
    """Number of losses that the cut was found from."""
    share_kept: Share
    """Share of the losses, from which the cut was found, that the cut keeps."""

    @model_validator(mode="after")
    def _check_rule(self) -> Self:
        if (self.threshold is None) == (self.kept_component is None):
            raise ValueError("needs either 'threshold' or 'kept_component'")
        if self.kept_component is not None and len(self.components) != 2:
            raise ValueError("'kept_component' needs two 'components'")
        return self

    def keeps(self, losses: Losses) -> NDArray[np.bool_]:
        """Say of each loss whether it is kept, shape (n,); a loss that is not a number is not."""
        if self.threshold is not None:
            kept: NDArray[np.bool_] = losses <= self.threshold
            return kept
        low, high = (component.log_density(losses) for component in self.components)
        return np.asarray(high > low if self.kept_component else low >= high, bool)


def find_cut(losses: Losses, options: CutOptions, *, seed: int) -> Cut:
    """Find the cut of losses; the order of the losses does not matter.

    Args:
        losses: losses of comments, shape (n,).
        options: options of the cut: its method and the method's values.
        seed: seed of the first guesses of the mixture and of k-means.

    Raises:
        DataError: where losses are too few, all equal or not finite, or no cut lies between them.
    """
    ordered = np.sort(np.asarray(losses, np.float64))
    if not len(ordered):
        raise DataError("cut: there is no loss to cut; give comments that the rules keep")
    if not np.isfinite(ordered).all():
        raise DataError("cut: a loss is not a finite number; train the comment model again")
    if options.method == "loss":
        return _measure(ordered, method="loss", threshold=options.highest)
    if ordered[0] == ordered[-1]:
        raise DataError(f"cut: all {len(ordered)} losses are equal; take 'method: loss'")
    if options.method == "percentile":
        kept = round(len(ordered) * (options.share or 0))
        if not kept:
            raise DataError(f"cut: 'share' keeps none of {len(ordered)} comments; raise it")
        return _measure(ordered, method="percentile", threshold=float(ordered[kept - 1]))
    if len(ordered) < _FEWEST:
        raise DataError(
            f"cut: {options.method} needs {_FEWEST} losses, and {len(ordered)} are there; give "
            "more comments or take 'method: percentile'"
        )
    # One thread: sums over all losses have the same bits on any number of cores.
    with threadpool_limits(1), warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # handled below
        if options.method == "k_means":
            means = KMeans(2, n_init=10, random_state=seed).fit(ordered[:, None])
            middle = float(means.cluster_centers_.mean())
            return _measure(ordered, method="k_means", threshold=middle)
        mixture = GaussianMixture(
            2, covariance_type="full", max_iter=_ROUNDS, random_state=seed
        ).fit(ordered[:, None])
    if not mixture.converged_:
        _LOG.warning("cut: the mixture still changes after %d rounds", _ROUNDS)
    return _cut_mixture(ordered, _read_components(mixture), options)


def find_crossing(low: Component, high: Component) -> float | None:
    """Return the loss from which on ``high`` is more probable than ``low``; None without one.

    The logarithm of the ratio of their densities is a parabola (a line for equal variances), which
    falls through zero at one place at most.
    """
    square = 1 / high.variance - 1 / low.variance
    slope = 2 * (low.mean / low.variance - high.mean / high.variance)
    constant = (
        high.mean**2 / high.variance
        - low.mean**2 / low.variance
        + math.log(high.variance / low.variance)
        + 2 * math.log(max(low.weight, 1e-300) / max(high.weight, 1e-300))
    )
    inside = slope**2 - 4 * square * constant
    if inside <= 0:
        return None
    # This form of the root, for a falling slope, also holds where the square term is zero.
    root = math.sqrt(inside)
    if slope < 0:
        return 2 * constant / (root - slope)
    return (-slope - root) / (2 * square) if square else None


def _read_components(mixture: GaussianMixture) -> tuple[Component, ...]:
    values = zip(mixture.weights_, mixture.means_, mixture.covariances_, strict=True)
    parts = [
        Component(weight=min(1.0, float(w)), mean=float(m[0]), variance=float(v[0, 0]))
        for w, m, v in values
    ]
    return tuple(sorted(parts, key=lambda part: (part.mean, part.variance, part.weight)))


def _cut_mixture(ordered: Losses, components: tuple[Component, ...], options: CutOptions) -> Cut:
    low, high = components
    found: dict[str, Any] = {"method": "gaussian_mixture", "components": components}
    found["crossing_point"] = find_crossing(low, high)
    if options.mixture == "as_released":
        first = ordered[:1]
        owner = int(high.log_density(first)[0] > low.log_density(first)[0])
        return _measure(ordered, kept_component=owner, **found)
    if found["crossing_point"] is None:
        raise DataError(
            "cut: one of the two distributions is nowhere less probable than the other, so that "
            "they have no crossing point; take 'method: percentile'"
        )
    return _measure(ordered, threshold=found["crossing_point"], **found)


def _measure(ordered: Losses, **found: Any) -> Cut:
    cut = Cut(losses=len(ordered), share_kept=0.0, **found)
    share = float(cut.keeps(ordered).mean())
    return Cut(losses=len(ordered), share_kept=share, **found)
