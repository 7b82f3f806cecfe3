<?php

namespace Stonekit\Maths;

use DomainException;

class Numbers
{
	/**
	 * Multiplies two matrices that are given as lists of rows.
	 *
	 * @param float[][] $left
	 * @param float[][] $right has as many rows as $left has columns
	 */
	public static function product(array $left, array $right): array
	{
		$columns = array_map(null, ...$right);
		$product = [];
		foreach ($left as $i => $row) {
			foreach ($columns as $j => $column) {
				$product[$i][$j] = self::dot($row, (array) $column);
			}
		}
		return $product;
	}

	/**
	 * Computes the inner product of two vectors of the same length.
	 */
	public static function dot(array $left, array $right): float
	{
		$sum = 0.0;
		foreach ($left as $i => $value) {
			$sum += $value * $right[$i];
		}
		return $sum;
	}

	/**
	 * Exchanges the rows and columns of a matrix.
	 */
	public static function transpose(array $matrix): array
	{
		$flipped = [];
		foreach ($matrix as $i => $row) {
			foreach ($row as $j => $value) {
				$flipped[$j][$i] = $value;
			}
		}
		return $flipped;
	}

	/**
	 * Returns the identity matrix with ones on its diagonal.
	 */
	public static function identity(int $size): array
	{
		$matrix = [];
		for ($i = 0; $i < $size; $i++) {
			$matrix[] = array_fill(0, $size, 0);
			$matrix[$i][$i] = 1;
		}
		return $matrix;
	}

	/**
	 * Returns the middle value of a list of numbers, the mean of two where it is even.
	 */
	public static function median(array $numbers): float
	{
		if (!$numbers) {
			throw new DomainException('the median of nothing');
		}
		sort($numbers);
		$half = intdiv(count($numbers), 2);
		if (count($numbers) % 2 === 1) {
			return $numbers[$half];
		}
		return ($numbers[$half - 1] + $numbers[$half]) / 2;
	}

	/**
	 * Computes the standard deviation of a sample around its mean.
	 */
	public static function deviation(array $sample): float
	{
		$mean = array_sum($sample) / count($sample);
		$squares = 0.0;
		foreach ($sample as $value) {
			$squares += ($value - $mean) ** 2;
		}
		return sqrt($squares / (count($sample) - 1));
	}

	/**
	 * Finds the greatest common divisor of two numbers with the method of Euclid.
	 */
	public static function commonDivisor(int $a, int $b): int
	{
		while ($b !== 0) {
			[$a, $b] = [$b, $a % $b];
		}
		return abs($a);
	}

	/**
	 * Lists the prime numbers up to a limit with the sieve of Eratosthenes.
	 *
	 * @param int $limit included
	 * @return int[]
	 */
	public static function primes(int $limit): array
	{
		$sieve = array_fill(2, max(0, $limit - 1), true);
		for ($p = 2; $p * $p <= $limit; $p++) {
			for ($multiple = $p * $p; $sieve[$p] && $multiple <= $limit; $multiple += $p) {
				$sieve[$multiple] = false;
			}
		}
		return array_keys(array_filter($sieve));
	}

	/**
	 * Converts a temperature from degrees Fahrenheit to kelvin.
	 */
	public static function fahrenheitToKelvin(float $degrees): float
	{
		$celsius = ($degrees - 32) * 5 / 9;
		$kelvin = $celsius + 273.15;
		if ($kelvin < 0) {
			throw new DomainException("$degrees is below absolute zero");
		}
		return round($kelvin, 2);
	}

	/**
	 * Converts a length in miles to kilometres and rounds it.
	 */
	public static function milesToKilometres(float $miles, int $digits = 1): float
	{
		$metresPerMile = 1609.344;
		$kilometres = $miles * $metresPerMile / 1000;
		return round($kilometres, $digits);
	}

	/**
	 * Computes the area of a polygon from the coordinates of its corners.
	 *
	 * @param array $corners pairs of x and y, in order
	 */
	public static function polygonArea(array $corners): float
	{
		$doubled = 0.0;
		$previous = end($corners);
		foreach ($corners as $corner) {
			$doubled += $previous[0] * $corner[1] - $corner[0] * $previous[1];
			$previous = $corner;
		}
		return abs($doubled) / 2;
	}

	public static function clamp(float $value, float $low, float $high): float
	{
		return max($low, min($high, $value));
	}
}
