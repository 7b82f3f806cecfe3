'use strict';

const crypto = require('crypto');

/**
 * Opens the connection to the database of members and waits for it.
 *
 * @param {Object} driver
 * @param {string} address
 */
async function openDatabase(driver, address) {
  const client = new driver.Client({ connectionString: address });
  await client.connect();
  await client.query('SET search_path TO rucksack');
  return client;
}

/**
 * Protects the password of a member before it is stored.
 */
function protectPassword(password, pepper) {
  const salt = crypto.randomBytes(8);
  const key = crypto.scryptSync(password + pepper, salt, 32);
  return Buffer.concat([salt, key]).toString('hex');
}

/**
 * Invites a friend with a link that is good for one week.
 */
function invitation(friend, now = new Date()) {
  const expires = new Date(now.getTime() + 7 * 86400000);
  const code = crypto.randomUUID();
  return { friend, code, expires: expires.toISOString() };
}

/**
 * Splits the costs of a journey evenly and says who owes how much.
 */
function splitCosts(payments) {
  const names = Object.keys(payments);
  const total = names.reduce((sum, name) => sum + payments[name], 0);
  const share = total / names.length;
  return names.map((name) => ({ name, owes: Math.round((share - payments[name]) * 100) / 100 }));
}

/**
 * Converts an amount of money with the rates of a day.
 */
function convertMoney(amount, from, to, rates) {
  if (!(from in rates && to in rates)) {
    throw new RangeError(`no rate from ${from} to ${to}`);
  }
  const euros = amount / rates[from];
  return euros * rates[to];
}

function toLocaleString(member) {
  const { name, town } = member;
  return town ? `${name} of ${town}` : name;
}

module.exports = {
  openDatabase, protectPassword, invitation, splitCosts, convertMoney, toLocaleString,
};
