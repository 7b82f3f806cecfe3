// Package billing makes prices and invoices.
package billing

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"time"
)

// Invoice is a bill with positions in cents.
type Invoice struct {
	Number    int
	Positions map[string]int
	Due       time.Time
}

// Price looks up the price of a weight in a table of limits.
func Price(grams int, limits []int, prices []int) (int, error) {
	for step, limit := range limits {
		if grams <= limit {
			return prices[step], nil
		}
	}
	return 0, fmt.Errorf("%d g are too heavy", grams)
}

// Total adds up all positions of an invoice and the tax on them.
func (i Invoice) Total(taxPercent int) int {
	net := 0
	for _, cents := range i.Positions {
		net += cents
	}
	return net + net*taxPercent/100
}

// Overdue tells by how many days an invoice is late, zero for none.
func (i Invoice) Overdue(today time.Time) int {
	if !today.After(i.Due) {
		return 0
	}
	late := today.Sub(i.Due)
	return int(late.Hours()) / 24
}

// Convert changes an amount of money into another currency by a table of rates.
func Convert(cents int, from, to string, rates map[string]float64) (int, error) {
	source, known := rates[from]
	target, also := rates[to]
	if !known || !also {
		return 0, fmt.Errorf("no rate from %s to %s", from, to)
	}
	return int(float64(cents)/source*target + 0.5), nil
}

// Sign computes a keyed hash of an invoice so that nobody can change it.
func (i Invoice) Sign(secret []byte) string {
	signer := hmac.New(sha256.New, secret)
	fmt.Fprintf(signer, "%d;%s", i.Number, i.Due.Format(time.DateOnly))
	return hex.EncodeToString(signer.Sum(nil))
}

// Reminder writes a polite letter about an invoice that was not paid.
func (i Invoice) Reminder(customer string) string {
	var letter strings.Builder
	fmt.Fprintf(&letter, "Dear %s,\n\n", customer)
	fmt.Fprintf(&letter, "invoice %d was due on %s.\n", i.Number, i.Due.Format(time.RFC1123))
	letter.WriteString("Please pay it within a week.\n")
	return letter.String()
}

func cents(euros float64) int {
	return int(euros * 100)
}
