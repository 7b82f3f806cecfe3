module Larder
  # Conversions, matrices and sequences of numbers.
  module Numbers
    module_function

    # Convert a temperature from Celsius to Fahrenheit.
    def celsius_to_fahrenheit(celsius)
      absolute_zero = -273.15
      raise ArgumentError, "#{celsius} is too cold" if celsius < absolute_zero

      celsius * 9.0 / 5 + 32
    end

    # Convert a temperature from Kelvin to degrees Celsius.
    def kelvin_to_celsius(kelvin)
      raise ArgumentError, "negative: #{kelvin}" if kelvin.negative?

      celsius = kelvin - 273.15
      celsius.round(2)
    end

    # Convert a distance in miles to kilometres.
    def miles_to_kilometres(miles)
      metres = miles * 1609.344
      kilometres = metres / 1000
      kilometres.round(3)
    end

    # Multiply two matrices that are arrays of rows.
    def multiply_matrices(left, right)
      columns = right.transpose
      raise ArgumentError, "matrices do not fit" unless left.first.size == right.size

      left.map do |row|
        columns.map { |column| row.zip(column).sum { |a, b| a * b } }
      end
    end

    # Turn the rows of a matrix into columns.
    def transpose(matrix)
      width = matrix.map(&:length).max
      Array.new(width) do |column|
        matrix.map { |row| row[column] }
      end
    end

    # Compute the greatest common divisor of two numbers.
    def common_divisor(first, second)
      until second.zero?
        rest = first % second
        first = second
        second = rest
      end
      first.abs
    end

    # List the prime numbers up to a limit with a sieve.
    def primes_up_to(limit)
      sieve = Array.new(limit + 1, true)
      (2..Integer.sqrt(limit)).each do |number|
        next unless sieve[number]

        (number * number).step(limit, number) { |multiple| sieve[multiple] = false }
      end
      (2..limit).select { |number| sieve[number] }
    end

    # Generate the first Fibonacci numbers.
    def fibonacci(count)
      current, following = 0, 1
      Array.new(count) do
        number = current
        current, following = following, current + following
        number
      end
    end

    # Compute the median of a list of numbers.
    def median(values)
      ordered = values.sort
      middle = ordered.length / 2
      return ordered[middle] if ordered.length.odd?

      (ordered[middle - 1] + ordered[middle]) / 2.0
    end

    # Compute the standard deviation of a sample.
    def standard_deviation(values)
      mean = values.sum / values.length.to_f
      squares = values.sum { |value| (value - mean)**2 }
      Math.sqrt(squares / (values.length - 1))
    end

    # Smooth numbers by the average of a moving window.
    def moving_average(values, window)
      values.each_cons(window).map do |slice|
        average = slice.sum.to_f / window
        average.round(6)
      end
    end

    # Write a number in Roman numerals.
    def to_roman(number)
      symbols = { 10 => "X", 9 => "IX", 5 => "V", 4 => "IV", 1 => "I" }
      symbols.reduce("") do |letters, (value, symbol)|
        times, number = number.divmod(value)
        letters + symbol * times
      end
    end

    # Split a bill so that the shares of all people add up to the cent.
    def split_bill(cents, people)
      share, rest = cents.divmod(people)
      shares = Array.new(people, share)
      rest.times { |index| shares[index] += 1 }
      shares
    end

    # Format an amount of money with a currency and commas.
    def format_money(cents, currency = "EUR")
      whole, rest = cents.abs.divmod(100)
      grouped = whole.to_s.reverse.scan(/\d{1,3}/).join(",").reverse
      sign = "-" if cents.negative?
      format("%s%s.%02d %s", sign, grouped, rest, currency)
    end

    # Format a number of bytes with a readable unit.
    def human_bytes(size)
      units = %w[B KiB MiB GiB]
      while size >= 1024 && units.length > 1
        size /= 1024.0
        units.shift
      end
      format("%.1f %s", size, units.first)
    end

    def clamp(value, low, high)
      return low if value < low

      value > high ? high : value
    end
  end
end
