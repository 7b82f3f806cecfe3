'use strict';

// Spells the name of a place from its end to its start.
function spellBackwards(place) {
  let spelled = '';
  for (let i = place.length; i > 0; i--) {
    spelled += place.charAt(i - 1);
  }
  return spelled;
}

// Suggests the known name that shares most letters with a misspelt one.
function suggest(misspelt, known) {
  const letters = new Set(misspelt.toLowerCase());
  const score = (name) => [...new Set(name.toLowerCase())].filter((l) => letters.has(l)).length;
  const ranked = known.slice().sort((a, b) => score(b) - score(a));
  return ranked[0];
}

// Makes a list of names readable, with "and" before the last one.
function enumerate(names) {
  if (names.length < 2) {
    return names.join('');
  }
  const front = names.slice(0, -1).join(', ');
  return `${front} and ${names[names.length - 1]}`;
}

// Cuts a note after some sentences and says how many are left.
function teaser(note, count) {
  const sentences = note.match(/[^.!?]+[.!?]+/g) || [note];
  const shown = sentences.slice(0, count).join('').trim();
  const left = sentences.length - count;
  return left > 0 ? `${shown} (${left} more)` : shown;
}

// Parses switches such as --from=Oslo of a command line into an object.
function parseSwitches(words) {
  const switches = { rest: [] };
  for (const word of words) {
    const match = /^--([\w-]+)(?:=(.*))?$/.exec(word);
    if (match) switches[match[1]] = match[2] === undefined ? true : match[2];
    else switches.rest.push(word);
  }
  return switches;
}

// Queues tasks and runs them one after the other.
function createQueue() {
  let tail = Promise.resolve();
  return function enqueue(task) {
    const result = tail.then(() => task());
    tail = result.catch(() => undefined);
    return result;
  };
}

// Merges the settings of a user into the defaults, also nested ones.
function mergeSettings(defaults, settings) {
  const merged = { ...defaults };
  for (const [name, value] of Object.entries(settings)) {
    const nested = value && typeof value === 'object' && !Array.isArray(value);
    merged[name] = nested ? mergeSettings(defaults[name] || {}, value) : value;
  }
  return merged;
}

function plural(count, word) { return count === 1 ? word : word + 's'; }

module.exports = {
  spellBackwards, suggest, enumerate, teaser, parseSwitches, createQueue, mergeSettings, plural,
};
