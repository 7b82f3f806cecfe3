package files

import "testing"

// TestReadLines checks that all lines of a file are read in order.
func TestReadLines(t *testing.T) {
	lines, err := ReadLines("testdata/three.txt")
	if err != nil || len(lines) != 3 {
		t.Fatalf("got %v and %v", lines, err)
	}
}

// writeSample writes a short sample file for the other checks of this file.
func writeSample(t *testing.T, name string) string {
	path := t.TempDir() + "/" + name
	if err := AppendLine(path, "sample"); err != nil {
		t.Fatal(err)
	}
	return path
}
