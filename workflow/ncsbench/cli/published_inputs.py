"""Commands that get what others published."""

import typer

from ncsbench.cli.options import Output, Settings

app = typer.Typer(help="Published inputs.")


@app.callback()
def group() -> None:
    """Published inputs: lists, questions and methods that others keep."""


@app.command()
def get(settings: Settings, output: Output) -> None:
    """Download a published file, or copy it from a folder, and check it."""
    from ncsbench.archives.http_client import HttpClient
    from ncsbench.configuration.settings_files import read_settings
    from ncsbench.published_inputs.provision import get_published
    from ncsbench.published_inputs.source_files import PublishedInput

    options = read_settings(settings, PublishedInput)
    get_published(options, output, client=HttpClient(options.download))
