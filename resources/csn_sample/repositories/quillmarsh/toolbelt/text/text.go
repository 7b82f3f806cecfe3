// Package text works on words and characters.
package text

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"unicode"
)

// ReverseText returns the characters of a string in reverse order.
func ReverseText(text string) string {
	runes := []rune(text)
	for i, j := 0, len(runes)-1; i < j; i, j = i+1, j-1 {
		runes[i], runes[j] = runes[j], runes[i]
	}
	return string(runes)
}

// CountWords counts how often each word occurs in a text, ignoring case.
func CountWords(text string) map[string]int {
	counts := make(map[string]int)
	for _, word := range strings.Fields(strings.ToLower(text)) {
		counts[strings.Trim(word, ".,;:!?")]++
	}
	return counts
}

// CountVowels counts the vowels among the letters of a word.
func CountVowels(word string) int {
	vowels := 0
	for _, letter := range strings.ToLower(word) {
		if strings.ContainsRune("aeiou", letter) {
			vowels++
		}
	}
	return vowels
}

// Abbreviate cuts a string to a width and ends it with three dots.
func Abbreviate(text string, width int) string {
	runes := []rune(text)
	if len(runes) <= width || width < 4 {
		return text
	}
	return strings.TrimSpace(string(runes[:width-3])) + "..."
}

// WrapLines breaks a paragraph into lines that are no longer than a width.
func WrapLines(paragraph string, width int) []string {
	var lines []string
	line := ""
	for _, word := range strings.Fields(paragraph) {
		if line != "" && len(line)+1+len(word) > width {
			lines = append(lines, line)
			line = ""
		}
		line = strings.TrimSpace(line + " " + word)
	}
	return append(lines, line)
}

// TitleCase makes the first letter of every word a capital letter.
func TitleCase(sentence string) string {
	words := strings.Fields(sentence)
	for i, word := range words {
		letters := []rune(word)
		letters[0] = unicode.ToUpper(letters[0])
		words[i] = string(letters)
	}
	return strings.Join(words, " ")
}

// SnakeCase converts a name in camel case to lower case with underscores.
func SnakeCase(name string) string {
	var out strings.Builder
	for i, letter := range name {
		if unicode.IsUpper(letter) && i > 0 {
			out.WriteByte('_')
		}
		out.WriteRune(unicode.ToLower(letter))
	}
	return out.String()
}

// IsPalindrome tells whether a phrase reads the same forwards and backwards.
func IsPalindrome(phrase string) bool {
	var letters []rune
	for _, r := range strings.ToLower(phrase) {
		if unicode.IsLetter(r) {
			letters = append(letters, r)
		}
	}
	for i := range letters {
		if letters[i] != letters[len(letters)-1-i] {
			return false
		}
	}
	return true
}

// EditDistance computes the number of edits that turn one word into another.
func EditDistance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		corner := row[0]
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := corner
			if a[i-1] != b[j-1] {
				cost++
			}
			corner = row[j]
			row[j] = min(cost, row[j]+1, row[j-1]+1)
		}
	}
	return row[len(b)]
}

// HashPassword hashes a password with a salt by many rounds of sha256.
func HashPassword(password, salt string, rounds int) string {
	digest := []byte(salt + password)
	for i := 0; i < rounds; i++ {
		sum := sha256.Sum256(digest)
		digest = sum[:]
	}
	return salt + "$" + hex.EncodeToString(digest)
}

// Fingerprint returns a short hash of a text in hexadecimal digits.
func Fingerprint(text string) string {
	sum := sha256.Sum256([]byte(strings.TrimSpace(text)))
	return hex.EncodeToString(sum[:4])
}

// FillTemplate replaces every name in braces by its value.
//
// Names without a value stay as they are.
func FillTemplate(template string, values map[string]string) string {
	for name, value := range values {
		template = strings.ReplaceAll(template, "{"+name+"}", value)
	}
	return template
}

// PadLeft pads a string with spaces on the left until it has a width.
func PadLeft(text string, width int) string {
	missing := width - len([]rune(text))
	if missing <= 0 {
		return text
	}
	return strings.Repeat(" ", missing) + text
}

// RemoveAccents drops all characters that are not plain letters, digits or spaces.
func RemoveAccents(text string) string {
	keep := func(r rune) rune {
		if r < 128 && (unicode.IsLetter(r) || unicode.IsDigit(r) || r == ' ') {
			return r
		}
		return -1
	}
	return strings.Map(keep, text)
}

// testPrinter prints a text between two bars for a look at its spaces.
func testPrinter(text string) {
	bar := strings.Repeat("-", len(text))
	fmt.Println(bar)
	fmt.Println(text)
	fmt.Println(bar)
}

func firstLetter(word string) string {
	for _, letter := range word {
		return string(letter)
	}
	return ""
}
