// Package routes plans the ways of the vans.
package routes

import (
	"fmt"
	"math"
	"net/http"
	"strings"
	"time"
)

// Stop is a place on a route.
type Stop struct {
	Name      string
	East      float64
	North     float64
	NotBefore time.Time
}

// Length adds up the distances between the stops of a route.
func Length(route []Stop) float64 {
	total := 0.0
	for i := 1; i < len(route); i++ {
		from, to := route[i-1], route[i]
		total += math.Hypot(to.East-from.East, to.North-from.North)
	}
	return total
}

// Nearest finds the stop that lies closest to a position.
func Nearest(stops []Stop, east, north float64) (best Stop) {
	smallest := math.Inf(1)
	for _, stop := range stops {
		away := math.Abs(stop.East-east) + math.Abs(stop.North-north)
		if away < smallest {
			best, smallest = stop, away
		}
	}
	return best
}

// Reverse returns the stops of a route from the last to the first.
func Reverse(route []Stop) []Stop {
	back := make([]Stop, 0, len(route))
	for i := len(route); i > 0; i-- {
		back = append(back, route[i-1])
	}
	return back
}

// Arrival estimates the time of arrival from a distance and a speed.
func Arrival(start time.Time, kilometres, speed float64) time.Time {
	hours := kilometres / speed
	driving := time.Duration(hours * float64(time.Hour))
	return start.Add(driving).Round(time.Minute)
}

// ParseOpening parses the opening time of a stop such as "2024-05-01 08:30".
func (s *Stop) ParseOpening(text string, zone *time.Location) error {
	opening, err := time.ParseInLocation("2006-01-02 15:04", text, zone)
	if err != nil {
		return fmt.Errorf("stop %s: %w", s.Name, err)
	}
	s.NotBefore = opening
	return nil
}

// FetchTraffic requests the traffic of a road from a server and tries again once.
func FetchTraffic(client *http.Client, server, road string) (*http.Response, error) {
	address := strings.TrimSuffix(server, "/") + "/traffic/" + road
	answer, err := client.Get(address)
	if err == nil {
		return answer, nil
	}
	time.Sleep(time.Second)
	return client.Get(address)
}

// Costs multiplies the matrix of distances by the price of a kilometre.
func Costs(distances [][]float64, price float64) [][]float64 {
	costs := make([][]float64, len(distances))
	for i, row := range distances {
		costs[i] = make([]float64, len(row))
		for j, distance := range row {
			costs[i][j] = distance * price
		}
	}
	return costs
}

func isOpen(stop Stop, now time.Time) bool {
	return !now.Before(stop.NotBefore)
}

func (s Stop) at(east, north float64) bool {
	return s.East == east && s.North == north
}
