"""The marker of tests that make environments, which takes minutes and the network."""

import pytest


def pytest_configure(config: pytest.Config) -> None:
    """Register the marker."""
    config.addinivalue_line("markers", "environments: makes the environments of the rules")
