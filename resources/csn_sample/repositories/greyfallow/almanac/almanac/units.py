import math


def to_fahrenheit(readings):
    """Convert all readings in Celsius to Fahrenheit, rounded to tenths."""
    converted = []
    for reading in readings:
        degrees = reading["value"] * 1.8 + 32
        converted.append({**reading, "value": round(degrees, 1), "unit": "F"})
    return converted


def wind_chill(celsius, wind):
    """Compute how cold the wind makes a temperature in Celsius feel."""
    if celsius > 10 or wind < 4.8:
        return celsius
    power = wind**0.16
    return round(13.12 + 0.6215 * celsius - 11.37 * power + 0.3965 * celsius * power, 1)


def dew_point(celsius, humidity):
    """Compute the dew point of air from its temperature and humidity."""
    slope, offset = 17.62, 243.12
    gamma = math.log(humidity / 100) + slope * celsius / (offset + celsius)
    return offset * gamma / (slope - gamma)


def beaufort(metres_per_second):
    """Convert a wind speed to its number on the Beaufort scale."""
    limits = [0.3, 1.6, 3.4, 5.5, 8.0, 10.8, 13.9, 17.2, 20.8, 24.5, 28.5, 32.7]
    for number, limit in enumerate(limits):
        if metres_per_second < limit:
            return number
    return len(limits)


def solve_rotation(matrix, vector):
    """Multiply a matrix of rows by a vector, one sum for each row."""
    product = []
    for row in matrix:
        product.append(sum(factor * part for factor, part in zip(row, vector)))
    return product


def knots(speed):
    """Convert metres per second to knots."""
    return speed * 1.943844


def pressure_at_sea(pressure, height):
    factor = 1 - 0.0065 * height / 288.15
    return round(pressure / factor**5.255, 1)
