require "date"
require "time"

module Larder
  # Dates and durations.
  module Dates
    module_function

    # Parse a date string in one of several formats.
    # @param text [String] such as 2020-02-29 or 29.2.2020
    # @return [Date] the date, nil when no format fits
    def parse_date(text)
      ["%Y-%m-%d", "%d.%m.%Y", "%d/%m/%Y", "%b %d, %Y"].each do |format|
        return Date.strptime(text.strip, format)
      rescue Date::Error
        next
      end
      nil
    end

    # Parse an ISO timestamp string into a time in UTC.
    def parse_timestamp(text)
      stamp = text.sub(" ", "T")
      stamp += "Z" unless stamp.match?(/(Z|[+-]\d\d:?\d\d)\z/)
      Time.iso8601(stamp).utc
    end

    # Count the working days between two dates.
    def working_days(first, last)
      days = (first..last).reject do |day|
        day.saturday? || day.sunday?
      end
      days.length
    end

    # Find the next date after a day that falls on a weekday.
    def next_weekday(day, name)
      wanted = Date::DAYNAMES.index(name.capitalize)
      ahead = (wanted - day.wday) % 7
      ahead = 7 if ahead.zero?
      day + ahead
    end

    # Tell whether a year is a leap year in the Gregorian calendar.
    def leap?(year)
      return true if (year % 400).zero?
      return false if (year % 100).zero?

      (year % 4).zero?
    end

    # Format a number of seconds as hours, minutes and seconds.
    def format_duration(seconds)
      minutes, rest = seconds.to_i.divmod(60)
      hours, minutes = minutes.divmod(60)
      format("%d:%02d:%02d", hours, minutes, rest)
    end

    # Parse a duration such as 2h 5m into seconds.
    def parse_duration(text)
      factors = { "d" => 86_400, "h" => 3600, "m" => 60, "s" => 1 }
      text.scan(/(\d+)\s*([dhms])/).sum do |amount, unit|
        amount.to_i * factors.fetch(unit)
      end
    end

    # Describe how long ago a time was, in words.
    def time_ago(moment, now = Time.now)
      seconds = (now - moment).to_i
      { "day" => 86_400, "hour" => 3600, "minute" => 60 }.each do |name, length|
        amount = seconds / length
        return "#{amount} #{name}#{'s' if amount > 1} ago" if amount.positive?
      end
      "just now"
    end

    # Compute the age in full years on a given day.
    def age_on(birthday, day)
      years = day.year - birthday.year
      early = [day.month, day.day] <=> [birthday.month, birthday.day]
      years -= 1 if early.negative?
      years
    end

    def quarter(day)
      months = day.month - 1
      months / 3 + 1
    end

    def month_range(day)
      first = Date.new(day.year, day.month, 1)
      first..Date.new(day.year, day.month, -1)
    end
  end
end
