<?php

namespace Larder\Data;

class Sorting
{
    /** Sorts a list of records by one key, in rising order. */
    public function sortByKey(array $records, string $key): array
    {
        $column = array_column($records, $key);
        array_multisort($column, SORT_ASC, $records);
        return $records;
    }

    /** Sorts numbers with quicksort around the first of them. */
    public function quicksort(array $numbers): array
    {
        if (count($numbers) < 2) {
            return $numbers;
        }
        $pivot = array_shift($numbers);
        $below = array_filter($numbers, fn ($number) => $number < $pivot);
        $others = array_filter($numbers, fn ($number) => $number >= $pivot);
        return [...$this->quicksort($below), $pivot, ...$this->quicksort($others)];
    }

    /**
     * Sorts the products of a shop by price, cheapest first or dearest first.
     */
    public function sortByPrice(array $products, bool $cheapestFirst = true): array
    {
        $sign = $cheapestFirst ? 1 : -1;
        usort($products, function ($one, $two) use ($sign) {
            return $sign * ($one->price <=> $two->price);
        });
        return $products;
    }

    /**
     * Finds the index of a value in a sorted array by binary search.
     *
     * @return int|null null where the value does not occur
     */
    public function binarySearch(array $sorted, $value): ?int
    {
        [$left, $right] = [0, count($sorted)];
        while ($left < $right) {
            $middle = ($left + $right) >> 1;
            if ($sorted[$middle] < $value) {
                $left = $middle + 1;
            } else {
                $right = $middle;
            }
        }
        return ($sorted[$left] ?? null) === $value ? $left : null;
    }

    /** Finds the first element that a condition holds for, one after the other. */
    public function findFirst(iterable $elements, callable $condition)
    {
        foreach ($elements as $index => $element) {
            if ($condition($element, $index)) {
                return $element;
            }
        }
        return null;
    }

    /** Reverses a list in place by swapping its ends. */
    public function reverseList(array &$list): void
    {
        for ($left = 0, $right = count($list) - 1; $left < $right; $left++, $right--) {
            $kept = $list[$left];
            $list[$left] = $list[$right];
            $list[$right] = $kept;
        }
    }

    public function top(array $scores, int $count): array
    {
        arsort($scores);
        return array_slice($scores, 0, $count, true);
    }
}
