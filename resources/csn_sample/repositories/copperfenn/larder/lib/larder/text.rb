module Larder
  # A piece of text and what can be made of it.
  class Text
    def initialize(content)
      @content = content
    end

    # Show the text between quotes.
    def display
      quoted = @content.inspect
      puts quoted
    end

    # Count how often each word occurs in the text.
    def count_words
      counts = Hash.new(0)
      @content.downcase.scan(/[[:alpha:]']+/) do |word|
        counts[word] += 1
      end
      counts.sort_by { |word, count| [-count, word] }.to_h
    end

    # List the most frequent words that are no stopwords.
    def frequent_words(limit, stopwords = [])
      words = @content.downcase.split(/\W+/) - stopwords
      tally = words.reject(&:empty?).tally
      tally.max_by(limit) { |_, count| count }.map(&:first)
    end

    # Reverse the string, accents stay on their letters.
    def reverse_string
      clusters = @content.scan(/\X/)
      reversed = []
      clusters.each { |cluster| reversed.unshift(cluster) }
      reversed.join
    end

    # Reverse the order of the words but not their letters.
    def reverse_words
      words = @content.split
      swapped = words.reverse
      swapped.join(" ").capitalize
    end

    # Check whether the letters read the same backwards.
    def palindrome?
      letters = @content.downcase.gsub(/[^a-z0-9]/, "")
      half = letters.length / 2
      letters[0, half] == letters.reverse[0, half]
    end

    # Make a slug of lower case letters and dashes for a url.
    def slug
      plain = @content.unicode_normalize(:nfkd).gsub(/\p{Mn}/, "")
      plain = plain.downcase.gsub(/[^a-z0-9]+/, "-")
      plain.delete_prefix("-").delete_suffix("-")
    end

    # Convert a camel case name to snake case.
    def snake_case
      spaced = @content.gsub(/([A-Z]+)([A-Z][a-z])/, '\1_\2')
      spaced = spaced.gsub(/([a-z\d])([A-Z])/, '\1_\2')
      spaced.tr("-", "_").downcase
    end

    # Wrap the text into lines of at most so many characters.
    def wrap(width)
      lines = [+""]
      @content.split.each do |word|
        lines << +"" if lines.last.length + word.length >= width
        lines.last << " " unless lines.last.empty?
        lines.last << word
      end
      lines.reject(&:empty?)
    end

    # Cut the text at a blank so that it fits a length.
    def truncate(length, ending = "...")
      return @content if @content.length <= length

      head = @content[0, length - ending.length]
      blank = head.rindex(" ") || head.length
      head[0, blank] + ending
    end

    # Compute the edit distance to another string.
    def distance_to(other)
      row = (0..other.length).to_a
      @content.each_char.with_index(1) do |mine, i|
        above, row[0] = row[0], i
        other.each_char.with_index(1) do |theirs, j|
          cost = mine == theirs ? 0 : 1
          above, row[j] = row[j], [row[j] + 1, row[j - 1] + 1, above + cost].min
        end
      end
      row.last
    end

    # Encrypt the letters by shifting them in the alphabet.
    def shift_letters(steps)
      alphabet = ("a".."z").to_a
      lower = alphabet.join
      turned = alphabet.rotate(steps).join
      @content.tr(lower + lower.upcase, turned + turned.upcase)
    end

    # Extract the email addresses of the text without repeats.
    def email_addresses
      pattern = /[\w.+-]+@[\w-]+(?:\.[\w-]+)+/
      addresses = @content.scan(pattern)
      addresses.map(&:downcase).uniq.sort
    end

    # Replace names in double braces by their values.
    def fill(values)
      @content.gsub(/\{\{\s*(\w+)\s*\}\}/) do |original|
        name = Regexp.last_match(1).to_sym
        values.key?(name) ? values[name].to_s : original
      end
    end

    def squeeze_blanks
      stripped = @content.lines.map(&:strip)
      stripped.reject(&:empty?).join("\n").squeeze(" ")
    end
  end
end
