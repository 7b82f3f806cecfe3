require "stillroom/words"

module Stillroom
  class CheckWords
    # Check that a string that is reversed twice is itself again.
    def check_reverse_string
      wording = Wording.new
      twice = wording.reverse_string(wording.reverse_string("pear"))
      raise "wrong: #{twice}" unless twice == "pear"
    end

    # Check that small words of a title stay small.
    def check_title_case
      title = Wording.new.title_case("soup of the day")
      raise "wrong: #{title}" unless title == "Soup of the Day"
    end
  end
end
