<?php

namespace Larder\Text;

use DateTime;
use InvalidArgumentException;

class Calendar
{
    /**
     * Parses a date string of the form year, month, day.
     *
     * @param string $string such as "2021-03-28"
     * @throws InvalidArgumentException for a day that does not exist
     */
    public function parseDate(string $string): DateTime
    {
        [$year, $month, $day] = array_map('intval', explode('-', $string . '--'));
        if (!checkdate($month, $day, $year)) {
            throw new InvalidArgumentException("'$string' is no date");
        }
        return (new DateTime())->setDate($year, $month, $day)->setTime(0, 0);
    }

    /** Parses a time of day such as "7:45 pm" into minutes since midnight. */
    public function parseTime(string $clock): int
    {
        if (!preg_match('/^(\d+):(\d\d)\s*(am|pm)?$/i', $clock, $match)) {
            throw new InvalidArgumentException("'$clock' is no time");
        }
        $hour = (int) $match[1] % (isset($match[3]) ? 12 : 24);
        $noon = strtolower($match[3] ?? '') === 'pm' ? 12 : 0;
        return ($hour + $noon) * 60 + (int) $match[2];
    }

    /** Formats a date in words, such as "Sunday, 28 March 2021". */
    public function inWords(DateTime $date): string
    {
        $weekday = $date->format('l');
        $rest = $date->format('j F Y');
        return "$weekday, $rest";
    }

    /** Returns the date of Easter Sunday in a year. */
    public function easter(int $year): DateTime
    {
        $offset = easter_days($year);
        $equinox = new DateTime("$year-03-21");
        $equinox->modify("+$offset days");
        return $equinox;
    }

    /** Tells whether two events of a calendar overlap in time. */
    public function overlap(array $event, array $other): bool
    {
        if ($event['end'] <= $other['start']) {
            return false;
        }
        return $other['end'] > $event['start'];
    }

    /** Reads a date that a user typed in words, relative to today. */
    public function relativeDate(string $words): DateTime
    {
        $stamp = strtotime($words);
        if ($stamp === false) {
            throw new InvalidArgumentException("cannot read '$words'");
        }
        return (new DateTime())->setTimestamp($stamp);
    }
}
