// Package parcels describes parcels and their labels.
package parcels

import (
	"fmt"
	"sort"
	"strings"
)

// Parcel is one thing to deliver.
type Parcel struct {
	Code   string
	City   string
	Grams  int
	Length float64
	Width  float64
	Height float64
}

// Volume computes the volume of a parcel in litres from its three sides.
func (p Parcel) Volume() float64 {
	cubic := p.Length * p.Width * p.Height
	if cubic < 0 {
		return 0
	}
	return cubic / 1000
}

// Label builds the address label of a parcel in capital letters.
func (p Parcel) Label(name, street string) string {
	lines := []string{name, street, p.City}
	for i := range lines {
		lines[i] = strings.ToUpper(strings.TrimSpace(lines[i]))
	}
	return strings.Join(lines, "\n")
}

// SortByWeight sorts a list of parcels so that the heaviest comes first.
func SortByWeight(parcels []Parcel) []Parcel {
	sorted := append([]Parcel{}, parcels...)
	sort.Slice(sorted, func(i, j int) bool {
		return sorted[i].Grams > sorted[j].Grams
	})
	return sorted
}

// FindByCode finds a parcel in a list sorted by code with a binary search.
func FindByCode(parcels []Parcel, code string) (Parcel, bool) {
	at := sort.Search(len(parcels), func(i int) bool {
		return parcels[i].Code >= code
	})
	if at < len(parcels) && parcels[at].Code == code {
		return parcels[at], true
	}
	return Parcel{}, false
}

// CheckDigit computes the last digit of a parcel code from the others.
func CheckDigit(code string) (digit int, err error) {
	for position, character := range code {
		if character < '0' || character > '9' {
			return 0, fmt.Errorf("%q is no digit", character)
		}
		weight := 1 + 2*(position%2)
		digit += weight * int(character-'0')
	}
	return (10 - digit%10) % 10, nil
}

// TotalByCity adds up the weights of all parcels for every city.
func TotalByCity(parcels []Parcel) map[string]int {
	totals := map[string]int{}
	for _, parcel := range parcels {
		city := strings.ToLower(parcel.City)
		totals[city] += parcel.Grams
	}
	return totals
}

// MirrorCode writes the characters of a code backwards for the return label.
func MirrorCode(code string) string {
	var mirrored strings.Builder
	for at := len(code) - 1; at >= 0; at-- {
		mirrored.WriteByte(code[at])
	}
	return mirrored.String()
}

// IsLight tells whether a parcel may travel as a letter.
func (p Parcel) IsLight() bool { return p.Grams <= 500 }

func (p Parcel) isEmpty() bool {
	return p.Code == "" && p.Grams == 0
}

func heavier(a, b Parcel) bool {
	return a.Grams > b.Grams
}
