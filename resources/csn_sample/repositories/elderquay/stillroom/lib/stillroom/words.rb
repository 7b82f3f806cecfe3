module Stillroom
  # What is done with the words of recipes.
  class Wording
    # Reverse a string so that its last character comes first.
    def reverse_string(string)
      reversed = +""
      index = string.length
      reversed << string[index -= 1] while index.positive?
      reversed
    end

    # Reverse each word but leave the words in their order.
    def reverse_each_word(sentence)
      pieces = sentence.split(/(\s+)/)
      turned = pieces.map { |piece| piece.reverse }
      turned.join
    end

    # Count the words in a text, line after line.
    def count_words(text)
      words = 0
      text.each_line do |line|
        words += line.split.length
      end
      words
    end

    # Count in how many recipes each word is used.
    def vocabulary(recipes)
      recipes.each_with_object(Hash.new(0)) do |recipe, used|
        recipe.downcase.scan(/[a-z]+/).uniq.each { |word| used[word] += 1 }
      end
    end

    # Count the vowels of a string.
    def count_vowels(string)
      vowels = %w[a e i o u]
      letters = string.downcase.chars
      letters.count { |letter| vowels.include?(letter) }
    end

    # Capitalise the words of a title except small ones.
    def title_case(title, small = %w[of the and with])
      words = title.downcase.split
      words.each_with_index.map do |word, index|
        index.positive? && small.include?(word) ? word : word.capitalize
      end.join(" ")
    end

    # Show every place of a keyword with the text around it.
    def keyword_in_context(text, keyword, width = 15)
      places = []
      text.scan(/#{Regexp.escape(keyword)}/i) do
        match = Regexp.last_match
        places << [match.pre_match[-width..] || match.pre_match, match[0], match.post_match[0, width]]
      end
      places
    end

    # Parse a line of ingredients into amounts and names.
    def parse_ingredient(line)
      amount, unit, name = line.match(/\A([\d.]+)\s*(g|kg|ml|l)?\s+(.+)\z/).captures
      { amount: amount.to_f, unit: unit || "piece", name: name.strip.downcase }
    end

    # The text is shown as it is.
    def to_text(recipe)
      steps = recipe.steps
      steps.join("\n")
    end

    def initials(name)
      parts = name.split(/[\s-]+/)
      parts.map { |part| part[0].upcase }.join
    end

    def plural(noun, amount)
      return noun if amount == 1

      noun.end_with?("s", "x") ? "#{noun}es" : "#{noun}s"
    end
  end
end
