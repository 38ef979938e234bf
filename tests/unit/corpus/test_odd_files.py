"""Real files that importers choke on: each has its reason or its repair in the report, and none is silently empty."""

from pathlib import Path

import pytest

from vestigia.corpus.catalogue import Catalogue
from vestigia.corpus.importing import import_path


@pytest.mark.shared
def test_every_odd_file_has_a_reason_or_a_repair(shared_data: Path, tmp_path: Path):
    catalogue = Catalogue(tmp_path / "catalogue.sqlite")
    report = import_path(catalogue, shared_data / "broken-markup")
    files = [one for one in report.files if not one.file.endswith("SOURCE.md")]
    assert len(files) == 24
    said = {one.file.split("/")[-1]: one for one in files}
    assert [
        name
        for name, one in said.items()
        if not (one.failure or one.skipped or one.refused or one.warnings or one.joined)
    ] == []
    assert [name for name, one in said.items() if not one.skipped and not one.documents] == []
    joined = {name: said[name].joined for name in ("hyphen_match.html", "multicolumn.hocr", "altobadcoords.xml")}
    assert joined == {"hyphen_match.html": 28, "multicolumn.hocr": 1, "altobadcoords.xml": 28}
    assert [
        said[f"{name}.xml"].warnings[0].reason.split(" than ")[0]
        for name in ("table-order-0001", "table-order-0002", "table-region")
    ] == ["its regions stand in the file in another order"] * 3
    catalogue.close()
