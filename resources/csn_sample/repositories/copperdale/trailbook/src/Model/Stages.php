<?php

namespace Trailbook\Model;

class Stages
{
    private array $stages = [];

    public function __get($name)
    {
        return $this->stages[$name] ?? null;
    }

    /** Loads the stages of a tour out of a CSV text with a header line. */
    public function load(string $csv): int
    {
        $lines = array_map('str_getcsv', preg_split('/\R/', trim($csv)));
        $names = array_shift($lines);
        foreach ($lines as $cells) {
            $this->stages[] = array_combine($names, $cells);
        }
        return count($lines);
    }

    /** Saves the stages as a JSON file next to the photos. */
    public function save(string $folder): string
    {
        $path = $folder . DIRECTORY_SEPARATOR . 'stages.json';
        $json = json_encode(['stages' => $this->stages], JSON_THROW_ON_ERROR);
        file_put_contents($path, $json);
        return $path;
    }

    /** Sorts the stages by their length, the longest one first. */
    public function sortByLength(): array
    {
        $sorted = $this->stages;
        uasort($sorted, fn ($a, $b) => $b['length'] <=> $a['length']);
        return array_values($sorted);
    }

    /** Finds the stage that contains a kilometre of the tour by bisection. */
    public function stageAt(float $kilometre): int
    {
        $starts = array_column($this->stages, 'start');
        [$low, $high] = [0, count($starts) - 1];
        while ($low < $high) {
            $middle = intdiv($low + $high + 1, 2);
            $starts[$middle] <= $kilometre ? $low = $middle : $high = $middle - 1;
        }
        return $low;
    }

    /** Sums the heights that a hiker climbs, without what goes down. */
    public function climb(array $heights): float
    {
        $climb = 0.0;
        for ($i = 1; $i < count($heights); $i++) {
            $climb += max(0, $heights[$i] - $heights[$i - 1]);
        }
        return $climb;
    }

    /** Joins two stages into a longer one that has the notes of both. */
    public function join(array $first, array $second): array
    {
        $joined = $first;
        $joined['length'] = $first['length'] + $second['length'];
        $joined['notes'] = array_merge($first['notes'], $second['notes']);
        return $joined;
    }

    public function size(): int { return count($this->stages); }
}
