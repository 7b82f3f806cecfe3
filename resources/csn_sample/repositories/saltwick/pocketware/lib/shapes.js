'use strict';

// Computes the area of a polygon from its corners, in whichever direction they run.
function polygonArea(corners) {
  let doubled = 0;
  corners.forEach(function (corner, place) {
    const next = corners[(place + 1) % corners.length];
    doubled += corner.x * next.y - next.x * corner.y;
  });
  return Math.abs(doubled) / 2;
}

// Tells whether a point lies inside a polygon, by the number of crossed edges.
function isInside(point, corners) {
  let inside = false;
  for (let i = 0, j = corners.length - 1; i < corners.length; j = i++) {
    const a = corners[i];
    const b = corners[j];
    const crosses = a.y > point.y !== b.y > point.y;
    if (crosses && point.x < ((b.x - a.x) * (point.y - a.y)) / (b.y - a.y) + a.x) {
      inside = !inside;
    }
  }
  return inside;
}

// Turns a point by an angle in degrees around a centre.
function rotatePoint(point, degrees, centre = { x: 0, y: 0 }) {
  const angle = (degrees * Math.PI) / 180;
  const dx = point.x - centre.x;
  const dy = point.y - centre.y;
  return {
    x: centre.x + dx * Math.cos(angle) - dy * Math.sin(angle),
    y: centre.y + dx * Math.sin(angle) + dy * Math.cos(angle),
  };
}

// Splits a colour such as "#ff8800" into red, green and blue.
function parseColour(hex) {
  const digits = hex.replace('#', '');
  const number = parseInt(digits, 16);
  return { red: number >> 16, green: (number >> 8) & 255, blue: number & 255 };
}

// Mixes two colours, a share of zero gives the first one.
function mixColours(first, second, share) {
  const mixed = {};
  for (const channel of ['red', 'green', 'blue']) {
    const difference = second[channel] - first[channel];
    mixed[channel] = Math.round(first[channel] + share * difference);
  }
  return mixed;
}

// Says whether black or white text is easier to read on a colour.
function textColour(background) {
  const { red, green, blue } = background;
  const brightness = 0.299 * red + 0.587 * green + 0.114 * blue;
  return brightness > 150 ? 'black' : 'white';
}

// Finds the smallest rectangle that holds all points.
function boundingBox(points) {
  const box = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity };
  for (const { x, y } of points) {
    box.left = Math.min(box.left, x);
    box.right = Math.max(box.right, x);
    box.top = Math.min(box.top, y);
    box.bottom = Math.max(box.bottom, y);
  }
  return box;
}

// Finds the shortest way through a graph of equal edges, or null.
// The graph is an object of arrays of neighbours.
function findWay(graph, start, goal) {
  const ways = [[start]];
  const seen = new Set([start]);
  for (const way of ways) {
    const node = way[way.length - 1];
    if (node === goal) return way;
    for (const neighbour of graph[node].filter((other) => !seen.has(other))) {
      seen.add(neighbour);
      ways.push([...way, neighbour]);
    }
  }
  return null;
}

// Orders the nodes of a graph so that every one comes after those it needs.
function topologicalOrder(needs) {
  const order = [];
  const visit = (node) => {
    if (order.includes(node)) return;
    for (const needed of needs[node] || []) visit(needed);
    order.push(node);
  };
  Object.keys(needs).forEach(visit);
  return order;
}

// Limits how often a handler is called while events keep coming.
function throttle(handler, milliseconds) {
  let last = -Infinity;
  return function (...details) {
    const now = Date.now();
    if (now - last >= milliseconds) {
      last = now;
      handler.apply(this, details);
    }
  };
}

// Parses a sum such as "3 + 4 - 2" from left to right.
function evaluateSum(expression) {
  const parts = expression.match(/[+-]?\s*\d+(\.\d+)?/g) || [];
  let sum = 0;
  for (const part of parts) {
    sum += parseFloat(part.replace(/\s+/g, ''));
  }
  return sum;
}

function midpoint(a, b) {
  const x = (a.x + b.x) / 2;
  const y = (a.y + b.y) / 2;
  return { x, y };
}

module.exports = {
  polygonArea, isInside, rotatePoint, parseColour, mixColours, textColour, boundingBox,
  findWay, topologicalOrder, throttle, evaluateSum, midpoint,
};
