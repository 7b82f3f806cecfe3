import csv
import io
import json
import os
import tempfile


def read_csv(path, encoding="utf-8"):
    """Read a csv file into a list of rows and skip empty lines."""
    with open(path, newline="", encoding=encoding) as stream:
        dialect = csv.Sniffer().sniff(stream.read(2048))
        stream.seek(0)
        return [row for row in csv.reader(stream, dialect) if row]


def csv_to_columns(text):
    """Parse csv text and return a list of values for each column."""
    reader = csv.DictReader(io.StringIO(text))
    columns = {name: [] for name in reader.fieldnames}
    for row in reader:
        for name, value in row.items():
            columns[name].append(value)
    return columns


def export_csv(accounts, path):
    """Export accounts as csv, sorted by their number."""
    with open(path, "w", newline="", encoding="utf-8") as stream:
        writer = csv.writer(stream)
        writer.writerow(["number", "owner", "balance"])
        for account in sorted(accounts, key=lambda account: account.number):
            writer.writerow([account.number, account.owner, f"{account.balance:.2f}"])


def dump_json(document, path):
    """Write a document to a json file and replace the old file at once.

    A reader sees the old document or the new one, never half of it.
    """
    folder = os.path.dirname(os.path.abspath(path))
    descriptor, name = tempfile.mkstemp(dir=folder)
    with os.fdopen(descriptor, "w", encoding="utf-8") as stream:
        json.dump(document, stream, ensure_ascii=False, indent=2)
    os.replace(name, path)


def merge_json_files(paths):
    """Read several json files and merge their objects into one."""
    merged = {}
    for path in paths:
        with open(path, encoding="utf-8") as stream:
            merged.update(json.load(stream))
    return merged


def to_json(letter):
    """Convert a letter to a string of json with readable dates."""
    fields = dict(vars(letter))
    for name, value in fields.items():
        if hasattr(value, "isoformat"):
            fields[name] = value.isoformat()
    return json.dumps(fields, sort_keys=True)


def read_fixed_width(line, widths):
    """Split a line of fixed width columns into stripped values."""
    values, start = [], 0
    for width in widths:
        values.append(line[start : start + width].strip())
        start += width
    return values


def file_lines(path):
    with open(path, encoding="utf-8") as stream:
        for line in stream:
            yield line.rstrip("\r\n")


def column_widths(rows):
    columns = zip(*rows)
    return [max(len(str(value)) for value in column) for column in columns]
