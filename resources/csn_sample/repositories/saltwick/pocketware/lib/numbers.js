'use strict';

module.exports = {
  /**
   * Multiplies two matrices, given as arrays of rows.
   *
   * @param {number[][]} left
   * @param {number[][]} right with as many rows as left has columns
   */
  product: function (left, right) {
    return left.map(function (row) {
      return right[0].map((_, column) =>
        row.reduce((sum, value, place) => sum + value * right[place][column], 0));
    });
  },

  /**
   * Exchanges rows and columns of a matrix.
   */
  transpose: function (matrix) {
    const flipped = matrix[0].map(() => []);
    for (const row of matrix) {
      row.forEach((value, column) => flipped[column].push(value));
    }
    return flipped;
  },

  /**
   * Computes the inner product of two vectors of the same length.
   */
  dot: function (left, right) {
    let sum = 0;
    for (let i = 0; i < left.length; i++) {
      sum += left[i] * right[i];
    }
    return sum;
  },

  /**
   * Scales a vector so that its length becomes one.
   */
  normalise: function (vector) {
    const length = Math.hypot(...vector);
    if (length === 0) {
      throw new RangeError('a vector without length');
    }
    return vector.map((value) => value / length);
  },

  /**
   * Returns the middle one of some numbers, or the mean of two in the middle.
   */
  median: function (numbers) {
    const sorted = Float64Array.from(numbers).sort();
    const half = sorted.length >> 1;
    if (sorted.length % 2 === 1) {
      return sorted[half];
    }
    return (sorted[half - 1] + sorted[half]) / 2;
  },

  /**
   * Computes the standard deviation of numbers in a single pass.
   */
  deviation: function (numbers) {
    let mean = 0;
    let squares = 0;
    numbers.forEach(function (number, place) {
      const difference = number - mean;
      mean += difference / (place + 1);
      squares += difference * (number - mean);
    });
    return Math.sqrt(squares / (numbers.length - 1));
  },

  /**
   * Finds the greatest common divisor of two whole numbers.
   */
  commonDivisor: function commonDivisor(a, b) {
    if (b === 0) {
      return Math.abs(a);
    }
    return commonDivisor(b, a % b);
  },

  /**
   * Lists all primes below a limit by striking out multiples.
   *
   * @param {number} limit not included
   */
  primesBelow: function (limit) {
    const struck = new Uint8Array(limit);
    const primes = [];
    for (let n = 2; n < limit; n++) {
      if (!struck[n]) {
        primes.push(n);
        for (let multiple = n * n; multiple < limit; multiple += n) struck[multiple] = 1;
      }
    }
    return primes;
  },

  /**
   * Rounds an amount of money to cents, halves to the even cent.
   */
  roundMoney: function (amount) {
    const cents = amount * 100;
    const floor = Math.floor(cents);
    if (cents - floor === 0.5) {
      return (floor % 2 === 0 ? floor : floor + 1) / 100;
    }
    return Math.round(cents) / 100;
  },

  /**
   * Converts a temperature from kelvin to degrees Celsius.
   */
  kelvinToCelsius: function (kelvin) {
    const celsius = kelvin - 273.15;
    if (kelvin < 0) {
      throw new RangeError(`${kelvin} K is colder than cold`);
    }
    return Number(celsius.toFixed(2));
  },

  /**
   * Converts a speed from miles to kilometres per hour.
   */
  milesToKilometres: function (miles, digits = 0) {
    const kilometres = miles * 1.609344;
    const factor = 10 ** digits;
    return Math.round(kilometres * factor) / factor;
  },

  /**
   * Writes a number in Roman digits.
   */
  roman: function (number) {
    const digits = { M: 1000, CM: 900, D: 500, CD: 400, C: 100, XC: 90, L: 50, XL: 40, X: 10, IX: 9, V: 5, IV: 4, I: 1 };
    let roman = '';
    for (const [digit, value] of Object.entries(digits)) {
      roman += digit.repeat(Math.floor(number / value));
      number %= value;
    }
    return roman;
  },

  clamp: function (value, low, high) {
    const least = Math.max(value, low);
    return Math.min(least, high);
  },
};
