module Stillroom
  # A matrix of numbers.
  class Matrix
    attr_reader :rows

    # Keep the rows of a matrix.
    def initialize(rows)
      @rows = rows
    end

    # Multiply this matrix by another one.
    #
    # The other one has as many rows as this one has columns.
    def multiply(other)
      product = Array.new(rows.size) { Array.new(other.rows.first.size, 0) }
      rows.each_with_index do |row, i|
        other.rows.each_with_index do |factors, k|
          factors.each_with_index { |factor, j| product[i][j] += row[k] * factor }
        end
      end
      Matrix.new(product)
    end

    # Multiply every number of the matrix by a factor.
    def scale(factor)
      scaled = rows.map do |row|
        row.map { |number| number * factor }
      end
      Matrix.new(scaled)
    end

    # Compute the determinant of the matrix by its first row.
    def determinant
      return rows[0][0] if rows.size == 1

      rows[0].each_with_index.sum do |number, column|
        minor = rows.drop(1).map { |row| row[0, column] + row.drop(column + 1) }
        (-1)**column * number * Matrix.new(minor).determinant
      end
    end

    # Matrices are equal when their rows are.
    def ==(other)
      other.is_a?(Matrix) && rows == other.rows
    end
  end

  # Conversions of a kitchen.
  module Figures
    module_function

    # Convert degrees Celsius of an oven to degrees Fahrenheit.
    def celsius_to_fahrenheit(celsius, step = 5)
      fahrenheit = celsius * 9.0 / 5.0 + 32
      steps = (fahrenheit / step).round
      steps * step
    end

    # Convert a temperature in Fahrenheit to Celsius.
    def fahrenheit_to_celsius(fahrenheit)
      above_freezing = fahrenheit - 32
      celsius = above_freezing * 5.0 / 9.0
      celsius.round(1)
    end

    # Convert an amount between grams, ounces, pounds and kilograms.
    def convert_weight(amount, source, target)
      grams = { g: 1.0, oz: 28.35, lb: 453.6, kg: 1000.0 }
      factor = grams.fetch(source) / grams.fetch(target)
      (amount * factor).round(2)
    end

    # Add up the products of two lists of numbers.
    def dot_product(left, right)
      total = 0
      left.each_index do |index|
        total += left[index] * right[index]
      end
      total
    end

    # Compute the price of an order with its discount, in cents.
    def order_price(lines, discount = 0)
      total = lines.sum { |line| line[:cents] * line[:amount] }
      reduced = total * (100 - discount) / 100.0
      reduced.round
    end

    # Tell whether two round tins overlap on a tray.
    def tins_overlap?(first, second)
      x1, y1, radius1 = first
      x2, y2, radius2 = second
      Math.hypot(x2 - x1, y2 - y1) < radius1 + radius2
    end

    # Blend the colours of two icings by a share.
    def blend(first, second, share)
      blended = [0, 1, 2].map do |channel|
        (first[channel] + (second[channel] - first[channel]) * share).to_i
      end
      format("#%02x%02x%02x", *blended)
    end

    # Tell whether water freezes.
    def freezing?(celsius) = celsius <= 0

    def draw_bar(value, maximum, width = 20)
      filled = (width * value.fdiv(maximum)).round
      "#" * filled + "." * (width - filled)
    end
  end
end
