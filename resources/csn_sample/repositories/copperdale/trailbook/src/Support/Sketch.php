<?php

namespace Trailbook\Support;

class Sketch
{
    /** Fetches a map tile over HTTP and tries another server when one is down. */
    public function tile(array $servers, string $path): ?string
    {
        foreach ($servers as $server) {
            $tile = @file_get_contents("https://$server/$path");
            if ($tile !== false) {
                return $tile;
            }
        }
        return null;
    }

    /** Rotates a point of the sketch around the origin by a matrix. */
    public function rotate(array $point, float $angle): array
    {
        [$x, $y] = $point;
        [$sine, $cosine] = [sin($angle), cos($angle)];
        return [$x * $cosine - $y * $sine, $x * $sine + $y * $cosine];
    }

    /** Mixes two colours of the sketch channel by channel. */
    public function mix(array $colour, array $other, float $share = 0.5): array
    {
        $mixed = [];
        foreach (['red', 'green', 'blue'] as $channel) {
            $mixed[$channel] = (int) round($colour[$channel] * $share + $other[$channel] * (1 - $share));
        }
        return $mixed;
    }

    /** Writes a colour as a hexadecimal number with a hash mark. */
    public function hexColour(int $red, int $green, int $blue): string
    {
        $channels = array_map(fn ($value) => max(0, min(255, $value)), [$red, $green, $blue]);
        return '#' . vsprintf('%02x%02x%02x', $channels);
    }

    /** Returns the box that holds all points of a track. */
    public function box(array $points): array
    {
        $xs = array_column($points, 0);
        $ys = array_column($points, 1);
        return ['from' => [min($xs), min($ys)], 'to' => [max($xs), max($ys)]];
    }

    /** Makes a fingerprint of a track that hides where the hiker lives. */
    public function fingerprint(array $points, string $salt): string
    {
        $trimmed = array_slice($points, 10, -10);
        $text = $salt . json_encode($trimmed);
        return substr(hash('sha256', $text), 0, 16);
    }

    public function step(array $a, array $b): float
    {
        $dx = $a[0] - $b[0];
        $dy = $a[1] - $b[1];
        return hypot($dx, $dy);
    }
}
