// Package config parses settings, dates, money and arguments.
package config

import (
	"fmt"
	"log"
	"os"
	"strconv"
	"strings"
	"time"
)

// ParseSettings parses lines of the form name = value and skips comments.
func ParseSettings(text string) (map[string]string, error) {
	settings := map[string]string{}
	for number, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		name, value, found := strings.Cut(line, "=")
		if !found {
			return nil, fmt.Errorf("line %d: no equals sign", number+1)
		}
		settings[strings.TrimSpace(name)] = strings.TrimSpace(value)
	}
	return settings, nil
}

// EnvironmentOr returns a variable of the environment or a default value.
func EnvironmentOr(name, otherwise string) string {
	value, set := os.LookupEnv(name)
	if !set || strings.TrimSpace(value) == "" {
		return otherwise
	}
	return value
}

// ParseSize parses a size such as 20MB into a number of bytes.
func ParseSize(text string) (int64, error) {
	units := []struct {
		name  string
		bytes int64
	}{{"GB", 1 << 30}, {"MB", 1 << 20}, {"KB", 1 << 10}}
	for _, unit := range units {
		if digits, ok := strings.CutSuffix(text, unit.name); ok {
			count, err := strconv.ParseInt(digits, 10, 64)
			return count * unit.bytes, err
		}
	}
	return strconv.ParseInt(text, 10, 64)
}

// ParseDate parses a date string in one of several common layouts.
func ParseDate(text string) (time.Time, error) {
	for _, layout := range []string{"2006-01-02", "02.01.2006", "Jan 2, 2006"} {
		if date, err := time.Parse(layout, text); err == nil {
			return date, nil
		}
	}
	return time.Time{}, fmt.Errorf("%q is no date", text)
}

// DaysBetween counts the days from one date to another.
func DaysBetween(first, second time.Time) int {
	start := first.Truncate(24 * time.Hour)
	end := second.Truncate(24 * time.Hour)
	return int(end.Sub(start).Hours() / 24)
}

// NextWeekday finds the next date that falls on a day of the week.
func NextWeekday(from time.Time, day time.Weekday) time.Time {
	ahead := int(day-from.Weekday()+7) % 7
	if ahead == 0 {
		ahead = 7
	}
	return from.AddDate(0, 0, ahead)
}

// FormatDuration writes a duration as hours and minutes for people.
func FormatDuration(duration time.Duration) string {
	hours := int(duration.Hours())
	minutes := int(duration.Minutes()) % 60
	if hours == 0 {
		return fmt.Sprintf("%d min", minutes)
	}
	return fmt.Sprintf("%d h %02d min", hours, minutes)
}

// IsLeapYear tells whether a year has a twenty-ninth day in February.
func IsLeapYear(year int) bool {
	if year%100 == 0 {
		return year%400 == 0
	}
	return year%4 == 0
}

// FormatMoney formats an amount of cents with its currency and two decimals.
func FormatMoney(cents int64, currency string) string {
	sign := ""
	if cents < 0 {
		sign, cents = "-", -cents
	}
	return fmt.Sprintf("%s%d.%02d %s", sign, cents/100, cents%100, currency)
}

// SplitBill divides an amount of money into equal shares without losing a cent.
func SplitBill(cents int64, people int) []int64 {
	shares := make([]int64, people)
	rest := cents % int64(people)
	for i := range shares {
		shares[i] = cents / int64(people)
		if int64(i) < rest {
			shares[i]++
		}
	}
	return shares
}

// AddTax adds a tax in per cent to a net price and rounds it.
func AddTax(net int64, percent int64) int64 {
	tax := (net*percent + 50) / 100
	if tax < 0 {
		tax = 0
	}
	return net + tax
}

// NewLogger makes a logger that writes messages with a name and the time.
func NewLogger(name string, path string) (*log.Logger, error) {
	out, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, err
	}
	return log.New(out, "["+name+"] ", log.LstdFlags|log.LUTC), nil
}

// ParseFlags splits arguments of the command line into options and the rest.
func ParseFlags(arguments []string) (options map[string]string, rest []string) {
	options = map[string]string{}
	for _, argument := range arguments {
		if !strings.HasPrefix(argument, "--") {
			rest = append(rest, argument)
			continue
		}
		name, value, _ := strings.Cut(argument[2:], "=")
		options[name] = value
	}
	return options, rest
}

// Backoff computes how long to wait before the next attempt after a failure.
func Backoff(attempt int, first, longest time.Duration) time.Duration {
	wait := first
	for i := 0; i < attempt && wait < longest; i++ {
		wait *= 2
	}
	return min(wait, longest)
}
