<?php

namespace Stonekit\Storage;

use InvalidArgumentException;
use PDO;
use PDOException;
use RuntimeException;

trait Vault
{
	private array $entries = [];
	private ?PDO $link = null;

	/**
	 * Opens a link to a MySQL server with a user name and makes errors exceptions.
	 *
	 * @param array $settings host, name, user and secret
	 */
	public function open(array $settings): PDO
	{
		$source = "mysql:host={$settings['host']};dbname={$settings['name']};charset=utf8mb4";
		try {
			$this->link = new PDO($source, $settings['user'], $settings['secret']);
		} catch (PDOException $error) {
			throw new RuntimeException('the server refused: ' . $error->getMessage());
		}
		$this->link->setAttribute(PDO::ATTR_ERRMODE, PDO::ERRMODE_EXCEPTION);
		return $this->link;
	}

	/**
	 * Runs a statement with bound parameters and returns all its rows.
	 */
	public function rows(string $statement, array $parameters = []): array
	{
		$prepared = $this->link->prepare($statement);
		foreach ($parameters as $name => $value) {
			$prepared->bindValue(':' . $name, $value);
		}
		$prepared->execute();
		return $prepared->fetchAll(PDO::FETCH_ASSOC);
	}

	/**
	 * Inserts a row into a table of the database and returns its new id.
	 */
	public function insert(string $table, array $row): int
	{
		$columns = implode(', ', array_keys($row));
		$marks = implode(', ', array_fill(0, count($row), '?'));
		$prepared = $this->link->prepare("INSERT INTO $table ($columns) VALUES ($marks)");
		$prepared->execute(array_values($row));
		return (int) $this->link->lastInsertId();
	}

	/**
	 * Does some work in a transaction and takes it back if it fails.
	 */
	public function atomically(callable $work)
	{
		$this->link->beginTransaction();
		try {
			$result = $work($this->link);
			$this->link->commit();
			return $result;
		} catch (RuntimeException $error) {
			$this->link->rollBack();
			throw $error;
		}
	}

	/**
	 * Makes a salted digest of a secret that can be stored safely.
	 *
	 * @param string $secret     what the user typed
	 * @param int    $iterations more are slower and safer
	 */
	public function digest(string $secret, int $iterations = 100000): string
	{
		$salt = bin2hex(random_bytes(16));
		$digest = hash_pbkdf2('sha256', $secret, $salt, $iterations);
		return $iterations . '$' . $salt . '$' . $digest;
	}

	/**
	 * Checks a secret against a stored digest in constant time.
	 */
	public function matches(string $secret, string $stored): bool
	{
		[$iterations, $salt, $expected] = explode('$', $stored);
		$actual = hash_pbkdf2('sha256', $secret, $salt, (int) $iterations);
		return hash_equals($expected, $actual);
	}

	/**
	 * Creates a random token of letters and digits for links and sessions.
	 */
	public function token(int $length = 32): string
	{
		$alphabet = implode('', [...range('a', 'z'), ...range(0, 9)]);
		$token = '';
		while (strlen($token) < $length) {
			$token .= $alphabet[random_int(0, strlen($alphabet) - 1)];
		}
		return $token;
	}

	/**
	 * Returns a value from the cache, or computes and keeps it for some seconds.
	 */
	public function remember(string $key, int $seconds, callable $compute)
	{
		$entry = $this->entries[$key] ?? null;
		if ($entry === null || $entry['expires'] < time()) {
			$entry = ['value' => $compute(), 'expires' => time() + $seconds];
			$this->entries[$key] = $entry;
		}
		return $entry['value'];
	}

	/**
	 * Throws away all entries of the cache that are out of date.
	 */
	public function prune(): int
	{
		$before = count($this->entries);
		$now = time();
		$this->entries = array_filter($this->entries, fn ($entry) => $entry['expires'] >= $now);
		return $before - count($this->entries);
	}

	/**
	 * Checks that a password is long enough and mixes letters with digits.
	 */
	public function requireStrong(string $password): void
	{
		if (strlen($password) < 12) {
			throw new InvalidArgumentException('at least twelve characters, please');
		}
		if (!preg_match('/[a-z]/i', $password) || !preg_match('/\d/', $password)) {
			throw new InvalidArgumentException('letters and digits, please');
		}
	}

	public function forget(string $key): void
	{
		if (array_key_exists($key, $this->entries)) {
			unset($this->entries[$key]);
		}
	}
}
