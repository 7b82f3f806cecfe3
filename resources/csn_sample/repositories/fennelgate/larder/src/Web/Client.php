<?php

namespace Larder\Web;

use RuntimeException;

class Client
{
    /**
     * Sends an HTTP request and retries it when the server fails.
     *
     * @param int $retries how many more times
     */
    public function requestWithRetry(string $method, string $url, int $retries = 3): string
    {
        do {
            [$status, $body] = $this->send($method, $url);
            if ($status < 500) {
                return $body;
            }
            sleep(1);
        } while ($retries-- > 0);
        throw new RuntimeException("$method $url failed with $status");
    }

    /** Sends one HTTP request with curl and returns status and body. */
    public function send(string $method, string $url): array
    {
        $curl = curl_init($url);
        curl_setopt_array($curl, [CURLOPT_CUSTOMREQUEST => $method, CURLOPT_RETURNTRANSFER => true]);
        $body = curl_exec($curl);
        $status = curl_getinfo($curl, CURLINFO_RESPONSE_CODE);
        curl_close($curl);
        return [$status, (string) $body];
    }

    /** Waits before another try, twice as long each time, with some chance added. */
    public function backoff(int $try, float $base = 0.2): float
    {
        $seconds = $base * 2 ** $try;
        $jitter = $seconds * mt_rand() / mt_getrandmax();
        usleep((int) (1e6 * ($seconds + $jitter)));
        return $seconds + $jitter;
    }

    /** Escapes the values of a page so that no markup of a user gets through. */
    public function escape(array $values): array
    {
        $escaped = [];
        foreach ($values as $name => $value) {
            $escaped[$name] = htmlspecialchars((string) $value, ENT_QUOTES, 'UTF-8');
        }
        return $escaped;
    }

    /** Takes the parameters out of the query part of an address. */
    public function parameters(string $url): array
    {
        $query = parse_url($url, PHP_URL_QUERY) ?? '';
        parse_str($query, $parameters);
        ksort($parameters);
        return $parameters;
    }

    public function isSecure(string $url): bool
    {
        $scheme = parse_url($url, PHP_URL_SCHEME);
        return $scheme === 'https';
    }
}
