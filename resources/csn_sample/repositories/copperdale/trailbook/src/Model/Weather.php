<?php

namespace Trailbook\Model;

class Weather
{
    /** Shows a temperature in degrees Celsius or Fahrenheit, as the reader likes. */
    public function temperature(float $celsius, string $scale): string
    {
        if ($scale === 'F') {
            return sprintf('%.0f °F', 32 + 1.8 * $celsius);
        }
        return sprintf('%.0f °C', $celsius);
    }

    /** Computes how cold the wind makes a temperature feel. */
    public function windChill(float $celsius, float $speed): float
    {
        if ($speed < 5) {
            return $celsius;
        }
        $power = $speed ** 0.16;
        return 13.12 + 0.6215 * $celsius - 11.37 * $power + 0.3965 * $celsius * $power;
    }

    /** Returns the average of all measurements that are not missing. */
    public function average(array $measurements): ?float
    {
        $present = array_filter($measurements, 'is_numeric');
        if ($present === []) {
            return null;
        }
        return array_sum($present) / count($present);
    }

    /** Names the direction of the wind for an angle in degrees. */
    public function direction(float $angle): string
    {
        $names = ['north', 'east', 'south', 'west'];
        $turn = (int) round($angle / 90);
        return $names[(($turn % 4) + 4) % 4];
    }

    /** Smooths a series of numbers by the mean of neighbouring values. */
    public function smooth(array $series, int $window): array
    {
        $smooth = [];
        foreach (array_keys($series) as $place) {
            $near = array_slice($series, max(0, $place - $window), 2 * $window + 1);
            $smooth[] = array_sum($near) / count($near);
        }
        return $smooth;
    }

    public function isFrost(float $celsius): bool
    {
        $freezing = 0.0;
        return $celsius < $freezing;
    }

    public function isDry(array $rain): bool
    {
        $total = array_sum($rain);
        return $total < 0.1 * count($rain);
    }
}
