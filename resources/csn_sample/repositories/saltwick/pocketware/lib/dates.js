'use strict';

const DAY = 24 * 60 * 60 * 1000;

/**
 * Makes a date of a text with day, month and year between full stops.
 *
 * @param {string} text such as "24.12.2020"
 * @throws {RangeError} for a day that no calendar has
 */
function fromGermanDate(text) {
  const [day, month, year] = text.split('.').map(Number);
  const date = new Date(year, month - 1, day);
  if (date.getMonth() !== month - 1 || date.getDate() !== day) {
    throw new RangeError(`no such day: ${text}`);
  }
  return date;
}

/**
 * Formats a date by a pattern of letters such as YYYY-MM-DD.
 */
function formatDate(date, pattern) {
  const pad = (number) => String(number).padStart(2, '0');
  return pattern
    .replace('YYYY', date.getFullYear())
    .replace('MM', pad(date.getMonth() + 1))
    .replace('DD', pad(date.getDate()));
}

/**
 * Counts the whole days between two dates, whatever their hours are.
 */
function daysBetween(from, to) {
  const start = Date.UTC(from.getFullYear(), from.getMonth(), from.getDate());
  const end = Date.UTC(to.getFullYear(), to.getMonth(), to.getDate());
  return Math.round((end - start) / DAY);
}

/**
 * Adds months to a date and stays within the month that is reached.
 *
 * @param {Date} date
 * @param {number} months may be negative
 */
function addMonths(date, months) {
  const added = new Date(date.getTime());
  const day = added.getDate();
  added.setDate(1);
  added.setMonth(added.getMonth() + months);
  const last = new Date(added.getFullYear(), added.getMonth() + 1, 0).getDate();
  added.setDate(Math.min(day, last));
  return added;
}

/**
 * Tells whether a year has 366 days in the Gregorian calendar.
 */
function isLeapYear(year) {
  if (year % 100 === 0) {
    return year % 400 === 0;
  }
  return year % 4 === 0;
}

/**
 * Returns the number of the week in which a date lies, as ISO 8601 counts weeks.
 */
function weekNumber(date) {
  const thursday = new Date(date.getTime());
  thursday.setDate(date.getDate() + 4 - (date.getDay() || 7));
  const january = new Date(thursday.getFullYear(), 0, 1);
  const days = Math.round((thursday - january) / DAY);
  return Math.floor(days / 7) + 1;
}

/**
 * Says how long ago a moment was, in words for people.
 */
function timeAgo(moment, now = Date.now()) {
  const seconds = Math.floor((now - moment) / 1000);
  const units = [['day', 86400], ['hour', 3600], ['minute', 60]];
  for (const [unit, length] of units) {
    const count = Math.floor(seconds / length);
    if (count > 0) {
      return `${count} ${unit}${count > 1 ? 's' : ''} ago`;
    }
  }
  return 'just now';
}

/**
 * Converts a duration such as "2h 15m" into milliseconds.
 */
function parseDuration(text) {
  const lengths = { h: 3600000, m: 60000, s: 1000 };
  let total = 0;
  for (const [, number, unit] of text.matchAll(/(\d+)\s*([hms])/g)) {
    total += Number(number) * lengths[unit];
  }
  return total;
}

/**
 * Returns the age of a person in full years on a given day.
 */
function ageOn(birthday, day) {
  const years = day.getFullYear() - birthday.getFullYear();
  const anniversary = new Date(birthday.getTime());
  anniversary.setFullYear(day.getFullYear());
  return anniversary > day ? years - 1 : years;
}

function startOfDay(date) {
  const start = new Date(date.getTime());
  start.setHours(0, 0, 0, 0);
  return start;
}

module.exports = {
  fromGermanDate, formatDate, daysBetween, addMonths, isLeapYear, weekNumber, timeAgo,
  parseDuration, ageOn, startOfDay,
};
