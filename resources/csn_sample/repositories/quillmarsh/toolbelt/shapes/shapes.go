// Package shapes has points, polygons, colours and graphs.
package shapes

import (
	"fmt"
	"math"
	"strconv"
)

// Point is a place in the plane.
type Point struct{ X, Y float64 }

// Distance measures the straight line between two points.
func (p Point) Distance(other Point) float64 {
	dx := p.X - other.X
	dy := p.Y - other.Y
	return math.Hypot(dx, dy)
}

// Rotate turns a point around the origin by an angle in degrees.
func (p Point) Rotate(degrees float64) Point {
	sin, cos := math.Sincos(degrees * math.Pi / 180)
	return Point{
		X: p.X*cos - p.Y*sin,
		Y: p.X*sin + p.Y*cos,
	}
}

// Area computes the area of a polygon from its corners.
func Area(corners []Point) float64 {
	twice := 0.0
	for i, corner := range corners {
		next := corners[(i+1)%len(corners)]
		twice += corner.X*next.Y - next.X*corner.Y
	}
	return math.Abs(twice) / 2
}

// Perimeter adds up the lengths of the sides of a polygon.
func Perimeter(corners []Point) float64 {
	length := 0.0
	last := corners[len(corners)-1]
	for _, corner := range corners {
		length += last.Distance(corner)
		last = corner
	}
	return length
}

// Bounds finds the smallest rectangle that holds all the points.
func Bounds(points []Point) (low, high Point) {
	low, high = points[0], points[0]
	for _, p := range points[1:] {
		low = Point{math.Min(low.X, p.X), math.Min(low.Y, p.Y)}
		high = Point{math.Max(high.X, p.X), math.Max(high.Y, p.Y)}
	}
	return low, high
}

// ParseColour reads a colour such as #ff8800 into red, green and blue.
func ParseColour(text string) (red, green, blue uint8, err error) {
	if len(text) != 7 || text[0] != '#' {
		return 0, 0, 0, fmt.Errorf("%q is no colour", text)
	}
	value, err := strconv.ParseUint(text[1:], 16, 32)
	if err != nil {
		return 0, 0, 0, err
	}
	return uint8(value >> 16), uint8(value >> 8), uint8(value), nil
}

// Blend mixes two shades of grey by a weight between zero and one.
func Blend(dark, light uint8, weight float64) uint8 {
	mixed := float64(dark)*(1-weight) + float64(light)*weight
	return uint8(math.Round(math.Max(0, math.Min(255, mixed))))
}

// Graph holds the neighbours of every node.
type Graph map[string][]string

// AddEdge connects two nodes of the graph in both directions.
func (g Graph) AddEdge(from, to string) {
	g[from] = append(g[from], to)
	if from != to {
		g[to] = append(g[to], from)
	}
}

// Reachable visits all nodes of the graph that can be reached, breadth first.
func (g Graph) Reachable(start string) []string {
	seen := map[string]bool{start: true}
	order := []string{start}
	for next := 0; next < len(order); next++ {
		for _, neighbour := range g[order[next]] {
			if !seen[neighbour] {
				seen[neighbour] = true
				order = append(order, neighbour)
			}
		}
	}
	return order
}

// Degree counts the edges of a node without its loops.
func (g Graph) Degree(node string) int {
	degree := 0
	for _, neighbour := range g[node] {
		if neighbour != node {
			degree++
		}
	}
	return degree
}

func (p Point) isOrigin() bool {
	return p.X == 0 && p.Y == 0
}
