'use strict';

const crypto = require('crypto');

/**
 * Makes a salted digest of a secret with scrypt, fit to be stored.
 *
 * @param {string} secret
 * @returns {string} salt and digest with a colon between
 */
function digestSecret(secret) {
  const salt = crypto.randomBytes(16).toString('hex');
  const digest = crypto.scryptSync(secret, salt, 64).toString('hex');
  return `${salt}:${digest}`;
}

/**
 * Checks a secret against its stored digest without telling by time.
 */
function matchesDigest(secret, stored) {
  const [salt, expected] = stored.split(':');
  const actual = crypto.scryptSync(secret, salt, 64);
  return crypto.timingSafeEqual(actual, Buffer.from(expected, 'hex'));
}

/**
 * Creates a random token of hexadecimal digits for links and sessions.
 */
function randomToken(digits = 40) {
  const bytes = Math.ceil(digits / 2);
  const token = crypto.randomBytes(bytes).toString('hex');
  return token.slice(0, digits);
}

/**
 * Signs a message with a key so that changes to it are seen.
 */
function signMessage(message, key) {
  const signature = crypto.createHmac('sha256', key);
  signature.update(message, 'utf8');
  return message + '.' + signature.digest('base64');
}

/**
 * Opens a pool of connections to a server of PostgreSQL and tries one of them.
 */
async function openPool(driver, settings) {
  const pool = new driver.Pool({
    host: settings.host,
    database: settings.name,
    user: settings.user,
    password: settings.secret,
  });
  const client = await pool.connect();
  client.release();
  return pool;
}

/**
 * Does work in a transaction of the database and takes it back on failure.
 */
async function inTransaction(client, work) {
  await client.query('BEGIN');
  try {
    const result = await work(client);
    await client.query('COMMIT');
    return result;
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  }
}

/**
 * Builds an insert statement with numbered marks for the values of a row.
 */
function insertStatement(table, row) {
  const columns = Object.keys(row);
  const marks = columns.map((_, place) => '$' + (place + 1));
  const text = `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${marks.join(', ')})`;
  return { text, values: columns.map((column) => row[column]) };
}

/**
 * Remembers what a function returned for arguments that it had before.
 */
function memoise(compute) {
  const known = new Map();
  return function (...given) {
    const key = JSON.stringify(given);
    if (!known.has(key)) {
      known.set(key, compute.apply(this, given));
    }
    return known.get(key);
  };
}

/**
 * Drops the entries of a cache whose time is over.
 *
 * @param {Map} cache of objects with a moment "expires"
 * @returns {number} how many were dropped
 */
function dropExpired(cache, now = Date.now()) {
  let dropped = 0;
  for (const [key, entry] of cache) {
    if (entry.expires <= now) {
      cache.delete(key);
      dropped += 1;
    }
  }
  return dropped;
}

/**
 * Puts an element into a heap so that the smallest stays on top.
 */
function pushHeap(heap, element) {
  let place = heap.push(element) - 1;
  while (place > 0) {
    const parent = (place - 1) >> 1;
    if (heap[parent] <= element) break;
    heap[place] = heap[parent];
    place = parent;
  }
  heap[place] = element;
}

function toString(entry) {
  const left = Math.max(0, entry.expires - Date.now());
  return `${entry.key} for ${left} ms`;
}

module.exports = {
  digestSecret, matchesDigest, randomToken, signMessage, openPool, inTransaction,
  insertStatement, memoise, dropExpired, pushHeap, toString,
};
