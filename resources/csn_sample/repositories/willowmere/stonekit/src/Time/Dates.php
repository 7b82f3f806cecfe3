<?php

namespace Stonekit\Time;

use DateInterval;
use DateTimeImmutable;
use DateTimeZone;
use UnexpectedValueException;

class Dates
{
	/**
	 * Makes a date of a text by the first of several formats that fits.
	 *
	 * @param string   $text    such as "24.12.2020"
	 * @param string[] $formats in the order in which they are tried
	 */
	public static function fromFormats(string $text, array $formats): DateTimeImmutable
	{
		foreach ($formats as $format) {
			$date = DateTimeImmutable::createFromFormat('!' . $format, $text);
			if ($date !== false && $date->format($format) === $text) {
				return $date;
			}
		}
		throw new UnexpectedValueException("no format fits '$text'");
	}

	/**
	 * Formats a moment in universal time as the standard ISO 8601 demands.
	 */
	public static function iso(DateTimeImmutable $moment): string
	{
		$zone = new DateTimeZone('UTC');
		$universal = $moment->setTimezone($zone);
		return $universal->format('Y-m-d\TH:i:s\Z');
	}

	/**
	 * Counts the whole days between two dates, negative if the second is earlier.
	 */
	public static function daysBetween(DateTimeImmutable $from, DateTimeImmutable $to): int
	{
		$interval = $from->setTime(0, 0)->diff($to->setTime(0, 0));
		$days = (int) $interval->days;
		return $interval->invert ? -$days : $days;
	}

	/**
	 * Adds working days to a date and skips Saturdays and Sundays.
	 */
	public static function addWorkingDays(DateTimeImmutable $date, int $days): DateTimeImmutable
	{
		$oneDay = new DateInterval('P1D');
		while ($days > 0) {
			$date = $date->add($oneDay);
			if ((int) $date->format('N') < 6) {
				$days--;
			}
		}
		return $date;
	}

	/**
	 * Tells whether a year has a 29th of February.
	 */
	public static function isLeapYear(int $year): bool
	{
		$isCentury = $year % 100 === 0;
		if ($isCentury) {
			return $year % 400 === 0;
		}
		return $year % 4 === 0;
	}

	/**
	 * Returns the age in full years that a person born on a day has today.
	 */
	public static function age(DateTimeImmutable $birthday, ?DateTimeImmutable $today = null): int
	{
		$today ??= new DateTimeImmutable('today');
		$years = (int) $today->format('Y') - (int) $birthday->format('Y');
		$hadBirthday = $today->format('md') >= $birthday->format('md');
		return $hadBirthday ? $years : $years - 1;
	}

	/**
	 * Says how long ago a moment was, in the largest unit that fits.
	 *
	 * @param int $seconds since the moment
	 */
	public static function ago(int $seconds): string
	{
		$units = ['day' => 86400, 'hour' => 3600, 'minute' => 60, 'second' => 1];
		foreach ($units as $unit => $length) {
			if ($seconds >= $length) {
				$count = intdiv($seconds, $length);
				return $count . ' ' . $unit . ($count > 1 ? 's' : '') . ' ago';
			}
		}
		return 'just now';
	}

	/**
	 * Returns the last day of the month in which a date lies.
	 */
	public static function endOfMonth(DateTimeImmutable $date): DateTimeImmutable
	{
		$year = (int) $date->format('Y');
		$month = (int) $date->format('n');
		$days = cal_days_in_month(CAL_GREGORIAN, $month, $year);
		return $date->setDate($year, $month, $days)->setTime(0, 0);
	}

	/**
	 * Converts a duration such as "1h 30m" into seconds.
	 */
	public static function seconds(string $duration): int
	{
		$lengths = ['h' => 3600, 'm' => 60, 's' => 1];
		preg_match_all('/(\d+)\s*([hms])/', $duration, $found, PREG_SET_ORDER);
		$total = 0;
		foreach ($found as [, $number, $unit]) {
			$total += (int) $number * $lengths[$unit];
		}
		return $total;
	}

	/**
	 * Lists every date from the first to the last one, both included.
	 */
	public static function range(DateTimeImmutable $first, DateTimeImmutable $last): array
	{
		$dates = [];
		for ($day = $first; $day <= $last; $day = $day->modify('+1 day')) {
			$dates[] = $day->format('Y-m-d');
		}
		return $dates;
	}

	public static function quarter(DateTimeImmutable $date): int
	{
		$month = (int) $date->format('n');
		return intdiv($month - 1, 3) + 1;
	}
}
