<?php

namespace Stonekit\Text;

use InvalidArgumentException;

class Words
{
	private array $words;

	public function __construct(string $text)
	{
		$this->words = preg_split('/\W+/u', mb_strtolower($text), -1, PREG_SPLIT_NO_EMPTY);
	}

	public function __toString(): string
	{
		return implode(' ', $this->words);
	}

	/**
	 * Counts how often each of the words occurs, the most frequent first.
	 *
	 * @return array<string, int>
	 */
	public function frequencies(): array
	{
		$counts = [];
		foreach ($this->words as $word) {
			$counts[$word] = ($counts[$word] ?? 0) + 1;
		}
		arsort($counts);
		return $counts;
	}

	/**
	 * Returns the number of different words of the text.
	 */
	public function vocabularySize(): int
	{
		$seen = [];
		foreach ($this->words as $word) {
			$seen[$word] = true;
		}
		return count($seen);
	}

	/**
	 * Returns the longest word, the first one of several of the same length.
	 */
	public function longest(): string
	{
		$longest = '';
		foreach ($this->words as $word) {
			if (mb_strlen($word) > mb_strlen($longest)) {
				$longest = $word;
			}
		}
		return $longest;
	}

	/**
	 * Wraps the words into lines of at most a given width.
	 *
	 * A word that is wider than a line gets a line of its own.
	 *
	 * @param int $width in characters
	 * @return string[]
	 */
	public function lines(int $width): array
	{
		$lines = [];
		$line = '';
		foreach ($this->words as $word) {
			if ($line !== '' && strlen($line) + 1 + strlen($word) > $width) {
				$lines[] = $line;
				$line = '';
			}
			$line = ltrim($line . ' ' . $word);
		}
		return $line === '' ? $lines : [...$lines, $line];
	}

	/**
	 * Leaves out the stop words of a list and keeps the order of the others.
	 */
	public function without(array $stopWords): array
	{
		$unwanted = array_flip(array_map('mb_strtolower', $stopWords));
		$kept = array_filter($this->words, fn ($word) => !isset($unwanted[$word]));
		return array_values($kept);
	}

	/**
	 * Lists all runs of n neighbouring words as strings.
	 *
	 * @param int $n length of a run, at least one
	 */
	public function ngrams(int $n): array
	{
		if ($n < 1) {
			throw new InvalidArgumentException('a run has at least one word');
		}
		$runs = [];
		for ($start = 0; $start + $n <= count($this->words); $start++) {
			$runs[] = implode(' ', array_slice($this->words, $start, $n));
		}
		return $runs;
	}

	/**
	 * Measures how similar the vocabularies of two texts are, between zero and one.
	 */
	public function similarity(Words $other): float
	{
		$mine = array_unique($this->words);
		$theirs = array_unique($other->words);
		$common = count(array_intersect($mine, $theirs));
		$all = count($mine) + count($theirs) - $common;
		return $all === 0 ? 1.0 : $common / $all;
	}

	/**
	 * Capitalises every word of the text except short ones in the middle.
	 */
	public function title(): string
	{
		$titled = [];
		foreach ($this->words as $place => $word) {
			$small = $place > 0 && strlen($word) <= 3;
			$titled[] = $small ? $word : ucfirst($word);
		}
		return implode(' ', $titled);
	}

	/**
	 * Estimates how many minutes a reader needs for the text.
	 */
	public function readingMinutes(int $wordsPerMinute = 220): int
	{
		$minutes = count($this->words) / $wordsPerMinute;
		if ($minutes < 1) {
			return 1;
		}
		return (int) round($minutes);
	}
}
