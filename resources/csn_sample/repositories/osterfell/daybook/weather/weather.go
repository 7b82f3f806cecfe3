// Package weather adds measurements to a day.
package weather

import (
	"fmt"
	"math"
	"strings"
)

// ToFahrenheit converts a temperature from degrees celsius to fahrenheit.
func ToFahrenheit(celsius float64) (float64, error) {
	if celsius < -273.15 {
		return 0, fmt.Errorf("%.1f is below absolute zero", celsius)
	}
	fahrenheit := celsius*1.8 + 32
	return math.Round(fahrenheit*10) / 10, nil
}

// ToCelsius converts a temperature from degrees fahrenheit to celsius.
func ToCelsius(fahrenheit float64) float64 {
	celsius := (fahrenheit - 32) / 1.8
	if math.Abs(celsius) < 0.05 {
		return 0
	}
	return math.Round(celsius*10) / 10
}

// WindChill computes the temperature that people feel in a wind.
func WindChill(celsius, kilometresPerHour float64) float64 {
	if kilometresPerHour < 5 || celsius > 10 {
		return celsius
	}
	wind := math.Pow(kilometresPerHour, 0.16)
	return 13.12 + 0.6215*celsius - 11.37*wind + 0.3965*celsius*wind
}

// Matrix is a table of numbers, one row after the other.
type Matrix struct {
	Rows, Columns int
	Values        []float64
}

// Times multiplies the matrix by another one and returns the product.
func (m Matrix) Times(other Matrix) Matrix {
	product := Matrix{m.Rows, other.Columns, make([]float64, m.Rows*other.Columns)}
	for row := 0; row < m.Rows; row++ {
		for column := 0; column < other.Columns; column++ {
			sum := 0.0
			for inner := 0; inner < m.Columns; inner++ {
				sum += m.Values[row*m.Columns+inner] * other.Values[inner*other.Columns+column]
			}
			product.Values[row*other.Columns+column] = sum
		}
	}
	return product
}

// Plus adds two matrices of the same size number by number.
func (m Matrix) Plus(other Matrix) Matrix {
	sum := Matrix{m.Rows, m.Columns, append([]float64{}, m.Values...)}
	for at, value := range other.Values {
		sum.Values[at] += value
	}
	return sum
}

// Apply multiplies the matrix by a vector of numbers.
func (m Matrix) Apply(vector []float64) []float64 {
	result := make([]float64, m.Rows)
	for at, value := range m.Values {
		result[at/m.Columns] += value * vector[at%m.Columns]
	}
	return result
}

// MovingAverage smooths measurements by the mean of the last few of them.
func MovingAverage(measurements []float64, window int) []float64 {
	smooth := make([]float64, 0, len(measurements))
	sum := 0.0
	for at, value := range measurements {
		sum += value
		if at >= window {
			sum -= measurements[at-window]
		}
		smooth = append(smooth, sum/float64(min(at+1, window)))
	}
	return smooth
}

// Compass names the direction of a wind from its angle in degrees.
func Compass(degrees float64) string {
	names := strings.Fields("north east south west")
	quarter := int(math.Floor(degrees/90+0.5)) % len(names)
	if quarter < 0 {
		quarter += len(names)
	}
	return names[quarter]
}

// Warmest finds the day with the highest temperature of a month.
func Warmest(temperatures []float64) (day int, celsius float64) {
	celsius = math.Inf(-1)
	for index, temperature := range temperatures {
		if temperature > celsius {
			day, celsius = index+1, temperature
		}
	}
	return day, celsius
}

// Kelvin returns a temperature in kelvin for one in celsius.
func Kelvin(celsius float64) float64 { return celsius + 273.15 }

func (m Matrix) isSquare() bool {
	return m.Rows == m.Columns
}
