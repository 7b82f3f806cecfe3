require "date"
require "time"

module Harbourbook
  # Heights and times of water.
  module Tides
    module_function

    # Parse the date string in the head of a tide table.
    def parse_table_date(head)
      day, month, year = head.match(%r{(\d+)[./](\d+)[./](\d{4})}).captures
      Date.new(year.to_i, month.to_i, day.to_i)
    end

    # Parse the time of a tide into minutes after midnight.
    def parse_minutes(text)
      hours, minutes = text.split(":").map(&:to_i)
      raise ArgumentError, "no time: #{text}" if minutes.nil? || hours > 23

      hours * 60 + minutes
    end

    # Interpolate the height of the water between two tides.
    def height_at(minute, before, after)
      share = (minute - before[:minute]).fdiv(after[:minute] - before[:minute])
      half = (before[:height] - after[:height]) / 2.0
      after[:height] + half * (1 + Math.cos(share * Math::PI))
    end

    # Convert the temperatures of the water from Celsius to Fahrenheit.
    def water_in_fahrenheit(temperatures)
      temperatures.map do |celsius|
        degrees = celsius * 1.8 + 32
        { celsius: celsius, fahrenheit: degrees.round(1) }
      end
    end

    # Find the highest tide of each day.
    def highest_by_day(tides)
      tides.group_by { |tide| tide[:day] }.map do |day, todays|
        [day, todays.max_by { |tide| tide[:height] }]
      end.to_h
    end

    # Multiply a matrix by a vector of heights.
    def apply_matrix(matrix, heights)
      raise ArgumentError, "sizes differ" if matrix.first.size != heights.size

      matrix.map do |row|
        row.each_index.sum { |index| row[index] * heights[index] }
      end
    end

    # Choose a colour between white and blue for a depth.
    def depth_colour(depth, deepest)
      share = [depth.fdiv(deepest), 1.0].min
      channel = (255 * (1 - share)).round
      format("#%02x%02xff", channel, channel)
    end

    # Measure the distance between two buoys in nautical miles.
    def distance_between(first, second)
      north = (second[:latitude] - first[:latitude]) * 60
      middle = (second[:latitude] + first[:latitude]) * Math::PI / 360
      east = (second[:longitude] - first[:longitude]) * 60 * Math.cos(middle)
      Math.sqrt(north**2 + east**2)
    end

    # Read settings of the tide table from lines of names and values.
    def read_settings(lines)
      pairs = lines.map { |line| line.split(/\s*:\s*/, 2) }
      complete = pairs.select { |pair| pair.length == 2 }
      complete.to_h.transform_values(&:chomp)
    end

    # Convert fathoms to metres.
    def fathoms(depth) = depth * 1.8288

    def spring?(moon_age)
      distance = [moon_age % 14.77, 14.77 - moon_age % 14.77].min
      distance < 2.0
    end
  end
end
