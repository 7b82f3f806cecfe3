'use strict';

/**
 * Turns a word around, code point by code point.
 *
 * @param {string} word
 * @returns {string} the mirrored word
 */
function mirror(word) {
  let mirrored = '';
  for (const letter of word) {
    mirrored = letter + mirrored;
  }
  return mirrored;
}

/**
 * Tells whether a phrase reads the same in both directions, without blanks and marks.
 */
function isPalindrome(phrase) {
  const letters = phrase.toLowerCase().replace(/[^a-z0-9]/g, '');
  const half = Math.floor(letters.length / 2);
  for (let i = 0; i < half; i++) {
    if (letters[i] !== letters[letters.length - 1 - i]) {
      return false;
    }
  }
  return true;
}

/**
 * Makes an address out of a title: small letters, digits and hyphens.
 */
function slugify(title) {
  const plain = title.normalize('NFD').replace(/[\u0300-\u036f]/g, '');
  const hyphened = plain.toLowerCase().replace(/[^a-z0-9]+/g, '-');
  return hyphened.replace(/^-|-$/g, '');
}

/**
 * Shortens a text to a number of characters and ends it with an ellipsis.
 *
 * @param {string} text
 * @param {number} limit counts the ellipsis too
 */
function truncate(text, limit) {
  if (text.length <= limit) {
    return text;
  }
  const cut = text.lastIndexOf(' ', limit - 1);
  const end = cut > 0 ? cut : limit - 1;
  return text.slice(0, end) + '…';
}

/**
 * Converts a name with hyphens or underscores into camel case.
 */
function camelCase(name) {
  const parts = name.toLowerCase().split(/[-_\s]+/);
  const capitals = parts.slice(1).map((part) => part[0].toUpperCase() + part.slice(1));
  return parts[0] + capitals.join('');
}

/**
 * Converts a name in camel case into words with hyphens between them.
 */
function kebabCase(name) {
  const parts = name.match(/[A-Z]?[a-z0-9]+|[A-Z]+(?![a-z])/g);
  if (!parts) {
    return name;
  }
  return parts.map((part) => part.toLowerCase()).join('-');
}

/**
 * Counts how often each of the words of a text occurs.
 *
 * Upper and lower case are the same word.
 *
 * @returns {Map<string, number>}
 */
function wordFrequencies(text) {
  const counts = new Map();
  for (const word of text.toLowerCase().match(/[\p{L}\d']+/gu) || []) {
    const before = counts.get(word) || 0;
    counts.set(word, before + 1);
  }
  return counts;
}

/**
 * Wraps a text into lines that are at most as wide as asked for.
 */
function wrap(text, width) {
  const lines = [''];
  for (const word of text.split(/\s+/)) {
    const line = lines[lines.length - 1];
    if (line && line.length + 1 + word.length > width) {
      lines.push(word);
    } else {
      lines[lines.length - 1] = line ? line + ' ' + word : word;
    }
  }
  return lines;
}

/**
 * Replaces the markup characters of a text by their entities.
 */
function escapeMarkup(text) {
  const entities = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
  return text.replace(/[&<>"]/g, function (character) {
    return entities[character];
  });
}

/**
 * Fills the names in double braces of a template with values.
 *
 * @param {string} template
 * @param {Object} values by name, an absent one leaves nothing
 */
function fillTemplate(template, values) {
  return template.replace(/\{\{\s*(\w+)\s*\}\}/g, function (whole, name) {
    const value = values[name];
    return value === undefined ? '' : String(value);
  });
}

/**
 * Counts the edits that turn one word into another (Levenshtein distance).
 */
function editDistance(left, right) {
  let above = Array.from({ length: right.length + 1 }, (_, i) => i);
  for (let i = 1; i <= left.length; i++) {
    const row = [i];
    for (let j = 1; j <= right.length; j++) {
      const change = left[i - 1] === right[j - 1] ? 0 : 1;
      row.push(Math.min(row[j - 1] + 1, above[j] + 1, above[j - 1] + change));
    }
    above = row;
  }
  return above[right.length];
}

function isBlank(text) { return text.trim() === ''; }

function padCentre(text, width) {
  const space = Math.max(0, width - text.length);
  const left = Math.floor(space / 2);
  return ' '.repeat(left) + text + ' '.repeat(space - left);
}

module.exports = {
  mirror, isPalindrome, slugify, truncate, camelCase, kebabCase, wordFrequencies, wrap,
  escapeMarkup, fillTemplate, editDistance, isBlank, padCentre,
};
