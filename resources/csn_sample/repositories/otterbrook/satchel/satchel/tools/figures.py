class Matrix:
    """A matrix of numbers, kept as a list of rows."""

    def __init__(self, rows):
        """Keep the rows of a matrix and check that they are equally long."""
        if len({len(row) for row in rows}) > 1:
            raise ValueError("rows differ in length")
        self.rows = rows

    def multiply(self, other):
        """Multiply this matrix by another one.

        @param other: a matrix with as many rows as this one has columns
        """
        product = [[0] * len(other.rows[0]) for _ in self.rows]
        for i, row in enumerate(self.rows):
            for k, factor in enumerate(row):
                for j, value in enumerate(other.rows[k]):
                    product[i][j] += factor * value
        return Matrix(product)

    def scale(self, factor):
        """Multiply every number of the matrix by a factor."""
        scaled = []
        for row in self.rows:
            scaled.append([factor * number for number in row])
        return Matrix(scaled)

    def determinant(self):
        """Compute the determinant of a matrix by its first row."""
        if len(self.rows) == 1:
            return self.rows[0][0]
        total = 0
        for column, factor in enumerate(self.rows[0]):
            minor = [row[:column] + row[column + 1 :] for row in self.rows[1:]]
            total += (-1) ** column * factor * Matrix(minor).determinant()
        return total

    def __eq__(self, other):
        """Compare two matrices, number by number."""
        if not isinstance(other, Matrix):
            return NotImplemented
        return self.rows == other.rows


def dot_product(left, right):
    """Add up the products of two vectors, element by element."""
    total = 0
    for index, factor in enumerate(left):
        total += factor * right[index]
    return total


def celsius_to_fahrenheit(degrees):
    """Convert degrees Celsius to degrees Fahrenheit, also for a list."""
    if isinstance(degrees, (list, tuple)):
        return [celsius_to_fahrenheit(single) for single in degrees]
    fahrenheit = degrees * 1.8 + 32.0
    return round(fahrenheit, 2)


def fahrenheit_to_celsius(fahrenheit):
    """Convert a temperature in Fahrenheit to Celsius."""
    above_freezing = fahrenheit - 32
    celsius = above_freezing * 5 / 9
    return round(celsius, 2)


def convert_length(value, source, target):
    """Convert a length between metres, feet, inches and yards."""
    metres = {"m": 1.0, "ft": 0.3048, "in": 0.0254, "yd": 0.9144}
    if source not in metres or target not in metres:
        raise KeyError(f"{source} or {target} is no unit")
    return value * metres[source] / metres[target]


def compound_interest(capital, rate, years):
    """Compute the money that a capital grows to with compound interest."""
    amount = capital
    for _ in range(years):
        amount += amount * rate / 100
    return round(amount, 2)


def circle_overlap(first, second):
    """Tell whether two circles on a map touch or overlap."""
    x1, y1, radius1 = first
    x2, y2, radius2 = second
    squared = (x2 - x1) ** 2 + (y2 - y1) ** 2
    return squared <= (radius1 + radius2) ** 2


def blend_colours(first, second, share=0.5):
    """Blend two colours channel by channel with a share of the second."""
    mixed = []
    for one, other in zip(first, second):
        mixed.append(round(one * (1 - share) + other * share))
    return tuple(mixed)


def draw_bar(value, maximum, width=30):
    filled = round(width * value / maximum)
    empty = width - filled
    return "#" * filled + "." * empty
