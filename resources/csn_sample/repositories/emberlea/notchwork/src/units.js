'use strict';

/**
 * Converts degrees Celsius to degrees Fahrenheit.
 */
function celsiusToFahrenheit(celsius) {
  const freezingPoint = 32;
  const degrees = (celsius * 9) / 5;
  const fahrenheit = degrees + freezingPoint;
  return Number(fahrenheit.toFixed(1));
}

/**
 * Converts degrees Fahrenheit to degrees Celsius.
 */
function fahrenheitToCelsius(fahrenheit) {
  const freezingPoint = 32;
  const above = fahrenheit - freezingPoint;
  const celsius = (above * 5) / 9;
  return Number(celsius.toFixed(1));
}

/**
 * Converts a temperature between any two of the three scales.
 *
 * @param {number} value
 * @param {string} from "C", "F" or "K"
 * @param {string} to
 */
function convertTemperature(value, from, to) {
  const toKelvin = { C: (t) => t + 273.15, F: (t) => (t + 459.67) / 1.8, K: (t) => t };
  const fromKelvin = { C: (t) => t - 273.15, F: (t) => t * 1.8 - 459.67, K: (t) => t };
  if (!(from in toKelvin) || !(to in fromKelvin)) {
    throw new TypeError('a scale is C, F or K');
  }
  return fromKelvin[to](toKelvin[from](value));
}

/**
 * Converts a length in feet and inches to centimetres.
 */
function centimetres(feet, inches = 0) {
  const total = feet * 12 + inches;
  const exact = total * 2.54;
  return Math.round(exact * 10) / 10;
}

/**
 * Computes the multiplication of two matrices and returns a new matrix.
 */
function multiplyMatrices(a, b) {
  const result = [];
  for (let i = 0; i < a.length; i++) {
    result.push(new Array(b[0].length).fill(0));
    for (let j = 0; j < b[0].length; j++) {
      for (let k = 0; k < b.length; k++) {
        result[i][j] += a[i][k] * b[k][j];
      }
    }
  }
  return result;
}

/**
 * Multiplies a matrix with a vector.
 */
function multiplyVector(matrix, vector) {
  const image = new Float64Array(matrix.length);
  matrix.forEach((row, i) => {
    image[i] = row.reduce((sum, entry, j) => sum + entry * vector[j], 0);
  });
  return image;
}

/**
 * Adds two matrices of the same shape, entry by entry.
 */
function addMatrices(one, other) {
  if (one.length !== other.length || one[0].length !== other[0].length) {
    throw new RangeError('the shapes differ');
  }
  return one.map((row, i) => row.map((entry, j) => entry + other[i][j]));
}

function toString(quantity) {
  const rounded = Math.round(quantity.value * 100) / 100;
  return `${rounded} ${quantity.unit}`;
}

function percentage(part, whole) {
  const share = whole === 0 ? 0 : part / whole;
  return (100 * share).toFixed(1) + ' %';
}

module.exports = {
  celsiusToFahrenheit, fahrenheitToCelsius, convertTemperature, centimetres, multiplyMatrices,
  multiplyVector, addMatrices, toString, percentage,
};
