'use strict';

const fs = require('fs');

/**
 * Reads a CSV file, with quotes or without, and resolves to its rows.
 *
 * @param {string} file
 * @returns {Promise<string[][]>}
 */
async function readCsvFile(file) {
  const text = await fs.promises.readFile(file, 'utf8');
  const cell = /("([^"]|"")*"|[^,]*)(,|$)/g;
  return text.split(/\r?\n/).filter(Boolean).map(function (line) {
    const cells = [];
    for (const [, raw, , end] of line.matchAll(cell)) {
      cells.push(raw.replace(/^"|"$/g, '').replace(/""/g, '"'));
      if (end === '') break;
    }
    return cells;
  });
}

/**
 * Reads one column of a CSV text as numbers and leaves out what is none.
 */
function readNumbers(csv, column) {
  const [header, ...lines] = csv.trim().split('\n');
  const place = header.split(',').indexOf(column);
  const numbers = lines.map((line) => parseFloat(line.split(',')[place]));
  return numbers.filter((number) => !Number.isNaN(number));
}

/**
 * Writes the rows of a table to a CSV file.
 */
function writeCsvFile(file, table) {
  const quote = (cell) => '"' + String(cell).replace(/"/g, '""') + '"';
  const lines = table.map((row) => row.map(quote).join(';'));
  fs.writeFileSync(file, lines.join('\r\n'), { encoding: 'utf8' });
}

/**
 * Writes an object as JSON to a file and calls back when it is done.
 *
 * @param {string} file
 * @param {Object} object
 * @param {Function} done gets an error or nothing
 */
function writeJsonFile(file, object, done) {
  let json;
  try {
    json = JSON.stringify(object, null, 4);
  } catch (error) {
    return done(error);
  }
  return fs.writeFile(file, json, 'utf8', done);
}

/**
 * Prints an object as JSON with its names in alphabetical order.
 */
function stableJson(object) {
  return JSON.stringify(object, function (name, value) {
    if (value === null || typeof value !== 'object' || Array.isArray(value)) {
      return value;
    }
    const entries = Object.entries(value).sort(([a], [b]) => a.localeCompare(b));
    return Object.fromEntries(entries);
  });
}

/**
 * Parses lines of JSON and tells which of them are broken.
 */
function parseJsonLines(text) {
  const good = [];
  const broken = [];
  text.split('\n').forEach(function (line, index) {
    try {
      if (line) good.push(JSON.parse(line));
    } catch (error) {
      broken.push(index + 1);
    }
  });
  return { good, broken };
}

/**
 * Draws numbers as a chart of bars made of characters.
 */
function barChart(tallies, width = 40) {
  const most = Math.max(...Object.values(tallies));
  const lines = [];
  for (const [label, tally] of Object.entries(tallies)) {
    const bar = '#'.repeat(Math.round((tally / most) * width));
    lines.push(`${label.padEnd(12)} ${bar} ${tally}`);
  }
  return lines.join('\n');
}

function columnNames(csv) {
  const [header] = csv.split('\n', 1);
  return header.split(',').map((name) => name.trim());
}

module.exports = {
  readCsvFile, readNumbers, writeCsvFile, writeJsonFile, stableJson, parseJsonLines, barChart,
  columnNames,
};
