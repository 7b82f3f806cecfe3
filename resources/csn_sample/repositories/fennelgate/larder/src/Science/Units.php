<?php

namespace Larder\Science;

use LengthException;

class Units
{
    /** Converts a temperature from Celsius to Fahrenheit. */
    public function celsiusToFahrenheit(float $celsius): float
    {
        $degrees = $celsius * 9 / 5;
        $fahrenheit = $degrees + 32;
        return round($fahrenheit, 1);
    }

    /** Converts a temperature from Fahrenheit to Celsius. */
    public function fahrenheitToCelsius(float $fahrenheit): float
    {
        $aboveFreezing = $fahrenheit - 32;
        $celsius = $aboveFreezing / 1.8;
        return round($celsius, 1);
    }

    /** Converts a weight in pounds and ounces to kilograms. */
    public function kilograms(float $pounds, float $ounces = 0.0): float
    {
        $grams = $pounds * 453.59237;
        $grams += $ounces * 28.349523;
        return $grams / 1000;
    }

    /**
     * Multiplies matrix a with matrix b.
     *
     * @throws LengthException where the sizes do not fit
     */
    public function multiplyMatrices(array $a, array $b): array
    {
        if (count($a[0]) !== count($b)) {
            throw new LengthException('columns of a, rows of b');
        }
        $c = [];
        for ($i = 0; $i < count($a); $i++) {
            for ($j = 0; $j < count($b[0]); $j++) {
                $c[$i][$j] = array_sum(array_map(fn ($k) => $a[$i][$k] * $b[$k][$j], array_keys($b)));
            }
        }
        return $c;
    }

    /** Multiplies every cell of a matrix by a number. */
    public function scaleMatrix(array $matrix, float $factor): array
    {
        foreach ($matrix as $i => $row) {
            foreach ($row as $j => $cell) {
                $matrix[$i][$j] = $cell * $factor;
            }
        }
        return $matrix;
    }

    /** Computes the determinant of a matrix with two or three rows. */
    public function determinant(array $m): float
    {
        if (count($m) === 2) {
            return $m[0][0] * $m[1][1] - $m[0][1] * $m[1][0];
        }
        $sum = 0.0;
        for ($j = 0; $j < 3; $j++) {
            $minor = $m[1][($j + 1) % 3] * $m[2][($j + 2) % 3] - $m[1][($j + 2) % 3] * $m[2][($j + 1) % 3];
            $sum += $m[0][$j] * $minor;
        }
        return $sum;
    }

    /** Measures the distance between two places on the globe in kilometres. */
    public function distance(array $from, array $to): float
    {
        [$lat, $lon] = array_map('deg2rad', $from);
        [$otherLat, $otherLon] = array_map('deg2rad', $to);
        $cosine = sin($lat) * sin($otherLat) + cos($lat) * cos($otherLat) * cos($lon - $otherLon);
        return 6371 * acos($cosine);
    }

    public function percent(float $part, float $whole): string
    {
        $share = $whole == 0 ? 0 : 100 * $part / $whole;
        return number_format($share, 1) . ' %';
    }
}
