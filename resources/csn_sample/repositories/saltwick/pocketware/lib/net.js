'use strict';

const https = require('https');

/**
 * Calls a function again until its promise holds, with growing pauses between attempts.
 *
 * @param {Function} action returns a promise
 * @param {number} attempts how often at most
 */
async function persist(action, attempts = 3) {
  for (let attempt = 1; ; attempt++) {
    try {
      return await action(attempt);
    } catch (error) {
      if (attempt >= attempts) throw error;
      await new Promise((resolve) => setTimeout(resolve, 100 * 2 ** attempt));
    }
  }
}

/**
 * Fetches an address and collects the body of the answer as text.
 */
function fetchText(url) {
  return new Promise(function (resolve, reject) {
    const request = https.get(url, function (answer) {
      const parts = [];
      answer.on('data', (part) => parts.push(part));
      answer.on('end', () => resolve(Buffer.concat(parts).toString('utf8')));
    });
    request.on('error', reject);
  });
}

/**
 * Posts a value as JSON to a server and returns its decoded answer.
 */
async function postValue(url, value, headers = {}) {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(value),
  });
  if (!answer.ok) {
    throw new Error(`${url} answered ${answer.status}`);
  }
  return answer.json();
}

/**
 * Parses the part of an address behind the question mark into an object.
 *
 * A name that occurs again gets an array of values.
 */
function parseQuery(url) {
  const parameters = {};
  for (const [name, value] of new URL(url).searchParams) {
    const known = parameters[name];
    parameters[name] = known === undefined ? value : [].concat(known, value);
  }
  return parameters;
}

/**
 * Appends parameters to an address and encodes what needs it.
 */
function withParameters(address, parameters) {
  const url = new URL(address);
  for (const name of Object.keys(parameters).sort()) {
    url.searchParams.append(name, parameters[name]);
  }
  return url.href;
}

/**
 * Splits the cookies of a header into names and decoded values.
 */
function parseCookies(header) {
  const cookies = {};
  for (const part of header.split(/;\s*/)) {
    const equals = part.indexOf('=');
    if (equals > 0) {
      cookies[part.slice(0, equals)] = decodeURIComponent(part.slice(equals + 1));
    }
  }
  return cookies;
}

/**
 * Rejects a promise that takes longer than some milliseconds.
 *
 * @param {Promise} promise
 * @param {number} milliseconds
 */
function withDeadline(promise, milliseconds) {
  let timer;
  const deadline = new Promise(function (resolve, reject) {
    timer = setTimeout(() => reject(new Error('too late')), milliseconds);
  });
  return Promise.race([promise, deadline]).finally(() => clearTimeout(timer));
}

/**
 * Tells whether a text is an address of four numbers between full stops.
 */
function isInternetAddress(text) {
  const numbers = text.split('.');
  if (numbers.length !== 4) {
    return false;
  }
  return numbers.every((number) => /^\d{1,3}$/.test(number) && Number(number) <= 255);
}

/**
 * Runs jobs that return promises, only so many of them at the same time.
 */
async function runLimited(jobs, limit) {
  const results = [];
  let next = 0;
  const worker = async () => {
    while (next < jobs.length) {
      const place = next++;
      results[place] = await jobs[place]();
    }
  };
  await Promise.all(Array.from({ length: limit }, worker));
  return results;
}

function statusGroup(status) {
  const groups = ['', 'information', 'success', 'redirection', 'request error', 'server error'];
  return groups[Math.floor(status / 100)] || 'unknown';
}

module.exports = {
  persist, fetchText, postValue, parseQuery, withParameters, parseCookies, withDeadline,
  isInternetAddress, runLimited, statusGroup,
};
