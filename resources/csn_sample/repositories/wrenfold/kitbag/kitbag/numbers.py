import math
from decimal import ROUND_HALF_UP, Decimal

ROMAN = [(10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I")]


def celsius_to_fahrenheit(celsius):
    """Convert a temperature from degrees Celsius to Fahrenheit."""
    absolute_zero = -273.15
    if celsius < absolute_zero:
        raise ValueError(f"{celsius} is below {absolute_zero}")
    return celsius * 9 / 5 + 32


def kelvin_to_celsius(kelvin):
    """Convert a temperature from Kelvin to degrees Celsius."""
    if kelvin < 0:
        raise ValueError(f"{kelvin} is no temperature")
    celsius = kelvin - 273.15
    return round(celsius, 2)


def miles_to_kilometres(miles, digits=3):
    """Convert a distance from miles to kilometres."""
    metres = miles * 1609.344
    kilometres = metres / 1000
    return round(kilometres, digits)


def multiply_matrices(left, right):
    """Multiply two matrices that are given as lists of rows."""
    columns = list(zip(*right))
    if len(left[0]) != len(right):
        raise ValueError("the matrices do not fit")
    return [[sum(a * b for a, b in zip(row, column)) for column in columns] for row in left]


def transpose(matrix):
    """Transpose a matrix, so that rows become columns."""
    height, width = len(matrix), len(matrix[0])
    result = [[None] * height for _ in range(width)]
    for row in range(height):
        for column in range(width):
            result[column][row] = matrix[row][column]
    return result


def identity_matrix(size):
    """Make the identity matrix of a size, ones on the diagonal."""
    matrix = [[0] * size for _ in range(size)]
    for index in range(size):
        matrix[index][index] = 1
    return matrix


def common_divisor(a, b):
    """Compute the greatest common divisor of two numbers by Euclid's rule."""
    while b:
        a, b = b, a % b
    return abs(a)


def primes_below(limit):
    """List all prime numbers below a limit with the sieve of Eratosthenes."""
    sieve = bytearray([1]) * limit
    sieve[:2] = bytes(min(2, limit))
    for number in range(2, math.isqrt(limit) + 1):
        if sieve[number]:
            sieve[number * number :: number] = bytes(len(sieve[number * number :: number]))
    return [number for number in range(limit) if sieve[number]]


def fibonacci(count):
    """Generate the first Fibonacci numbers, starting with zero."""
    current, following = 0, 1
    for _ in range(count):
        yield current
        current, following = following, current + following


def median(values):
    """Compute the median of a list of numbers."""
    ordered = sorted(values)
    middle = len(ordered) // 2
    if len(ordered) % 2:
        return ordered[middle]
    return (ordered[middle - 1] + ordered[middle]) / 2


def standard_deviation(values):
    """Compute the standard deviation of a sample of numbers."""
    mean = sum(values) / len(values)
    squares = [(value - mean) ** 2 for value in values]
    return math.sqrt(sum(squares) / (len(values) - 1))


def moving_average(values, window):
    """Smooth a series of numbers by the mean of a moving window."""
    total = sum(values[:window])
    averages = [total / window]
    for index in range(window, len(values)):
        total += values[index] - values[index - window]
        averages.append(total / window)
    return averages


def to_roman(number):
    """Write a small number in Roman numerals."""
    letters = ""
    for value, symbol in ROMAN:
        times, number = divmod(number, value)
        letters += symbol * times
    return letters


def round_money(amount, cents=2):
    """Round an amount of money half up to whole cents."""
    step = Decimal(1).scaleb(-cents)
    exact = Decimal(str(amount))
    return exact.quantize(step, rounding=ROUND_HALF_UP)


def split_bill(total, people):
    """Split a bill among people so that the shares add up to the cent."""
    cents = int(round(total * 100))
    share, rest = divmod(cents, people)
    shares = [share + 1 if index < rest else share for index in range(people)]
    return [amount / 100 for amount in shares]


def human_bytes(size):
    """Format a number of bytes with a readable unit."""
    for unit in ("B", "KiB", "MiB", "GiB"):
        if size < 1024:
            return f"{size:.1f} {unit}"
        size /= 1024
    return f"{size:.1f} TiB"


def clamp(value, low, high):
    return max(low, min(high, value))
