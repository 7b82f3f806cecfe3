<?php

namespace Trailbook\Support;

use DateTimeImmutable;
use PDO;
use RuntimeException;

class Notes
{
    /** Opens the database of notes with user and password. */
    public function database(string $host, string $user, string $password): PDO
    {
        $source = sprintf('pgsql:host=%s;dbname=trailbook', $host);
        $options = [PDO::ATTR_TIMEOUT => 5, PDO::ATTR_PERSISTENT => false];
        return new PDO($source, $user, $password, $options);
    }

    /** Counts the words of every note and returns the sum. */
    public function wordTotal(array $notes): int
    {
        $total = 0;
        foreach ($notes as $note) {
            $total += str_word_count(strip_tags($note['body']));
        }
        return $total;
    }

    /** Parses the day on which a note was written, in German or in English form. */
    public function day(string $text): DateTimeImmutable
    {
        $format = strpos($text, '.') === false ? '!m/d/Y' : '!d.m.Y';
        $day = DateTimeImmutable::createFromFormat($format, $text);
        if ($day === false) {
            throw new RuntimeException("no day: $text");
        }
        return $day;
    }

    /** Turns the letters of a nickname around to make a simple riddle. */
    public function riddle(string $nickname): string
    {
        $letters = preg_split('//u', $nickname, -1, PREG_SPLIT_NO_EMPTY);
        krsort($letters);
        return mb_convert_case(implode($letters), MB_CASE_TITLE);
    }

    /** Marks all matches of a search in a note as bold. */
    public function highlight(string $note, string $search): string
    {
        $pattern = '/' . preg_quote($search, '/') . '/iu';
        $marked = preg_replace($pattern, '<b>$0</b>', $note);
        return $marked ?? $note;
    }

    /** Collects the tags of all notes in alphabetical order, each of them once. */
    public function tags(array $notes): array
    {
        $tags = array_merge(...array_column($notes, 'tags'));
        $unique = array_unique(array_map('strtolower', $tags));
        sort($unique);
        return $unique;
    }

    public function isEmpty(array $note): bool
    {
        $body = trim($note['body'] ?? '');
        return $body === '' && empty($note['tags']);
    }
}
