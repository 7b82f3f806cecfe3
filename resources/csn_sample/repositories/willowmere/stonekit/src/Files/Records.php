<?php

namespace Stonekit\Files;

use Generator;
use JsonException;
use RuntimeException;

class Records
{
	private string $folder;

	public function __construct(string $folder)
	{
		$this->folder = rtrim($folder, '/');
	}

	/**
	 * Loads a table of comma separated values whose first line has the column names.
	 *
	 * @param string $name      of the table, without folder
	 * @param string $separator between two values
	 * @return array<int, array<string, string>>
	 */
	public function loadTable(string $name, string $separator = ','): array
	{
		$handle = fopen($this->folder . '/' . $name, 'r');
		$header = fgetcsv($handle, 0, $separator);
		$rows = [];
		while (($values = fgetcsv($handle, 0, $separator)) !== false) {
			$rows[] = array_combine($header, $values);
		}
		fclose($handle);
		return $rows;
	}

	/**
	 * Stores rows as comma separated values, with the keys of the first row as header.
	 */
	public function storeTable(string $name, array $rows): void
	{
		$handle = fopen($this->folder . '/' . $name, 'w');
		if ($rows) {
			fputcsv($handle, array_keys($rows[0]));
		}
		foreach ($rows as $row) {
			fputcsv($handle, $row);
		}
		fclose($handle);
	}

	/**
	 * Decodes a JSON document of the folder into an array.
	 */
	public function loadDocument(string $name): array
	{
		$text = file_get_contents($this->folder . '/' . $name);
		try {
			return json_decode($text, true, 64, JSON_THROW_ON_ERROR);
		} catch (JsonException $error) {
			throw new RuntimeException("$name is no JSON: " . $error->getMessage());
		}
	}

	/**
	 * Encodes a value as JSON and saves it under a temporary name first.
	 *
	 * Readers see the old document or the new one, never half of it.
	 */
	public function storeDocument(string $name, $value): void
	{
		$target = $this->folder . '/' . $name;
		$json = json_encode($value, JSON_PRETTY_PRINT | JSON_THROW_ON_ERROR);
		file_put_contents($target . '.tmp', $json . "\n", LOCK_EX);
		rename($target . '.tmp', $target);
	}

	/**
	 * Yields the lines of a text one after the other without their line ends.
	 */
	public function lines(string $name): Generator
	{
		$handle = fopen($this->folder . '/' . $name, 'r');
		while (($line = fgets($handle)) !== false) {
			yield rtrim($line, "\r\n");
		}
		fclose($handle);
	}

	/**
	 * Appends a message with time and level to the log of the day.
	 */
	public function log(string $level, string $message): void
	{
		$path = $this->folder . '/' . date('Y-m-d') . '.log';
		$entry = sprintf("%s [%s] %s\n", date('H:i:s'), strtoupper($level), $message);
		if (file_put_contents($path, $entry, FILE_APPEND) === false) {
			throw new RuntimeException("cannot write to $path");
		}
	}

	/**
	 * Reads settings of the form "key = value" and leaves out comments.
	 *
	 * @return array<string, string>
	 */
	public function settings(string $name): array
	{
		$settings = [];
		foreach ($this->lines($name) as $line) {
			if ($line === '' || $line[0] === '#') {
				continue;
			}
			[$key, $value] = array_pad(explode('=', $line, 2), 2, '');
			$settings[trim($key)] = trim($value);
		}
		return $settings;
	}

	/**
	 * Removes a folder with everything in it, the deepest files first.
	 */
	public function removeFolder(string $folder): void
	{
		foreach (array_diff(scandir($folder), ['.', '..']) as $entry) {
			$path = $folder . '/' . $entry;
			is_dir($path) ? $this->removeFolder($path) : unlink($path);
		}
		rmdir($folder);
	}

	/**
	 * Adds up the sizes of all files below the folder, in bytes.
	 */
	public function totalSize(string $pattern = '*'): int
	{
		$total = 0;
		foreach (glob($this->folder . '/' . $pattern) as $path) {
			if (is_file($path)) {
				$total += filesize($path);
			}
		}
		return $total;
	}

	/**
	 * Writes a number of bytes with a unit that people can read.
	 */
	public function readableSize(int $bytes): string
	{
		$units = ['B', 'kB', 'MB', 'GB', 'TB'];
		$step = 0;
		while ($bytes >= 1000 && $step < count($units) - 1) {
			$bytes /= 1000;
			$step++;
		}
		return round($bytes, 1) . ' ' . $units[$step];
	}

	public function exists(string $name): bool
	{
		$path = $this->folder . '/' . $name;
		return is_file($path) && is_readable($path);
	}
}
