"""The lineage as an RO-Crate that other tools read."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from rocrate.rocrate import ROCrate
from typer.testing import CliRunner

from ncsbench.cli.main import app
from ncsbench.provenance.lineage import read_lineage
from ncsbench.provenance.provenance_file import write_provenance
from ncsbench.provenance.ro_crate import to_crate
from tests.unit import made_up_run
from tests.unit.made_up_run import METADATA, TABLE, write_file, write_record

PROVENANCE = Path("results/toy/provenance.json")
DOCUMENT = Path("ro-crate-metadata.json")


@pytest.fixture(autouse=True)
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    made_up_run.make_run()


def export() -> ROCrate:
    write_provenance(
        PROVENANCE,
        tables=[Path(TABLE)],
        dataset="toy",
        metadata=METADATA,
        settings=made_up_run.SETTINGS,
    )
    done = CliRunner().invoke(app, ["provenance", "export", str(PROVENANCE)])
    assert done.exit_code == 0, done.output
    return ROCrate(Path())


def test_the_crate_has_what_the_profile_asks_for() -> None:
    crate = export()
    assert crate.metadata["conformsTo"] == "https://w3id.org/ro/crate/1.1"
    root = crate.root_dataset
    assert {"name", "description", "datePublished", "license", "hasPart"} <= root.keys()
    assert root["conformsTo"]["name"] == "Process Run Crate"
    parts = {part.id for part in root["hasPart"]}
    assert {TABLE, "data/toy/words/", "data/toy/words/deep/offsets.npy"} <= parts
    assert not [part for part in parts if part.startswith("#")]
    actions = root["mentions"]
    assert {action.type for action in actions} == {"CreateAction"}
    for action in actions:
        assert action["instrument"].type == "SoftwareApplication"
        for name in ("object", "result"):  # a reference to nothing would be text
            value = action.get(name)
            found = value if isinstance(value, list) else [value]
            assert all(hasattr(one, "type") for one in found)
    (tables,) = [action for action in actions if action["name"] == "tables"]
    assert tables["startTime"] == "1970-01-01T00:16:40.500000+00:00"
    assert {TABLE, "results/toy/qrels.txt"} < {one.id for one in tables["result"]}


def test_settings_code_and_machine_of_a_job_stand_in_the_crate() -> None:
    crate = export()
    (words,) = [one for one in crate.root_dataset["mentions"] if one["name"] == "words"]
    settings = {one["name"]: one["value"] for one in words["object"] if one.type == "PropertyValue"}
    assert settings == {"class_name": True, "more": "[1, null]", "seed": 2019}
    assert words["instrument"]["hasPart"]["identifier"] == "00ff"
    assert words["instrument"]["softwareRequirements"]["softwareVersion"] == "2.4.6"
    assert "Python" in words["additionalProperty"]["value"]


def test_the_document_is_the_same_for_the_same_lineage() -> None:
    export()
    lineage = read_lineage(PROVENANCE)
    identities = [entity["@id"] for entity in to_crate(lineage)["@graph"]]
    assert len(set(identities)) == len(identities)
    assert to_crate(lineage) == to_crate(lineage) == json.loads(DOCUMENT.read_text())


def test_hostile_paths_stay_inside_the_crate_or_become_fragments() -> None:
    inside = "data/`a` b#c?d%2e.csv"
    names = [inside, "../outside.csv", "/etc/absolute", "javascript:alert(1)", "data/\x00"]
    write_record(TABLE, "tables", names)
    write_file("../outside.csv", "outside")
    write_file(inside, "inside")
    crate = export()
    quoted = "data/%60a%60%20b%23c%3Fd%252e.csv"
    assert {part.id for part in crate.root_dataset["hasPart"]} == {quoted, TABLE}
