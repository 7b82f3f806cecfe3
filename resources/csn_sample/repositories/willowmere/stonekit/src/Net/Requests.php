<?php

namespace Stonekit\Net;

use RuntimeException;

class Requests
{
	private array $headers = [];
	private int $timeout = 10;

	/**
	 * Sends a GET request and returns the body of the answer.
	 *
	 * @param string $url
	 * @throws RuntimeException if the server does not answer
	 */
	public function get(string $url): string
	{
		$options = ['method' => 'GET', 'timeout' => $this->timeout, 'header' => $this->headerLines()];
		$body = @file_get_contents($url, false, stream_context_create(['http' => $options]));
		if ($body === false) {
			throw new RuntimeException("no answer from $url");
		}
		return $body;
	}

	/**
	 * Posts fields as a form to an address and returns what comes back.
	 */
	public function postForm(string $url, array $fields): string
	{
		$curl = curl_init($url);
		curl_setopt($curl, CURLOPT_POSTFIELDS, http_build_query($fields));
		curl_setopt($curl, CURLOPT_RETURNTRANSFER, true);
		curl_setopt($curl, CURLOPT_TIMEOUT, $this->timeout);
		$body = curl_exec($curl);
		curl_close($curl);
		return (string) $body;
	}

	/**
	 * Calls an action again and again until it succeeds, with growing pauses between attempts.
	 *
	 * @param callable $action   what may throw
	 * @param int      $attempts how often at most
	 */
	public function withAttempts(callable $action, int $attempts = 3)
	{
		for ($attempt = 1; ; $attempt++) {
			try {
				return $action($attempt);
			} catch (RuntimeException $error) {
				if ($attempt >= $attempts) {
					throw $error;
				}
				usleep(100000 * 2 ** $attempt);
			}
		}
	}

	/**
	 * Appends parameters to an address that may have a query already.
	 */
	public function withParameters(string $url, array $parameters): string
	{
		$query = http_build_query($parameters);
		if ($query === '') {
			return $url;
		}
		$joint = str_contains($url, '?') ? '&' : '?';
		return $url . $joint . $query;
	}

	/**
	 * Splits raw header lines of an answer into names and values.
	 *
	 * @param string[] $lines
	 */
	public function parseHeaders(array $lines): array
	{
		$headers = [];
		foreach ($lines as $line) {
			if (strpos($line, ':') === false) {
				continue;
			}
			[$name, $value] = explode(':', $line, 2);
			$headers[strtolower(trim($name))] = trim($value);
		}
		return $headers;
	}

	/**
	 * Downloads an address into a local file in blocks of eight kilobytes.
	 */
	public function download(string $url, string $target): int
	{
		$source = fopen($url, 'rb');
		$sink = fopen($target, 'wb');
		$bytes = 0;
		while (!feof($source)) {
			$bytes += fwrite($sink, fread($source, 8192));
		}
		fclose($source);
		fclose($sink);
		return $bytes;
	}

	/**
	 * Tells whether a status code means that a later attempt may succeed.
	 */
	public function isTemporary(int $status): bool
	{
		$temporary = [408, 425, 429];
		if (in_array($status, $temporary, true)) {
			return true;
		}
		return $status >= 500 && $status !== 501;
	}

	/**
	 * Sets name and password for basic authentication of all later requests.
	 */
	public function authenticate(string $user, string $password): self
	{
		$credentials = base64_encode($user . ':' . $password);
		$this->headers['Authorization'] = 'Basic ' . $credentials;
		return $this;
	}

	/**
	 * Returns the host of an address in lower case, without its port.
	 */
	public function host(string $url): string
	{
		$host = parse_url($url, PHP_URL_HOST);
		if (!is_string($host)) {
			throw new RuntimeException("'$url' has no host");
		}
		return strtolower($host);
	}

	private function headerLines(): string
	{
		$lines = [];
		foreach ($this->headers as $name => $value) {
			$lines[] = $name . ': ' . $value;
		}
		return implode("\r\n", $lines);
	}
}
