"""What the fetching job is configured with."""

from __future__ import annotations

from pathlib import Path

from ncsbench.archives.download_options import ArchiveOptions
from ncsbench.configuration.strict_model import StrictModel


class FetchSettings(StrictModel):
    """Settings of the stage ``fetch``."""

    repositories: Path
    """The list of repositories."""
    store: Path
    """Folder of the store."""
    sizes: Path
    """CSV of measured archives, by which the disk that is needed is estimated."""
    arguments: str = ""
    """By which commands by hand name the dataset, for messages: ``--dataset ...``."""
    download: ArchiveOptions = ArchiveOptions()
    """Which archives are asked for, and how."""

    @property
    def work_folder(self) -> Path:
        """Beside the store: the lock of the fetching job, its progress, and zips in passing.

        The same folder by whichever link the store was reached: one store has one lock.
        """
        store = self.store.resolve()
        return store.with_name(f"{store.name}.fetching")
