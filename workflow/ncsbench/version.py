"""The version of the library: apart, so that a release changes no other module."""

__version__ = "0.9.0"
