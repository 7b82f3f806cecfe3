require "digest"
require "net/http"
require "securerandom"

module Harbourbook
  # Messages between harbours.
  class Message
    attr_reader :words

    def initialize(text)
      @text = text
      @words = text.split
    end

    # Two messages are the same when their words are.
    def eql?(other)
      other.is_a?(Message) && words == other.words
    end

    # Count the words of the message, upper and lower case as one.
    def word_counts
      cleaned = words.map { |word| word.downcase.delete(".,;!?") }
      cleaned.each_with_object(Hash.new(0)) { |word, counts| counts[word] += 1 }
    end

    # Reverse the characters of the message by swapping its ends.
    def mirrored
      characters = @text.chars
      (0...characters.length / 2).each do |low|
        high = characters.length - 1 - low
        characters[low], characters[high] = characters[high], characters[low]
      end
      characters.join
    end

    # Spell the message in letters of the flag alphabet.
    def flags(names)
      letters = @text.downcase.scan(/[a-z]/)
      spelled = letters.map { |letter| names.fetch(letter, letter) }
      spelled.join(" ")
    end

    # Number the lines of the message, aligned to the right.
    def numbered
      lines = @text.lines
      width = lines.length.to_s.length
      lines.each.with_index(1).map { |line, number| "#{number.to_s.rjust(width)} #{line}" }.join
    end

    # Send the message by an http request and try again after a failure.
    # @param uri [URI] where the message goes
    # @param tries [Integer] how often at most
    def deliver(uri, tries = 4)
      response = Net::HTTP.post(uri, @text)
      raise IOError, response.message if response.code.to_i >= 500

      response
    rescue IOError, SystemCallError
      tries -= 1
      raise unless tries.positive?

      sleep(1)
      retry
    end

    def urgent?
      marks = @text.count("!")
      marks > 1 || @text == @text.upcase
    end

    def to_html
      paragraphs = @text.split(/\n{2,}/)
      paragraphs.map { |paragraph| "<p>#{paragraph.strip}</p>" }.join("\n")
    end
  end

  # Who may write in the book.
  class Keeper
    # Set a password and keep only its salted hash.
    def password=(password)
      @salt = SecureRandom.hex(8)
      digest = @salt + password
      5000.times { digest = Digest::SHA256.hexdigest(digest) }
      @password_hash = digest
    end

    # Greet the keeper by the hour of the day.
    def greeting(name, hour)
      part = { 5..11 => "morning", 12..17 => "afternoon" }.find { |hours, _| hours.cover?(hour) }
      part = part ? part.last : "evening"
      "Good #{part}, #{name}"
    end

    # Keep the last notes in a ring that forgets the oldest.
    def note(text, limit = 20)
      @notes ||= []
      @notes << "#{Time.now.to_i} #{text}"
      @notes.shift(@notes.length - limit) if @notes.length > limit
      @notes.length
    end
  end
end
