<?php

class UnitsTest
{
    /** Checks that water freezes at thirty two degrees. */
    public function water(): void
    {
        $units = new \Larder\Science\Units();
        assert($units->celsiusToFahrenheit(0) === 32.0);
    }

    public function bodyHeat(): void
    {
        $units = new \Larder\Science\Units();
        assert($units->celsiusToFahrenheit(37) === 98.6);
    }
}
