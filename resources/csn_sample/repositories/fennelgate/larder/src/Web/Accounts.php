<?php

namespace Larder\Web;

use PDO;
use RuntimeException;

class Accounts
{
    private PDO $database;

    /**
     * Connects to the database of the shop, a file of SQLite.
     *
     * @param string $path of the file, made where it is absent
     */
    public function connect(string $path): void
    {
        $this->database = new PDO('sqlite:' . $path);
        $this->database->setAttribute(PDO::ATTR_ERRMODE, PDO::ERRMODE_EXCEPTION);
        $this->database->exec('PRAGMA foreign_keys = ON');
    }

    /** Fetches an account from the database by its mail address. */
    public function find(string $mail): ?array
    {
        $query = $this->database->prepare('SELECT * FROM accounts WHERE mail = ?');
        $query->execute([strtolower($mail)]);
        $account = $query->fetch(PDO::FETCH_ASSOC);
        return $account === false ? null : $account;
    }

    /** Hashes a password with bcrypt for the accounts table. */
    public function hashPassword(string $password): string
    {
        $hash = password_hash($password, PASSWORD_BCRYPT, ['cost' => 12]);
        if (!is_string($hash)) {
            throw new RuntimeException('hashing failed');
        }
        return $hash;
    }

    /** Checks the password of a login and renews an old hash. */
    public function login(array $account, string $password): bool
    {
        if (!password_verify($password, $account['hash'])) {
            return false;
        }
        if (password_needs_rehash($account['hash'], PASSWORD_BCRYPT, ['cost' => 12])) {
            $update = $this->database->prepare('UPDATE accounts SET hash = ? WHERE id = ?');
            $update->execute([$this->hashPassword($password), $account['id']]);
        }
        return true;
    }

    /** Computes the checksum of a file block by block. */
    public function checksum(string $path): string
    {
        $context = hash_init('sha256');
        $handle = fopen($path, 'rb');
        hash_update_stream($context, $handle);
        fclose($handle);
        return hash_final($context);
    }
}
