const units = require('../src/units');

/**
 * Checks that water freezes at thirty two degrees.
 */
function waterFreezes() {
  const degrees = units.celsiusToFahrenheit(0);
  console.assert(degrees === 32);
}

function bodyIsWarm() {
  const degrees = units.celsiusToFahrenheit(37);
  console.assert(degrees === 98.6);
}

waterFreezes();
bodyIsWarm();
