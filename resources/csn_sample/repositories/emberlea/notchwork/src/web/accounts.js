'use strict';

const crypto = require('crypto');

module.exports = {
  /**
   * Hashes a password with a new salt and many rounds.
   *
   * @param {string} password
   * @returns {string} what checkPassword takes
   */
  hashPassword: function (password) {
    const salt = crypto.randomBytes(12).toString('base64');
    const rounds = 120000;
    const hash = crypto.pbkdf2Sync(password, salt, rounds, 32, 'sha512');
    return [rounds, salt, hash.toString('base64')].join('|');
  },

  /**
   * Checks whether a password belongs to a stored hash.
   */
  checkPassword: function (password, stored) {
    const [rounds, salt, hash] = stored.split('|');
    const again = crypto.pbkdf2Sync(password, salt, Number(rounds), 32, 'sha512');
    return crypto.timingSafeEqual(again, Buffer.from(hash, 'base64'));
  },

  /**
   * Computes a short hash of a string to spread keys over buckets.
   */
  bucketOf: function (key, buckets) {
    let hash = 5381;
    for (let i = 0; i < key.length; i++) {
      hash = ((hash << 5) + hash + key.charCodeAt(i)) >>> 0;
    }
    return hash % buckets;
  },

  /**
   * Connects to the database and creates the table of accounts once.
   *
   * @param {Function} Database class of the driver
   * @param {string} file where the database lies
   */
  connect: function (Database, file) {
    const database = new Database(file);
    database.exec('CREATE TABLE IF NOT EXISTS accounts (name TEXT PRIMARY KEY, hash TEXT)');
    database.pragma('journal_mode = WAL');
    return database;
  },

  /**
   * Looks up the account of a user in the database.
   */
  findAccount: function (database, name) {
    const statement = database.prepare('SELECT name, hash FROM accounts WHERE name = ?');
    const account = statement.get(name.toLowerCase());
    if (!account) {
      throw new Error(`no account of the name ${name}`);
    }
    return account;
  },

  /**
   * Closes the connections that nobody used for a while.
   */
  closeIdle: function (connections, patience) {
    const now = Date.now();
    return connections.filter(function (connection) {
      const idle = now - connection.lastUse > patience;
      if (idle) connection.close();
      return !idle;
    });
  },

  greet: function (account) {
    const name = account.name || 'stranger';
    return 'Hello, ' + name + '!';
  },
};
