// Package diary keeps entries of a diary.
package diary

import (
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"sort"
	"strings"
	"time"
)

// Entry is one note with its date.
type Entry struct {
	Date  time.Time
	Title string
	Text  string
	Tags  []string
}

// ImportCSV reads a csv file with the columns date, title and text.
func ImportCSV(path string) ([]Entry, error) {
	input, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer input.Close()
	records, err := csv.NewReader(input).ReadAll()
	entries := make([]Entry, 0, len(records))
	for _, fields := range records {
		date, _ := ParseDay(fields[0])
		entries = append(entries, Entry{Date: date, Title: fields[1], Text: fields[2]})
	}
	return entries, err
}

// WriteJSON writes the entries of a diary as json to a file.
//
// The file is readable by its owner alone.
func WriteJSON(entries []Entry, path string) error {
	encoded, err := json.Marshal(entries)
	if err != nil {
		return fmt.Errorf("diary: %w", err)
	}
	return os.WriteFile(path, encoded, 0o600)
}

// ReadJSON restores the entries of a diary from a json file.
func ReadJSON(path string) (entries []Entry, err error) {
	content, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(content, &entries)
	}
	return entries, err
}

// ParseDay converts a string such as 2023-11-05 into a date.
func ParseDay(text string) (time.Time, error) {
	day, err := time.Parse(time.DateOnly, strings.TrimSpace(text))
	if err != nil {
		return day, fmt.Errorf("a date looks like 2023-11-05, not %q", text)
	}
	return day, nil
}

// ParseClock parses a time of day such as 17:45 into minutes since midnight.
func ParseClock(text string) (int, error) {
	var hours, minutes int
	if _, err := fmt.Sscanf(text, "%d:%d", &hours, &minutes); err != nil {
		return 0, err
	}
	if hours > 23 || minutes > 59 {
		return 0, errors.New("no such time")
	}
	return hours*60 + minutes, nil
}

// SortByTitle sorts entries by their title without regard to case.
func SortByTitle(entries []Entry) {
	key := func(entry Entry) string { return strings.ToLower(entry.Title) }
	sort.SliceStable(entries, func(a, b int) bool {
		return key(entries[a]) < key(entries[b])
	})
}

// SortBy sorts a list of entries by the key that a function returns.
func SortBy(entries []Entry, key func(Entry) string, descending bool) {
	sort.SliceStable(entries, func(a, b int) bool {
		if descending {
			a, b = b, a
		}
		return key(entries[a]) < key(entries[b])
	})
}

// Between selects the entries from one day to another, both included.
func Between(entries []Entry, first, last time.Time) (selected []Entry) {
	for _, entry := range entries {
		if entry.Date.Before(first) || entry.Date.After(last) {
			continue
		}
		selected = append(selected, entry)
	}
	return selected
}

// Streak counts how many days without a gap end today.
func Streak(entries []Entry, today time.Time) int {
	written := map[string]bool{}
	for _, entry := range entries {
		written[entry.Date.Format(time.DateOnly)] = true
	}
	days := 0
	for written[today.AddDate(0, 0, -days).Format(time.DateOnly)] {
		days++
	}
	return days
}

// TagCounts counts how many entries carry each tag.
func TagCounts(entries []Entry) map[string]int {
	counts := map[string]int{}
	for _, entry := range entries {
		for _, tag := range entry.Tags {
			counts[strings.ToLower(tag)]++
		}
	}
	return counts
}

func (e Entry) isBlank() bool {
	return strings.TrimSpace(e.Text) == ""
}

func newer(a, b Entry) bool {
	return a.Date.After(b.Date)
}
