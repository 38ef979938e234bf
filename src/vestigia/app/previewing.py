"""What `add` would do, without doing it."""

from collections.abc import Sequence
from pathlib import Path

from vestigia.app.archive import Tell, available_readers, quiet, telling, with_settings
from vestigia.app.workspace import Workspace
from vestigia.corpus.importing import ImportOptions
from vestigia.corpus.previewing import FilePreview, preview_path


def preview(
    workspace: Workspace, paths: Sequence[Path], options: ImportOptions, tell: Tell = quiet
) -> tuple[FilePreview, ...]:
    """Return what would become of each file; the archive stays as it was."""
    readers, options = available_readers(), with_settings(options, workspace)
    catalogue = workspace.catalogue()
    try:
        return tuple(one for path in paths for one in preview_path(catalogue, path, options, telling(tell), readers))
    finally:
        catalogue.close()
