require "date"

module Stillroom
  # Dates as cooks write them.
  module Calendar
    module_function

    # Parse a date string whose parts stand in a given order.
    # @param text [String] such as 24/12/1999
    # @param order [String] the letters d, m and y
    # @return [Date] the date
    def parse_date_string(text, order = "dmy")
      numbers = text.scan(/\d+/).map(&:to_i)
      parts = order.chars.zip(numbers).to_h
      parts["y"] += 2000 if parts["y"] < 100
      Date.new(parts["y"], parts["m"], parts["d"])
    end

    # Find the date on a label such as best before 4 May 2011.
    def date_on_label(label)
      match = label.match(/(\d{1,2})\s+([a-z]{3})[a-z]*\s+(\d{4})/i)
      return nil unless match

      month = Date::ABBR_MONTHNAMES.index(match[2].capitalize)
      Date.new(match[3].to_i, month, match[1].to_i)
    end

    # Parse the time of a kitchen clock with am or pm.
    def parse_clock(text)
      hours, minutes = text.scan(/\d+/).map(&:to_i)
      hours %= 12
      hours += 12 if text.downcase.end_with?("pm")
      [hours, minutes || 0]
    end

    # Format a date with its month in words.
    def long_date(date)
      suffix = { 1 => "st", 2 => "nd", 3 => "rd" }.fetch(date.day % 10, "th")
      suffix = "th" if date.day.between?(11, 13)
      "#{Date::MONTHNAMES[date.month]} #{date.day}#{suffix}, #{date.year}"
    end

    # List the dates on which something expires within days.
    def expiring(stocks, today, days)
      limit = today + days
      soon = stocks.select { |_, date| date.between?(today, limit) }
      soon.sort_by { |name, date| [date, name] }
    end

    def season(date)
      seasons = %w[winter spring summer autumn]
      seasons[date.month % 12 / 3]
    end
  end
end
