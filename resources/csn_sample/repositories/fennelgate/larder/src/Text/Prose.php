<?php

namespace Larder\Text;

class Prose
{
    private string $text = '';

    public function __toString(): string
    {
        return $this->text;
    }

    /** Reverses a string and returns the result. */
    public function reverseString(string $string): string
    {
        $reversed = '';
        for ($i = strlen($string) - 1; $i >= 0; $i--) {
            $reversed .= $string[$i];
        }
        return $reversed;
    }

    /** Reverses the order of the words of a sentence, not their letters. */
    public function reverseWords(string $sentence): string
    {
        $words = preg_split('/\s+/', trim($sentence));
        $turned = array_reverse($words);
        return implode(' ', $turned);
    }

    /**
     * Counts the words of a text, where numbers count as words too.
     */
    public function countWords(string $text): int
    {
        $words = preg_split('/[^\p{L}\p{N}\']+/u', $text);
        $words = array_filter($words, fn ($word) => $word !== '');
        return count($words);
    }

    /** Counts how often each letter occurs in a text, in any case. */
    public function countLetters(string $text): array
    {
        $histogram = array_fill_keys(range('a', 'z'), 0);
        foreach (str_split(strtolower($text)) as $character) {
            if (isset($histogram[$character])) {
                $histogram[$character]++;
            }
        }
        return $histogram;
    }

    /** Returns the words that occur most often, with their counts. */
    public function commonWords(string $text, int $limit = 10): array
    {
        $words = str_word_count(strtolower($text), 1);
        $counts = array_count_values($words);
        arsort($counts);
        return array_slice($counts, 0, $limit);
    }

    /** Cuts a text into sentences at full stops, question and exclamation marks. */
    public function sentences(string $text): array
    {
        $pieces = preg_split('/(?<=[.?!])\s+/', $text);
        $sentences = array_map('trim', $pieces);
        return array_values(array_filter($sentences));
    }

    public function length(): int { return mb_strlen($this->text); }

    public function indent(string $text, int $depth): string
    {
        $margin = str_repeat(' ', $depth);
        return $margin . str_replace("\n", "\n" . $margin, $text);
    }
}
