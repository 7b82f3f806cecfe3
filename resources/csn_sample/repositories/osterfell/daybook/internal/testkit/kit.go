// Package testkit helps the tests of this module.
package testkit

import "os"

// TemporaryFile makes a file with a text that is removed after use.
func TemporaryFile(text string) (path string, remove func(), err error) {
	file, err := os.CreateTemp("", "daybook")
	if err != nil {
		return "", nil, err
	}
	defer file.Close()
	_, err = file.WriteString(text)
	return file.Name(), func() { os.Remove(file.Name()) }, err
}

// SameLines compares two lists of lines and returns the first difference.
func SameLines(got, wanted []string) int {
	for at := range wanted {
		if at >= len(got) || got[at] != wanted[at] {
			return at
		}
	}
	return -1
}
