"""Speed and memory of reading dumps: MB of unpacked text per second of one core.

The generated dump is like the real one: of the rows 40 in 100 are questions and 58 answers, and of
the questions one in ten has a wanted tag. Usage: python tests/bench/posts.py [MEGABYTES]
"""

import gzip
import importlib
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from xml.sax.saxutils import escape

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "workflow"))

SPEED, MEMORY = 15, 500
_WORDS = (
    "the activity of a view in android how do I call intent <code>onCreate(Bundle b)</code> when "
    'list adapter \u00fcber <p> </p>\n thread && null > 0 service "layout" fragment it\'s\n\n    '
    "public void run() { return; } <pre><code>int i = 0;\n</code></pre> exception"
).split(" ")
_TAGS = ("python", "html", "regex", "linux", "sql", "css", "json", "oop")
_REFERENCES = {"\n": "&#xA;", '"': "&quot;"}


def generate_rows(size: int) -> Iterator[bytes]:
    """Rows of about 1.6 KB of a seeded dump until ``size`` bytes."""
    draw = random.Random(20)  # noqa: S311
    bodies = [
        escape(" ".join(draw.choices(_WORDS, k=draw.randrange(40, 290))), _REFERENCES)
        + ("\u2026" if number % 12 == 0 else "")
        for number in range(500)
    ]
    made = number = 0
    asked = [1]
    while made < size:
        number += 1
        kind = draw.choices((1, 2, 5), (40, 58, 2))[0] if number > 1 else 1
        start = f'  <row Id="{number}" PostTypeId="{kind}"'
        if kind == 2:
            start += f' ParentId="{draw.choice(asked[-300:])}"'
        row = (
            f'{start} CreationDate="2015-05-05T12:00:00.123" Score="{draw.randrange(-3, 90)}"'
            f' Body="{draw.choice(bodies)}" OwnerUserId="{number % 9999}" LastEditorUserId="4"'
            ' LastEditDate="2016-05-05T12:00:00.123" LastActivityDate="2016-05-05T12:00:00.123"'
        )
        if kind == 1:
            asked.append(number)
            tags = ["java" if draw.random() < 0.1 else "c#", *draw.choices(_TAGS, k=2)]
            listed = "".join(f"&lt;{tag}&gt;" for tag in tags)
            row += f' ViewCount="812" Title="How do I &amp; why?" Tags="{listed}" AnswerCount="2"'
        line = (row + ' CommentCount="0" ContentLicense="CC BY-SA 3.0" />\n').encode()
        made += len(line)
        yield line


def write_dump(path: Path, megabytes: int) -> int:
    """Write a generated dump; returns its bytes."""
    with path.open("wb") as file:
        file.write(b'\xef\xbb\xbf<?xml version="1.0" encoding="utf-8"?>\n<posts>\n')
        file.writelines(generate_rows(megabytes * 1_000_000))
        file.write(b"</posts>\n")
    return path.stat().st_size


def time_passes(path: Path) -> tuple[float, float]:
    """Seconds of a core for each of the two passes over a dump."""
    from ncsbench.posts.dump.dump_options import PostSettings
    from ncsbench.posts.dump.dump_passes import read_answers, read_questions
    from ncsbench.posts.dump.merged_dumps import join_ids

    settings = PostSettings(path=path, tags=("java",))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        started = time.process_time()
        read_questions(settings, part=0, output=folder / "q/0000")
        between = time.process_time()
        join_ids(settings, folder / "q", folder / "ids")
        again = time.process_time()
        read_answers(settings, part=0, ids=folder / "ids", output=folder / "a")
        return between - started, time.process_time() - again


def report_speed(label: str, path: Path, size: int) -> float:
    """Print the speeds of the passes over a dump; returns the slower one."""
    speeds = [size / 1e6 / used for used in time_passes(path)]
    print(f"{label:24} questions {speeds[0]:6.0f}  answers {speeds[1]:6.0f} MB/s")  # noqa: T201
    return min(speeds)


def measure_memory(path: Path) -> int:
    """Peak MiB of the command ``posts read`` in a process of its own."""
    with tempfile.TemporaryDirectory(dir=path.parent) as output:
        command = ["posts", "read", str(path), "--tags", "java", "--output", output]
        done = subprocess.run(
            [sys.executable, "-m", "ncsbench", *command, "--maximum-broken", "1"],
            capture_output=True,
            text=True,
            check=True,
            env={"PYTHONPATH": str(ROOT / "workflow"), "PATH": "/usr/bin:/bin"},
        )
    logged = re.findall(r"usage: (seconds=\S+) peak_mib=(\d+)", done.stderr)
    print(f"{'generated, posts read':24} {logged[0][0]}, peak {logged[0][1]} MiB")  # noqa: T201
    return int(logged[0][1])


def main() -> None:
    """Print speeds and the peak of memory; exit with 1 where a bar is missed."""
    megabytes = int(sys.argv[1]) if len(sys.argv) > 1 else 2000
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        small = folder / "small.Posts.xml"
        size = write_dump(small, 200)
        speed = report_speed("generated", small, size)
        with small.open("rb") as source, gzip.open(folder / "small.gz", "wb", 6) as target:
            shutil.copyfileobj(source, target)
        report_speed("generated, gzip", folder / "small.gz", size)
        if archive := pack_7z(small):
            report_speed("generated, 7z", archive, size)
        large = folder / "large.Posts.xml"
        print(f"generated: {write_dump(large, megabytes) / 1e6:.0f} MB")  # noqa: T201
        peak = measure_memory(large)
    sys.exit(speed < SPEED or peak >= MEMORY)


def pack_7z(path: Path) -> Path | None:
    """Pack a dump by LZMA as the published ones are; None where libarchive is missing."""
    try:
        libarchive = importlib.import_module("libarchive")
    except (ImportError, OSError, AttributeError, TypeError):
        return None
    packed = path.with_suffix(".7z")
    with libarchive.file_writer(str(packed), "7zip") as archive:
        archive.add_files(str(path), pathname="Posts.xml")
    return packed


if __name__ == "__main__":
    main()
