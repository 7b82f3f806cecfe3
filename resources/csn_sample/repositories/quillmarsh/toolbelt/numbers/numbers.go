// Package numbers has arithmetic, statistics and units.
package numbers

import (
	"errors"
	"math"
	"sort"
)

// CelsiusToFahrenheit converts a list of temperatures from celsius to fahrenheit.
func CelsiusToFahrenheit(celsius []float64) []float64 {
	fahrenheit := make([]float64, len(celsius))
	for i, degrees := range celsius {
		fahrenheit[i] = degrees*9/5 + 32
	}
	return fahrenheit
}

// MilesToKilometres converts a distance in miles to kilometres with two decimals.
func MilesToKilometres(miles float64) float64 {
	const perMile = 1.609344
	kilometres := miles * perMile
	return math.Round(kilometres*100) / 100
}

// Multiply computes the product of two matrices.
func Multiply(a, b [][]float64) ([][]float64, error) {
	if len(a[0]) != len(b) {
		return nil, errors.New("the matrices do not fit")
	}
	product := make([][]float64, len(a))
	for i := range a {
		product[i] = make([]float64, len(b[0]))
		for j := range b[0] {
			for k := range b {
				product[i][j] += a[i][k] * b[k][j]
			}
		}
	}
	return product, nil
}

// Transpose swaps the rows and the columns of a matrix.
func Transpose(matrix [][]float64) [][]float64 {
	turned := make([][]float64, len(matrix[0]))
	for column := range turned {
		for _, row := range matrix {
			turned[column] = append(turned[column], row[column])
		}
	}
	return turned
}

// Identity makes a square matrix with ones on its diagonal.
func Identity(size int) [][]float64 {
	matrix := make([][]float64, size)
	for i := range matrix {
		matrix[i] = make([]float64, size)
		matrix[i][i] = 1
	}
	return matrix
}

// Mean computes the average of a list of numbers, zero for none.
func Mean(values []float64) float64 {
	if len(values) == 0 {
		return 0
	}
	sum := 0.0
	for _, value := range values {
		sum += value
	}
	return sum / float64(len(values))
}

// Median finds the middle value of a list of numbers.
func Median(values []float64) float64 {
	ordered := append([]float64(nil), values...)
	sort.Float64s(ordered)
	half := len(ordered) / 2
	if len(ordered)%2 == 1 {
		return ordered[half]
	}
	return (ordered[half-1] + ordered[half]) / 2
}

// StandardDeviation measures how far numbers lie from their mean.
func StandardDeviation(values []float64) float64 {
	mean := Mean(values)
	squares := 0.0
	for _, value := range values {
		squares += math.Pow(value-mean, 2)
	}
	return math.Sqrt(squares / float64(len(values)))
}

// CommonDivisor returns the largest number that divides both integers.
func CommonDivisor(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	if a < 0 {
		return -a
	}
	return a
}

// Primes lists all prime numbers below a limit with a sieve.
func Primes(limit int) []int {
	crossed := make([]bool, limit)
	var primes []int
	for n := 2; n < limit; n++ {
		if crossed[n] {
			continue
		}
		primes = append(primes, n)
		for multiple := n * n; multiple < limit; multiple += n {
			crossed[multiple] = true
		}
	}
	return primes
}

// Fibonacci returns the first numbers of the Fibonacci sequence.
func Fibonacci(count int) []int {
	sequence := make([]int, 0, count)
	current, next := 0, 1
	for len(sequence) < count {
		sequence = append(sequence, current)
		current, next = next, current+next
	}
	return sequence
}

// Clamp limits a number to the range between a lower and an upper bound.
func Clamp(value, lower, upper float64) float64 {
	if value < lower {
		return lower
	}
	return math.Min(value, upper)
}

// Half divides a number by two and returns the result of it.
func Half(number float64) float64 { return number / 2 }

func isEven(number int) bool {
	return number%2 == 0
}
