"""The exceptions a user sees: one line that says what, where and how to mend it."""


class NcsbenchError(Exception):
    """A mistake the user can mend; the command line prints its message and exits with 1."""


class ConfigurationError(NcsbenchError):
    """A configuration, dataset or model file that cannot be used."""


class DataError(NcsbenchError):
    """An input or artifact that does not have the form its schema asks for."""
