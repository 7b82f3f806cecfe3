'use strict';

const fs = require('fs');
const path = require('path');

/**
 * Loads a table of comma separated values and makes an object of each line.
 *
 * The first line names the columns. Quotes are not understood.
 *
 * @param {string} name of the table
 * @returns {Object[]}
 */
function loadTable(name) {
  const lines = fs.readFileSync(name, 'utf8').trim().split(/\r?\n/);
  const header = lines.shift().split(',');
  return lines.map(function (line) {
    const cells = line.split(',');
    return Object.fromEntries(header.map((column, i) => [column, cells[i]]));
  });
}

/**
 * Stores objects as a table of comma separated values with a header line.
 */
function storeTable(name, rows) {
  const header = Object.keys(rows[0]);
  const lines = [header.join(',')];
  for (const row of rows) {
    const cells = header.map((column) => JSON.stringify(row[column] ?? ''));
    lines.push(cells.join(','));
  }
  fs.writeFileSync(name, lines.join('\n') + '\n');
}

/**
 * Decodes a document of JSON from the disk, or returns a default where it is absent.
 */
function loadDocument(name, fallback) {
  if (!fs.existsSync(name)) {
    return fallback;
  }
  const text = fs.readFileSync(name, 'utf8');
  return JSON.parse(text.replace(/^\uFEFF/, ''));
}

/**
 * Saves a value as an indented JSON document, under a temporary name first.
 *
 * @param {string} name
 * @param {*} value
 */
function storeDocument(name, value) {
  const text = JSON.stringify(value, null, 2);
  const temporary = `${name}.${process.pid}.tmp`;
  fs.writeFileSync(temporary, text + '\n', 'utf8');
  fs.renameSync(temporary, name);
}

/**
 * Lists all files below a folder, its subfolders included.
 */
function listFiles(folder) {
  const found = [];
  for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
    const full = path.join(folder, entry.name);
    if (entry.isDirectory()) {
      found.push(...listFiles(full));
    } else {
      found.push(full);
    }
  }
  return found;
}

/**
 * Reads settings of lines such as "key = value" and skips comments.
 */
function loadSettings(name) {
  const settings = {};
  for (const line of fs.readFileSync(name, 'utf8').split('\n')) {
    const [key, ...value] = line.split('=');
    if (line.startsWith('#') || value.length === 0) {
      continue;
    }
    settings[key.trim()] = value.join('=').trim();
  }
  return settings;
}

/**
 * Creates a logger that appends messages with time and level to a file.
 */
function createLogger(name, level = 'info') {
  const order = ['debug', 'info', 'warning', 'error'];
  return function log(severity, message) {
    if (order.indexOf(severity) < order.indexOf(level)) {
      return;
    }
    const stamp = new Date().toISOString();
    fs.appendFileSync(name, `${stamp} ${severity} ${message}\n`);
  };
}

/**
 * Copies a file unless the target is younger than the source.
 *
 * @returns {boolean} whether something was copied
 */
function copyIfNewer(source, target) {
  const changed = fs.statSync(source).mtimeMs;
  if (fs.existsSync(target) && fs.statSync(target).mtimeMs >= changed) {
    return false;
  }
  fs.mkdirSync(path.dirname(target), { recursive: true });
  fs.copyFileSync(source, target);
  return true;
}

/**
 * Writes a number of bytes with a unit that people can read.
 */
function readableSize(bytes) {
  const units = ['B', 'kB', 'MB', 'GB'];
  let step = 0;
  while (bytes >= 1000 && step < units.length - 1) {
    bytes /= 1000;
    step += 1;
  }
  return `${bytes.toFixed(step ? 1 : 0)} ${units[step]}`;
}

function extension(name) {
  const base = path.basename(name);
  const dot = base.lastIndexOf('.');
  return dot > 0 ? base.slice(dot + 1) : '';
}

module.exports = {
  loadTable, storeTable, loadDocument, storeDocument, listFiles, loadSettings, createLogger,
  copyIfNewer, readableSize, extension,
};
