// Package search finds words in a diary.
package search

import (
	"regexp"
	"sort"
	"strings"
	"unicode/utf8"
)

// Index holds the numbers of the entries that have a word.
type Index map[string][]int

// Add puts all words of a text into the index under a number.
func (index Index) Add(number int, text string) {
	for _, word := range words(text) {
		numbers := index[word]
		if len(numbers) == 0 || numbers[len(numbers)-1] != number {
			index[word] = append(numbers, number)
		}
	}
}

// Lookup returns the entries that have every word of a query.
func (index Index) Lookup(query string) []int {
	counts := map[int]int{}
	wanted := words(query)
	for _, word := range wanted {
		for _, number := range index[word] {
			counts[number]++
		}
	}
	var hits []int
	for number, count := range counts {
		if count == len(wanted) {
			hits = append(hits, number)
		}
	}
	sort.Ints(hits)
	return hits
}

// FindSorted does a binary search for a word in a sorted list of words.
func FindSorted(dictionary []string, word string) (int, bool) {
	left, right := 0, len(dictionary)
	for left < right {
		centre := left + (right-left)/2
		if dictionary[centre] < word {
			left = centre + 1
		} else {
			right = centre
		}
	}
	return left, left < len(dictionary) && dictionary[left] == word
}

// InsertSorted inserts a word at its place in a sorted list of words.
func InsertSorted(dictionary []string, word string) []string {
	place := sort.SearchStrings(dictionary, word)
	dictionary = append(dictionary, "")
	copy(dictionary[place+1:], dictionary[place:])
	dictionary[place] = word
	return dictionary
}

// WordCount counts the words of a text that are separated by white space.
func WordCount(text string) int {
	inside, count := false, 0
	for _, character := range text {
		space := strings.ContainsRune(" \t\r\n", character)
		if !space && !inside {
			count++
		}
		inside = !space
	}
	return count
}

// Frequencies returns every word of a text with its number of occurrences.
func Frequencies(text string) map[string]int {
	frequencies := map[string]int{}
	for _, word := range words(text) {
		frequencies[word] = frequencies[word] + 1
	}
	return frequencies
}

// ReadingTime estimates how many minutes it takes to read a text.
func ReadingTime(text string, wordsPerMinute int) int {
	length := len(strings.Fields(text))
	minutes := length / wordsPerMinute
	if length%wordsPerMinute > 0 {
		minutes++
	}
	return minutes
}

// Backwards reverses a string character by character from its end.
func Backwards(text string) string {
	reversed := make([]byte, 0, len(text))
	for len(text) > 0 {
		_, width := utf8.DecodeLastRuneInString(text)
		cut := len(text) - width
		reversed = append(reversed, text[cut:]...)
		text = text[:cut]
	}
	return string(reversed)
}

// ReverseWords puts the words of a sentence into the opposite order.
func ReverseWords(sentence string) string {
	parts := strings.Fields(sentence)
	for i := 0; i < len(parts)/2; i++ {
		other := len(parts) - 1 - i
		parts[i], parts[other] = parts[other], parts[i]
	}
	return strings.Join(parts, " ")
}

// Highlight puts stars around every occurrence of a word in a text.
func Highlight(text, word string) string {
	pattern, err := regexp.Compile(`(?i)\b` + regexp.QuoteMeta(word) + `\b`)
	if err != nil {
		return text
	}
	return pattern.ReplaceAllString(text, "*$0*")
}

// Snippet cuts out the part of a text around the first hit of a word.
func Snippet(text, word string, around int) string {
	at := strings.Index(strings.ToLower(text), strings.ToLower(word))
	if at < 0 {
		return ""
	}
	begin := max(0, at-around)
	end := min(len(text), at+len(word)+around)
	return "…" + text[begin:end] + "…"
}

func words(text string) []string {
	return strings.Fields(strings.ToLower(text))
}
