"""``croissant.json``: a dataset described for machines, as Croissant 1.0.

Specification: https://docs.mlcommons.org/croissant/docs/croissant-spec.html. Addresses of files are
relative to the description, which can so be read from the folder that it was made in.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from ncsbench.apps.data_card.card_facts import find_days
from ncsbench.base.files.hashes import check_file, known_hash
from ncsbench.base.files.storage import iterate_tables, write_json
from ncsbench.corpus.layout.layout import CorpusFolder
from ncsbench.corpus.layout.ledger_schema import LICENCE_SCHEMA
from ncsbench.studies.ncsed.table_settings import CardSettings

CONFORMS_TO = "http://mlcommons.org/croissant/1.0"
_SPDX = "https://spdx.org/licenses/"
_ARCHIVE = ".tar.gz"
_FORMATS = {
    **{".csv": "text/csv", ".json": "application/json", ".md": "text/markdown"},
    **{".parquet": "application/x-parquet", ".tex": "application/x-tex", ".txt": "text/plain"},
    **{_ARCHIVE: "application/x-tar"},
}
_METHODS = {
    "id": ("sc:Integer", "Number of the method in this corpus, from 0."),
    "filepath": ("sc:Text", "Owner, repository and path of its file."),
    "method_name": ("sc:Text", "Its name."),
    "start_line": ("sc:Integer", "Its first line, from 1."),
    "end_line": ("sc:Integer", "Its last line."),
    "url": ("sc:Text", "Link to these lines; empty where the repository has no versions."),
}
_QUESTIONS = {
    "stackoverflow_id": ("sc:Text", "Id of the post."),
    "question": ("sc:Text", "Its title, the query."),
    "question_url": ("sc:Text", "Link to the question."),
    "question_author": ("sc:Text", "Who asked."),
    "question_author_url": ("sc:Text", "Link to who asked."),
    "answer": ("sc:Text", "Code of an answer."),
    "answer_url": ("sc:Text", "Link to the answer."),
    "answer_author": ("sc:Text", "Who answered."),
    "answer_author_url": ("sc:Text", "Link to who answered."),
    "examples": ("sc:Integer", "Methods that resemble the answer most, best first."),
    "examples_url": ("sc:Text", "Links to them."),
}
_REPEATED = ("examples", "examples_url")
_Properties = dict[str, Any]


def write_croissant(
    settings: CardSettings,
    corpus: CorpusFolder,
    licences: Path,
    released: Path,
    tables: Sequence[Path],
    output: Path,
) -> None:
    """Describe a dataset for machines, as Croissant: its files, and the records in them.

    Args:
        settings: the facts that the description states of the dataset; empty ones are left out.
        corpus: folder of the corpus that was released.
        licences: table of ``LICENCE_SCHEMA``.
        released: folder of the released files (``write_release``).
        tables: other files; a file with the name of a released file is left out.
        output: JSON to write, atomically; the same files give the same bytes.
    """
    files = {path.name: path for path in [*tables, *sorted(released.iterdir())]}
    archives = sorted(
        (name for name in files if name.endswith(_ARCHIVE)), key=lambda name: (len(name), name)
    )
    manifest = corpus.manifest()
    counts = (
        f"{manifest['methods']:,} Java methods of {manifest['repositories']['taken']:,} "
        "repositories, and questions of Stack Overflow to search them by. Each repository has its "
        "own licence and authors: attribution_repositories.csv names them. Corpus "
        f"{manifest['corpus_hash']}."
    )
    days = find_days(licences)
    about: _Properties = {
        "@context": _CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": CONFORMS_TO,
        "name": settings.dataset,
        "description": " ".join(filter(None, [settings.description, counts])),
        "license": [*filter(None, [settings.licence]), *_find_licences(licences)],
        "citeAs": settings.citation,
        "creator": [{"@type": "sc:Organization", "name": name} for name in settings.creators],
        "url": settings.url,
        "version": settings.version,
        "datePublished": settings.published,
        "temporalCoverage": f"{days[0].isoformat()}/{days[-1].isoformat()}" if days else "",
        "inLanguage": "en",
        "distribution": [
            *(_describe_file(name, path, output.parent) for name, path in sorted(files.items())),
            *map(_describe_member, archives),
        ],
        "recordSet": [
            *(_describe_methods(number, name) for number, name in enumerate(archives, start=1)),
            _describe_records(
                "questions",
                "Questions, each with an answer and the methods that resemble it.",
                _QUESTIONS,
                file="questions.json",
                extract=lambda column: {"jsonPath": f"$[*].{column}"},
            ),
        ],
    }
    write_json(output, {key: value for key, value in about.items() if value})


def _find_licences(licences: Path) -> list[str]:
    ids = {
        spdx
        for table in iterate_tables(licences, LICENCE_SCHEMA, ["spdx"])
        for spdx in table["spdx"].to_pylist()
        if spdx
    }
    return [f"{_SPDX}{spdx}" for spdx in sorted(ids)]


def _describe_file(name: str, path: Path, folder: Path) -> _Properties:
    check_file(path)
    suffix = next((known for known in _FORMATS if name.endswith(known)), "")
    return {
        "@type": "cr:FileObject",
        "@id": name,
        "name": name,
        "contentUrl": Path(os.path.relpath(path, folder)).as_posix(),
        "contentSize": f"{path.stat().st_size} B",
        "encodingFormat": _FORMATS.get(suffix, "application/octet-stream"),
        "sha256": known_hash(path),
    }


def _describe_member(archive: str) -> _Properties:
    """Describe the one file of an archive of methods."""
    name = _name_member(archive)
    return {
        "@type": "cr:FileObject",
        "@id": name,
        "name": name,
        "containedIn": {"@id": archive},
        "contentUrl": name,
        "encodingFormat": "application/jsonlines",
    }


def _name_member(archive: str) -> str:
    return archive.replace(_ARCHIVE, ".jsonl")


def _describe_methods(number: int, archive: str) -> _Properties:
    """Describe the records of one archive: readers take one file for a set of records."""
    name = f"methods_{number}"
    records = _describe_records(
        name,
        "Where the methods stand; their code stays in the repositories.",
        _METHODS,
        file=_name_member(archive),
        extract=lambda column: {"column": column},
    )
    return {**records, "key": {"@id": f"{name}/id"}}


def _describe_records(
    name: str,
    text: str,
    columns: Mapping[str, tuple[str, str]],
    *,
    file: str,
    extract: Callable[[str], dict[str, str]],
) -> _Properties:
    fields = [
        {
            "@type": "cr:Field",
            "@id": f"{name}/{column}",
            "name": column,
            "description": meaning,
            "dataType": kind,
            "source": {"fileObject": {"@id": file}, "extract": extract(column)},
            **({"repeated": True} if column in _REPEATED else {}),
        }
        for column, (kind, meaning) in columns.items()
    ]
    return {
        "@type": "cr:RecordSet",
        "@id": name,
        "name": name,
        "description": text,
        "field": fields,
    }


_CONTEXT: _Properties = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    **{
        name: f"cr:{name}"
        for name in (
            *("citeAs", "column", "equivalentProperty", "extract", "field", "fileProperty"),
            *("fileObject", "fileSet", "format", "includes", "isLiveDataset", "jsonPath", "key"),
            *("md5", "parentField", "path", "recordSet", "references", "regex", "repeated"),
            *("replace", "samplingRate", "separator", "source", "subField", "transform"),
        )
    },
    "conformsTo": "dct:conformsTo",
    "cr": "http://mlcommons.org/croissant/",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "dct": "http://purl.org/dc/terms/",
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "rai": "http://mlcommons.org/croissant/RAI/",
    "sc": "https://schema.org/",
}
"""The context of the specification: the meaning of the names, so that no reader needs a network."""
