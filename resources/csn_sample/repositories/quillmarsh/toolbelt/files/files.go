// Package files reads and writes small files.
package files

import (
	"bufio"
	"encoding/csv"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"sort"
	"strings"
)

// ReadLines reads all lines of a text file into a slice of strings.
func ReadLines(path string) ([]string, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	var lines []string
	scanner := bufio.NewScanner(file)
	for scanner.Scan() {
		lines = append(lines, scanner.Text())
	}
	return lines, scanner.Err()
}

// LoadLines loads the lines of a text file without the empty ones.
func LoadLines(path string) ([]string, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	var lines []string
	scanner := bufio.NewScanner(file)
	for scanner.Scan() {
		if len(scanner.Text()) > 0 {
			lines = append(lines, scanner.Text())
		}
	}
	return lines, scanner.Err()
}

// ReadTable reads a csv file and returns its rows, the header row included.
//
// Fields may be quoted; every row must have as many fields as the first.
func ReadTable(path string) ([][]string, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return csv.NewReader(file).ReadAll()
}

// WriteTable writes rows of values to a csv file with a header line.
func WriteTable(path string, header []string, rows [][]string) error {
	target, err := os.Create(path)
	if err != nil {
		return err
	}
	defer target.Close()
	writer := csv.NewWriter(target)
	if err := writer.Write(header); err != nil {
		return err
	}
	return writer.WriteAll(rows)
}

// SaveJSON writes any value to a file as indented json text.
func SaveJSON(path string, value any) error {
	text, err := json.MarshalIndent(value, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(path, append(text, '\n'), 0o644)
}

// LoadJSON reads a json file and decodes it into the given value.
func LoadJSON(path string, value any) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	return json.Unmarshal(text, value)
}

// AppendLine appends one line of text to the end of a file.
func AppendLine(path, line string) error {
	log, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	defer log.Close()
	_, err = log.WriteString(line + "\n")
	return err
}

// CopyFile copies a file to another path and returns the number of bytes.
func CopyFile(from, to string) (int64, error) {
	source, err := os.Open(from)
	if err != nil {
		return 0, err
	}
	defer source.Close()
	copied, err := os.Create(to)
	if err != nil {
		return 0, err
	}
	defer copied.Close()
	return io.Copy(copied, source)
}

// FindBySuffix lists all files below a folder whose name ends in a suffix.
func FindBySuffix(folder, suffix string) ([]string, error) {
	var found []string
	err := filepath.WalkDir(folder, func(path string, entry os.DirEntry, err error) error {
		if err == nil && !entry.IsDir() && strings.HasSuffix(path, suffix) {
			found = append(found, path)
		}
		return err
	})
	sort.Strings(found)
	return found, err
}

// FolderSize adds up the sizes in bytes of the files in a folder.
func FolderSize(folder string) (total int64, err error) {
	entries, err := os.ReadDir(folder)
	for _, entry := range entries {
		if info, problem := entry.Info(); problem == nil && !entry.IsDir() {
			total += info.Size()
		}
	}
	return total, err
}

// ChangeExtension replaces the extension of a file name by a new one.
func ChangeExtension(name, extension string) string {
	old := filepath.Ext(name)
	base := strings.TrimSuffix(name, old)
	return base + "." + strings.TrimPrefix(extension, ".")
}

func mustExist(path string) {
	if _, err := os.Stat(path); os.IsNotExist(err) {
		panic("no such file: " + path)
	}
}

func closeAll(closers ...io.Closer) {
	for _, closer := range closers {
		_ = closer.Close()
	}
}
