<?php

namespace Stonekit\Lists;

use OutOfBoundsException;

class Lists
{
	/**
	 * Orders rows by the value that each has under a key, smallest first.
	 *
	 * @param array[] $rows
	 * @param string  $key
	 */
	public static function orderBy(array $rows, string $key): array
	{
		usort($rows, function (array $left, array $right) use ($key) {
			return $left[$key] <=> $right[$key];
		});
		return $rows;
	}

	/**
	 * Orders rows by several keys, a minus before a key turns its order around.
	 */
	public static function orderByAll(array $rows, array $keys): array
	{
		usort($rows, function ($left, $right) use ($keys) {
			foreach ($keys as $key) {
				$name = ltrim($key, '-');
				$order = $left[$name] <=> $right[$name];
				if ($order !== 0) {
					return $key === $name ? $order : -$order;
				}
			}
			return 0;
		});
		return $rows;
	}

	/**
	 * Looks for a number in sorted numbers by halving the range, returns its place or -1.
	 */
	public static function place(array $sorted, int $wanted): int
	{
		$low = 0;
		$high = count($sorted) - 1;
		while ($low <= $high) {
			$middle = $low + intdiv($high - $low, 2);
			if ($sorted[$middle] === $wanted) {
				return $middle;
			}
			$sorted[$middle] < $wanted ? $low = $middle + 1 : $high = $middle - 1;
		}
		return -1;
	}

	/**
	 * Groups rows by the value of a field and keeps their order within a group.
	 */
	public static function groupBy(array $rows, string $field): array
	{
		$groups = [];
		foreach ($rows as $row) {
			$groups[$row[$field] ?? ''][] = $row;
		}
		return $groups;
	}

	/**
	 * Puts the elements of nested lists into one flat list.
	 */
	public static function flatten(array $nested): array
	{
		$flat = [];
		foreach ($nested as $element) {
			if (is_array($element)) {
				array_push($flat, ...self::flatten($element));
			} else {
				$flat[] = $element;
			}
		}
		return $flat;
	}

	/**
	 * Merges two sorted lists into one that is sorted as well.
	 */
	public static function mergeSorted(array $left, array $right): array
	{
		$merged = [];
		while ($left && $right) {
			if ($left[0] <= $right[0]) {
				$merged[] = array_shift($left);
			} else {
				$merged[] = array_shift($right);
			}
		}
		return array_merge($merged, $left, $right);
	}

	/**
	 * Splits a list into pages of equal size, the last one may be shorter.
	 *
	 * @param int $size elements of a page
	 */
	public static function pages(array $list, int $size): array
	{
		$pages = [];
		for ($offset = 0; $offset < count($list); $offset += $size) {
			$pages[] = array_slice($list, $offset, $size);
		}
		return $pages;
	}

	/**
	 * Adds up the prices of all positions of an order that are in stock.
	 */
	public static function orderTotal(array $positions): float
	{
		$total = 0.0;
		foreach ($positions as $position) {
			if (!$position['in_stock']) {
				continue;
			}
			$amount = $position['price'] * $position['quantity'];
			$discount = $amount * ($position['discount'] ?? 0);
			$total += $amount - $discount;
		}
		return round($total, 2);
	}

	/**
	 * Sums the prices of the positions of an invoice that are in stock.
	 */
	public static function invoiceTotal(array $positions): float
	{
		$total = 0.0;
		foreach ($positions as $position) {
			if (!$position['in_stock']) {
				continue;
			}
			$amount = $position['price'] * $position['quantity'];
			$discount = $amount * ($position['discount'] ?? 0);
			$total += $amount - $discount;
		}
		return round($total, 4);
	}

	/**
	 * Returns the elements that occur in a list more than once.
	 */
	public static function repeated(array $list): array
	{
		$seen = [];
		$repeated = [];
		foreach ($list as $element) {
			if (isset($seen[$element])) {
				$repeated[$element] = true;
			}
			$seen[$element] = true;
		}
		return array_keys($repeated);
	}

	/**
	 * Picks a value out of nested arrays by a path with dots.
	 *
	 * @throws OutOfBoundsException where the path leads nowhere
	 */
	public static function dig(array $tree, string $path)
	{
		foreach (explode('.', $path) as $step) {
			if (!is_array($tree) || !array_key_exists($step, $tree)) {
				throw new OutOfBoundsException("nothing at '$path'");
			}
			$tree = $tree[$step];
		}
		return $tree;
	}

	/**
	 * Visits a graph level by level from a node and returns the nodes in that order.
	 */
	public static function breadthFirst(array $graph, string $start): array
	{
		$queue = [$start];
		$visited = [$start => true];
		for ($i = 0; $i < count($queue); $i++) {
			foreach ($graph[$queue[$i]] ?? [] as $neighbour) {
				if (!isset($visited[$neighbour])) {
					$visited[$neighbour] = true;
					$queue[] = $neighbour;
				}
			}
		}
		return $queue;
	}

	public static function pluck(array $rows, string $field): array
	{
		$values = [];
		foreach ($rows as $row) {
			$values[] = $row[$field];
		}
		return $values;
	}
}
