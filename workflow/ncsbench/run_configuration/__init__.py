"""Floor 1: what one run of the workflow computes, checked and resolved."""

from ncsbench.run_configuration.code import RuleCode, kinds_of
from ncsbench.run_configuration.loading import RunConfiguration, load_run
from ncsbench.run_configuration.models import CONTROLS, ModelConfiguration

__all__ = ["CONTROLS", "ModelConfiguration", "RuleCode", "RunConfiguration", "kinds_of", "load_run"]
