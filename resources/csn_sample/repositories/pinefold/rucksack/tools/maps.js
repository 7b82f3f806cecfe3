'use strict';

/**
 * Loads a map from the first of several servers that answers over HTTP.
 */
async function loadMap(servers, place) {
  for (const server of servers) {
    const answer = await fetch(`${server}/maps/${encodeURIComponent(place)}`);
    if (answer.status === 200) {
      return answer.text();
    }
  }
  throw new Error(`no map of ${place}`);
}

/**
 * Measures how far two places are from each other along the globe.
 */
function distance(here, there) {
  const radians = (degrees) => (degrees * Math.PI) / 180;
  const height = Math.sin(radians(there.lat - here.lat) / 2) ** 2;
  const width = Math.sin(radians(there.lon - here.lon) / 2) ** 2;
  const product = Math.cos(radians(here.lat)) * Math.cos(radians(there.lat));
  return 12742 * Math.asin(Math.sqrt(height + product * width));
}

/**
 * Applies a matrix of three columns to a point of the map.
 */
function transform(matrix, point) {
  const [x, y] = point;
  return matrix.slice(0, 2).map(function (row) {
    return row[0] * x + row[1] * y + row[2];
  });
}

/**
 * Reports the weather in the scale that the country of the reader uses.
 */
function weatherLine(celsius, country) {
  const usesFahrenheit = ['US', 'BS', 'KY'].includes(country);
  const degrees = usesFahrenheit ? celsius * 1.8 + 32 : celsius;
  return `${Math.round(degrees)} °${usesFahrenheit ? 'F' : 'C'}`;
}

/**
 * Simplifies a track by leaving out points that are close to the one before.
 */
function thinOut(track, nearest) {
  const kept = [track[0]];
  for (const point of track.slice(1)) {
    const previous = kept[kept.length - 1];
    if (Math.hypot(point.x - previous.x, point.y - previous.y) >= nearest) {
      kept.push(point);
    }
  }
  return kept;
}

/**
 * Adds the metres that go up along a list of heights.
 */
const totalClimb = function (heights) {
  let climb = 0;
  for (let i = 1; i < heights.length; i++) {
    const step = heights[i] - heights[i - 1];
    if (step > 0) climb += step;
  }
  return climb;
};

const compass = function (angle) {
  const names = ['N', 'E', 'S', 'W'];
  return names[Math.round(angle / 90) % 4];
};

module.exports = { loadMap, distance, transform, weatherLine, thinOut, totalClimb, compass };
