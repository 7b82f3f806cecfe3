<?php

namespace Larder\Data;

use RuntimeException;
use SplFileObject;

class Tables
{
    /**
     * Reads a CSV file and returns its rows as arrays.
     *
     * @param string $path of the file
     */
    public function readCsv(string $path): array
    {
        $file = new SplFileObject($path);
        $file->setFlags(SplFileObject::READ_CSV | SplFileObject::SKIP_EMPTY);
        $rows = [];
        foreach ($file as $row) {
            $rows[] = $row;
        }
        return $rows;
    }

    /** Reads only one column of a CSV file, by the name in its header. */
    public function readColumn(string $path, string $name): array
    {
        $rows = $this->readCsv($path);
        $place = array_search($name, array_shift($rows), true);
        if ($place === false) {
            throw new RuntimeException("$path has no column '$name'");
        }
        return array_column($rows, $place);
    }

    /** Writes rows to a CSV file, with a semicolon between two cells. */
    public function writeCsv(string $path, iterable $rows): int
    {
        $file = new SplFileObject($path, 'w');
        $written = 0;
        foreach ($rows as $row) {
            $file->fputcsv($row, ';');
            $written++;
        }
        return $written;
    }

    /**
     * Writes data as JSON to a file and fails where that is not possible.
     *
     * @param mixed $data
     */
    public function writeJson(string $path, $data): void
    {
        $json = json_encode($data, JSON_PRETTY_PRINT | JSON_UNESCAPED_SLASHES);
        if ($json === false || file_put_contents($path, $json) === false) {
            throw new RuntimeException("could not write '$path'");
        }
    }

    /** Adds a record as one line of JSON to the end of a journal. */
    public function appendRecord(string $journal, array $record): void
    {
        $line = json_encode($record, JSON_UNESCAPED_UNICODE) . PHP_EOL;
        $handle = fopen($journal, 'ab');
        flock($handle, LOCK_EX);
        fwrite($handle, $line);
        fclose($handle);
    }

    /** Parses a JSON text and returns the value under one of its keys. */
    public function jsonValue(string $text, string $key, $default = null)
    {
        $decoded = json_decode($text, true);
        if (!is_array($decoded)) {
            return $default;
        }
        return $decoded[$key] ?? $default;
    }

    /** Draws a table with aligned columns out of plain characters. */
    public function draw(array $rows): string
    {
        $drawn = '';
        foreach ($rows as $row) {
            $cells = array_map(fn ($cell) => str_pad((string) $cell, 12), $row);
            $drawn .= rtrim(implode('| ', $cells)) . "\n";
        }
        return $drawn;
    }
}
