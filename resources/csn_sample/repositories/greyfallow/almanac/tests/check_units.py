from almanac.units import beaufort, dew_point


def check_beaufort():
    """Check the ends of the Beaufort scale for calm and hurricane."""
    assert beaufort(0.0) == 0
    assert beaufort(40.0) == 12


def check_dew_point():
    """Check that saturated air has its temperature as dew point."""
    for celsius in (-5, 0, 12, 30):
        assert abs(dew_point(celsius, 100) - celsius) < 1e-9
