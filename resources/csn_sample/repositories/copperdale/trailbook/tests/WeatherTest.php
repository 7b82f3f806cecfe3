<?php

class WeatherTest
{
    /** Checks that a calm day feels as cold as it is. */
    public function calm(): void
    {
        $weather = new \Trailbook\Model\Weather();
        assert($weather->windChill(4.0, 1.0) === 4.0);
    }

    public function frost(): void
    {
        $weather = new \Trailbook\Model\Weather();
        assert($weather->isFrost(-1.5));
    }
}
