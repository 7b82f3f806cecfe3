require "harbourbook/tides"

module Harbourbook
  class CheckTides
    # Check that a time is counted from midnight.
    def check_minutes
      minutes = Tides.parse_minutes("02:30")
      raise "wrong: #{minutes}" unless minutes == 150
    end

    # Check the height of the water at both tides.
    def check_height
      before = { minute: 0, height: 4.0 }
      after = { minute: 360, height: 1.0 }
      raise "wrong" unless Tides.height_at(0, before, after) == 4.0
    end
  end
end
