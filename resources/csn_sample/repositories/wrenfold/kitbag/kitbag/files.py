import csv
import gzip
import json
import os
import shutil
from pathlib import Path


def read_csv_rows(path, delimiter=","):
    """Read a csv file and return its rows as a list of dictionaries."""
    with open(path, newline="", encoding="utf-8") as handle:
        reader = csv.DictReader(handle, delimiter=delimiter)
        return [dict(row) for row in reader]


def read_table(path, delimiter=","):
    """Read a table from a csv file, one dictionary for each row."""
    with open(path, newline="", encoding="utf-8") as handle:
        reader = csv.DictReader(handle, delimiter=delimiter)
        return [dict(row) for row in reader]


def write_csv_rows(path, rows, columns):
    """Write dictionaries to a csv file with the given columns as header.

    Keys of a row that are no column are left out.
    """
    with open(path, "w", newline="", encoding="utf-8") as handle:
        writer = csv.DictWriter(handle, fieldnames=columns, extrasaction="ignore")
        writer.writeheader()
        writer.writerows(rows)


def read_json(path, default=None):
    """Read a json file, or return the default value when it is missing."""
    try:
        with open(path, encoding="utf-8") as handle:
            return json.load(handle)
    except FileNotFoundError:
        return default


def write_json(path, value, indent=2):
    """Write a value to a json file with sorted keys and a final newline.

    @param path: where the file is written
    @param value: anything that json can represent
    """
    text = json.dumps(value, indent=indent, sort_keys=True)
    temporary = f"{path}.part"
    with open(temporary, "w", encoding="utf-8") as handle:
        handle.write(text + "\n")
    os.replace(temporary, path)


def append_json_line(path, record):
    """Append one record to a file of json lines."""
    line = json.dumps(record, separators=(",", ":"), ensure_ascii=False)
    with open(path, "a", encoding="utf-8") as handle:
        handle.write(line)
        handle.write("\n")


def count_lines(path, chunk_size=65536):
    """Count the lines of a large file without loading it into memory."""
    total = 0
    with open(path, "rb") as handle:
        while chunk := handle.read(chunk_size):
            total += chunk.count(b"\n")
    return total


def tail_lines(path, wanted):
    """Return the last lines of a text file, oldest first."""
    kept = []
    with open(path, encoding="utf-8") as handle:
        for line in handle:
            kept.append(line.rstrip("\n"))
            if len(kept) > wanted:
                kept.pop(0)
    return kept


def find_files(folder, suffix):
    """Find all files below a folder whose name ends with a suffix."""
    found = []
    for parent, folders, names in os.walk(folder):
        folders.sort()
        found += [os.path.join(parent, name) for name in names if name.endswith(suffix)]
    return sorted(found)


def folder_size(folder):
    """Sum the size in bytes of every file in a folder and its subfolders."""
    sizes = [entry.stat().st_size for entry in Path(folder).rglob("*") if entry.is_file()]
    if not sizes:
        return 0
    return sum(sizes)


def copy_if_newer(source, target):
    """Copy a file only if the source was modified after the target."""
    if os.path.exists(target) and os.path.getmtime(source) <= os.path.getmtime(target):
        return False
    os.makedirs(os.path.dirname(target) or ".", exist_ok=True)
    shutil.copy2(source, target)
    return True


def compress_file(path, level=6):
    """Compress a file with gzip and return the path of the archive."""
    packed = path + ".gz"
    with open(path, "rb") as source, gzip.open(packed, "wb", compresslevel=level) as target:
        shutil.copyfileobj(source, target)
    return packed


def latest_backup(folder):
    """Find the backup in a folder that was written last."""
    backups = list(Path(folder).glob("*.bak"))
    backups.sort(key=lambda backup: backup.stat().st_mtime)
    return backups[-1] if backups else None


def touch(path):
    folder = os.path.dirname(path)
    if folder:
        os.makedirs(folder, exist_ok=True)
    open(path, "a").close()


def has_suffix(path, suffix):
    """Tell whether a path ends with a suffix, whatever its case."""
    return path.lower().endswith(suffix.lower())
