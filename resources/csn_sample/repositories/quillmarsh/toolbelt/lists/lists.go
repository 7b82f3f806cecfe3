// Package lists sorts, searches and groups slices.
package lists

import (
	"math/rand"
	"sort"
)

// Record is a row with named values.
type Record map[string]string

// SortByKey sorts a list of records by the value of one key.
func SortByKey(records []Record, key string) {
	sort.SliceStable(records, func(i, j int) bool {
		return records[i][key] < records[j][key]
	})
}

// BinarySearch finds the position of a number in a sorted list by halving.
//
// It returns -1 where the number is not in the list.
func BinarySearch(sorted []int, wanted int) int {
	low, high := 0, len(sorted)-1
	for low <= high {
		middle := (low + high) / 2
		switch {
		case sorted[middle] == wanted:
			return middle
		case sorted[middle] < wanted:
			low = middle + 1
		default:
			high = middle - 1
		}
	}
	return -1
}

// LinearSearch looks at every element of a list until one is equal.
func LinearSearch(items []string, wanted string) int {
	for position, item := range items {
		if item == wanted {
			return position
		}
	}
	return -1
}

// Unique removes repeated elements of a list and keeps the first of each.
func Unique(items []string) []string {
	seen := make(map[string]bool, len(items))
	kept := items[:0:0]
	for _, item := range items {
		if !seen[item] {
			seen[item] = true
			kept = append(kept, item)
		}
	}
	return kept
}

// Chunk splits a list into parts of at most the given size.
func Chunk(items []int, size int) [][]int {
	var parts [][]int
	for len(items) > size {
		parts = append(parts, items[:size])
		items = items[size:]
	}
	return append(parts, items)
}

// Flatten joins a list of lists into a single list.
func Flatten(nested [][]int) []int {
	flat := []int{}
	for _, inner := range nested {
		flat = append(flat, inner...)
	}
	return flat
}

// GroupByKey groups records in a map by the value of a key.
func GroupByKey(records []Record, key string) map[string][]Record {
	groups := make(map[string][]Record)
	for _, record := range records {
		value := record[key]
		groups[value] = append(groups[value], record)
	}
	return groups
}

// MergeSorted merges two sorted lists into one sorted list.
func MergeSorted(left, right []int) []int {
	merged := make([]int, 0, len(left)+len(right))
	for len(left) > 0 && len(right) > 0 {
		if left[0] <= right[0] {
			merged, left = append(merged, left[0]), left[1:]
		} else {
			merged, right = append(merged, right[0]), right[1:]
		}
	}
	return append(append(merged, left...), right...)
}

// QuickSort sorts a list of integers in place by partitions.
func QuickSort(numbers []int) {
	if len(numbers) < 2 {
		return
	}
	pivot, border := numbers[len(numbers)-1], 0
	for i, number := range numbers {
		if number < pivot {
			numbers[i], numbers[border] = numbers[border], numbers[i]
			border++
		}
	}
	numbers[border], numbers[len(numbers)-1] = pivot, numbers[border]
	QuickSort(numbers[:border])
	QuickSort(numbers[border+1:])
}

// Shuffle puts the elements of a list into a random order from a seed.
func Shuffle(items []string, seed int64) {
	source := rand.New(rand.NewSource(seed))
	source.Shuffle(len(items), func(i, j int) {
		items[i], items[j] = items[j], items[i]
	})
}

// Intersect returns the elements that two lists have in common.
func Intersect(first, second []string) (common []string) {
	inSecond := make(map[string]struct{})
	for _, item := range second {
		inSecond[item] = struct{}{}
	}
	for _, item := range first {
		if _, both := inSecond[item]; both {
			common = append(common, item)
		}
	}
	return common
}

// SortedKeys returns the keys of a map in alphabetical order.
func SortedKeys(values map[string]int) []string {
	keys := make([]string, 0, len(values))
	for key := range values {
		keys = append(keys, key)
	}
	sort.Strings(keys)
	return keys
}

func swap(items []int, i, j int) {
	items[i], items[j] = items[j], items[i]
}
