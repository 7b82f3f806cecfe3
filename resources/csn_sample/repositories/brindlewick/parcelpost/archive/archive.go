// Package archive keeps what was delivered.
package archive

import (
	"bufio"
	"database/sql"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
)

// Delivery is a line of the archive.
type Delivery struct {
	Code   string `json:"code"`
	Signed string `json:"signed"`
}

// ReadDeliveries reads deliveries from a csv file, one record after the other.
func ReadDeliveries(source io.Reader) (deliveries []Delivery, err error) {
	reader := csv.NewReader(source)
	reader.FieldsPerRecord = 2
	for {
		fields, err := reader.Read()
		if err == io.EOF {
			return deliveries, nil
		} else if err != nil {
			return nil, err
		}
		deliveries = append(deliveries, Delivery{fields[0], fields[1]})
	}
}

// Export writes every delivery as a line of json into a file.
func Export(path string, deliveries []Delivery) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	encoder := json.NewEncoder(file)
	for _, delivery := range deliveries {
		if err := encoder.Encode(delivery); err != nil {
			return err
		}
	}
	return file.Close()
}

// Connect opens the database of the archive for a number of connections.
func Connect(address string, connections int) (*sql.DB, error) {
	archive, err := sql.Open("postgres", address)
	if err != nil {
		return nil, fmt.Errorf("archive: %w", err)
	}
	archive.SetMaxOpenConns(connections)
	return archive, archive.Ping()
}

// CountSignatures counts how many words of a note are names of known people.
func CountSignatures(note string, people map[string]bool) (count int) {
	words := bufio.NewScanner(strings.NewReader(note))
	words.Split(bufio.ScanWords)
	for words.Scan() {
		if people[strings.Trim(words.Text(), ",.")] {
			count++
		}
	}
	return count
}

// Remember keeps a delivery in a cache of the most recent ones.
func Remember(recent []Delivery, added Delivery, most int) []Delivery {
	for i, old := range recent {
		if old.Code == added.Code {
			recent = append(recent[:i], recent[i+1:]...)
			break
		}
	}
	recent = append([]Delivery{added}, recent...)
	return recent[:min(most, len(recent))]
}

// Frost warns where a temperature in celsius harms what is in a parcel.
func Frost(celsius float64, contents []string) (warnings []string) {
	fahrenheit := 32 + celsius*1.8
	for _, content := range contents {
		if content == "plants" && celsius < 4 {
			warnings = append(warnings, fmt.Sprintf("%.0f °F: bring in the plants", fahrenheit))
		}
	}
	return warnings
}

func isSigned(delivery Delivery) bool {
	return delivery.Signed != ""
}
