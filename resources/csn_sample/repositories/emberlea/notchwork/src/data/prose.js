'use strict';

/**
 * Reverses a string, characters of several code units included.
 */
const reverseString = function (string) {
  const characters = Array.from(string);
  const reversed = [];
  while (characters.length > 0) {
    reversed.push(characters.pop());
  }
  return reversed.join('');
};

/**
 * Reverses the words of a sentence and keeps the blanks between them.
 */
const reverseWords = function (sentence) {
  const pieces = sentence.split(/(\s+)/);
  let reversed = '';
  for (const piece of pieces) {
    reversed = piece + reversed;
  }
  return reversed;
};

/**
 * Counts the words of a string that are separated by blanks.
 *
 * @param {string} string
 * @returns {number}
 */
const countWords = function (string) {
  const trimmed = string.trim();
  if (trimmed === '') {
    return 0;
  }
  const words = trimmed.split(/\s+/);
  return words.length;
};

/**
 * Counts how many lines, words and characters a text has.
 */
const measureText = function (text) {
  const lines = text.split('\n').length;
  const words = (text.match(/\S+/g) || []).length;
  const characters = [...text].length;
  return { lines, words, characters };
};

/**
 * Counts how often a letter occurs in a text.
 */
const countLetter = function (text, letter) {
  let count = 0;
  let from = text.indexOf(letter);
  while (from !== -1) {
    count += 1;
    from = text.indexOf(letter, from + 1);
  }
  return count;
};

/**
 * Turns the case of every letter of a text into the other one.
 */
const swapCase = function (text) {
  const swapped = Array.from(text, function (letter) {
    const upper = letter.toUpperCase();
    return letter === upper ? letter.toLowerCase() : upper;
  });
  return swapped.join('');
};

/**
 * Parses a date string such as "March 28, 2021" or gives null.
 *
 * @param {string} string
 */
const parseDate = function (string) {
  const match = /^([A-Za-z]{3})[a-z]*\.? (\d{1,2}),? (\d{4})$/.exec(string.trim());
  const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
  const month = match ? months.indexOf(match[1].toLowerCase()) : -1;
  if (month < 0) {
    return null;
  }
  return new Date(Number(match[3]), month, Number(match[2]));
};

/**
 * Parses a time of day with or without seconds into seconds since midnight.
 */
const parseClock = function (clock) {
  const [hours, minutes, seconds = 0] = clock.split(':').map(Number);
  if (hours > 23 || minutes > 59 || seconds > 59) {
    throw new RangeError(`not on any clock: ${clock}`);
  }
  return hours * 3600 + minutes * 60 + seconds;
};

/**
 * Formats a date as people in a country write it.
 */
const formatForCountry = function (date, country) {
  const options = { year: 'numeric', month: 'long', day: 'numeric' };
  const formatter = new Intl.DateTimeFormat(country, options);
  return formatter.format(date);
};

const initials = function (name) {
  const parts = name.split(/\s+/);
  return parts.map((part) => part.charAt(0).toUpperCase()).join('');
};

module.exports = {
  reverseString, reverseWords, countWords, measureText, countLetter, swapCase, parseDate,
  parseClock, formatForCountry, initials,
};
