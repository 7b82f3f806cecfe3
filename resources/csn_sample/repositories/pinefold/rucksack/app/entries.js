'use strict';

const fs = require('fs');

/**
 * Imports the entries of a journey from lines of a CSV export.
 */
function importEntries(csv) {
  const entries = [];
  for (const line of csv.split('\n').slice(1)) {
    const [day, place, note] = line.split(';');
    if (place) {
      entries.push({ day, place, note: note || '' });
    }
  }
  return entries;
}

/**
 * Exports all entries of a journey into a JSON file of its own.
 *
 * @param {Object} journey
 * @param {string} folder
 */
function exportEntries(journey, folder) {
  const target = `${folder}/${journey.name}.json`;
  const stream = fs.createWriteStream(target);
  stream.write(JSON.stringify({ version: 2, entries: journey.entries }));
  stream.end();
  return target;
}

/**
 * Sorts entries by day and, on the same day, by place.
 */
function sortEntries(entries) {
  const compare = (a, b) => a.day.localeCompare(b.day) || a.place.localeCompare(b.place);
  const sorted = Array.from(entries);
  sorted.sort(compare);
  return sorted;
}

/**
 * Counts the words that were written on each day of a journey.
 */
function wordsPerDay(entries) {
  const tally = {};
  entries.forEach(function (entry) {
    const words = entry.note.split(/\W+/).filter((word) => word.length > 0);
    tally[entry.day] = (tally[entry.day] || 0) + words.length;
  });
  return tally;
}

/**
 * Reads the day of an entry, which may be a date or the word today.
 */
function readDay(text, today) {
  if (text.toLowerCase() === 'today') {
    return today;
  }
  const stamp = Date.parse(text + 'T00:00:00Z');
  if (Number.isNaN(stamp)) {
    throw new TypeError(`no day of a calendar: ${text}`);
  }
  return new Date(stamp);
}

/**
 * Searches the sorted days of a journey for the entry of a day by halves.
 */
function entryOfDay(entries, day) {
  let first = 0;
  let behind = entries.length;
  while (behind - first > 1) {
    const half = first + Math.floor((behind - first) / 2);
    if (entries[half].day <= day) first = half;
    else behind = half;
  }
  return entries[first] && entries[first].day === day ? entries[first] : null;
}

/**
 * Returns the places of a journey without repetition, in order of arrival.
 */
function placesVisited(entries) {
  const places = new Set();
  for (const { place } of entries) {
    places.add(place.trim());
  }
  return [...places];
}

function hasNotes(entry) {
  const note = entry.note.trim();
  return note.length > 0 && note !== '-';
}

module.exports = {
  importEntries, exportEntries, sortEntries, wordsPerDay, readDay, entryOfDay, placesVisited,
  hasNotes,
};
