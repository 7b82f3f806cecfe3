<?php

namespace Stonekit\Text;

final class Strings
{
	/**
	 * Turns the characters of a word around, also those of several bytes.
	 *
	 * @param string $word
	 */
	public static function backwards(string $word): string
	{
		$letters = mb_str_split($word);
		$mirrored = '';
		foreach ($letters as $letter) {
			$mirrored = $letter . $mirrored;
		}
		return $mirrored;
	}

	/**
	 * Tells whether a phrase reads the same forwards and backwards, without blanks and case.
	 */
	public static function isPalindrome(string $phrase): bool
	{
		$plain = preg_replace('/[^\p{L}\p{N}]/u', '', mb_strtolower($phrase));
		$last = mb_strlen($plain) - 1;
		for ($i = 0; $i < $last - $i; $i++) {
			if (mb_substr($plain, $i, 1) !== mb_substr($plain, $last - $i, 1)) {
				return false;
			}
		}
		return true;
	}

	/**
	 * Makes a title fit for an address: lower case letters, digits and single hyphens.
	 *
	 * @param string $title any text
	 * @return string
	 */
	public static function slug(string $title): string
	{
		$ascii = iconv('UTF-8', 'ASCII//TRANSLIT', $title);
		$hyphened = preg_replace('/[^A-Za-z0-9]+/', '-', (string) $ascii);
		return strtolower(trim($hyphened, '-'));
	}

	/**
	 * Shortens a text to at most so many characters and ends it with an ellipsis.
	 */
	public static function shorten(string $text, int $limit, string $ellipsis = '…'): string
	{
		if (mb_strlen($text) <= $limit) {
			return $text;
		}
		$room = max(0, $limit - mb_strlen($ellipsis));
		return rtrim(mb_substr($text, 0, $room)) . $ellipsis;
	}

	/**
	 * Converts a name in snake case into camel case.
	 *
	 * The first letter stays small unless $capital is set.
	 */
	public static function camelCase(string $name, bool $capital = false): string
	{
		$parts = array_map('ucfirst', explode('_', strtolower($name)));
		$joined = implode('', $parts);
		return $capital ? $joined : lcfirst($joined);
	}

	/**
	 * Converts a name in camel case into snake case with underscores.
	 */
	public static function snakeCase(string $name): string
	{
		$spaced = preg_replace('/(?<=[a-z0-9])(?=[A-Z])/', '_', $name);
		if ($spaced === null) {
			return $name;
		}
		return strtolower($spaced);
	}

	/**
	 * Returns the part of a string between two marks, or null where one is missing.
	 *
	 * @param string $text
	 * @param string $open
	 * @param string $close
	 */
	public static function between(string $text, string $open, string $close): ?string
	{
		$from = strpos($text, $open);
		if ($from === false) {
			return null;
		}
		$from += strlen($open);
		$until = strpos($text, $close, $from);
		return $until === false ? null : substr($text, $from, $until - $from);
	}

	/**
	 * Fills the placeholders in braces of a template with the given values.
	 */
	public static function fill(string $template, array $values): string
	{
		$pairs = [];
		foreach ($values as $name => $value) {
			$pairs['{' . $name . '}'] = (string) $value;
		}
		return strtr($template, $pairs);
	}

	/**
	 * Counts how many edits turn one word into another (Levenshtein distance with two rows).
	 */
	public static function editDistance(string $left, string $right): int
	{
		$above = range(0, strlen($right));
		foreach (str_split($left) as $i => $a) {
			$row = [$i + 1];
			foreach (str_split($right) as $j => $b) {
				$row[] = min($row[$j] + 1, $above[$j + 1] + 1, $above[$j] + ($a === $b ? 0 : 1));
			}
			$above = $row;
		}
		return end($above);
	}

	/**
	 * Hides all but the last characters of a secret, for log messages.
	 */
	public static function mask(string $secret, int $visible = 4): string
	{
		$hidden = max(0, strlen($secret) - $visible);
		$tail = substr($secret, $hidden);
		return str_repeat('*', $hidden) . $tail;
	}

	public static function isBlank(string $text): bool { return trim($text) === ''; }

	public static function startsWithAny(string $text, array $starts): bool
	{
		foreach ($starts as $start) {
			if (str_starts_with($text, $start)) {
				return true;
			}
		}
		return false;
	}
}
