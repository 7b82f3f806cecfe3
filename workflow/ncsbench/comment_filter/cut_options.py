"""Options of the cut: which losses of comments are low enough."""

from __future__ import annotations

from typing import Literal, Self

from pydantic import Field, model_validator

from ncsbench.configuration.strict_model import StrictModel

CutMethod = Literal["gaussian_mixture", "k_means", "percentile", "loss"]
_NEEDS = {"percentile": "share", "loss": "highest"}


class CutOptions(StrictModel):
    """Where losses of comments are cut; what lies below is kept (docs/comment-model.md)."""

    method: CutMethod = "gaussian_mixture"
    """``gaussian_mixture``: between two normal distributions, as published; ``k_means``: between
    two means; ``percentile``: a share of the comments; ``loss``: a loss that is given."""
    mixture: Literal["crossing_point", "as_released"] = "crossing_point"
    """``crossing_point`` keeps all losses up to where the higher distribution becomes more
    probable; ``as_released`` keeps what belongs to the distribution of the lowest
    loss, which may be both ends (DEV-177)."""
    share: float | None = Field(None, gt=0, le=1)
    """Of ``percentile``: share of the comments to keep."""
    highest: float | None = None
    """Of ``loss``: the highest loss to keep."""

    @model_validator(mode="after")
    def _check_needed(self) -> Self:
        for method, name in _NEEDS.items():
            if (getattr(self, name) is not None) != (self.method == method):
                verb = "needs" if self.method == method else "takes no"
                raise ValueError(f"method '{self.method}' {verb} '{name}'")
        if self.mixture != "crossing_point" and self.method != "gaussian_mixture":
            raise ValueError(f"method '{self.method}' takes no 'mixture'")
        return self
