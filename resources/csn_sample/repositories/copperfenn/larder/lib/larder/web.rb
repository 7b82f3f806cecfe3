require "json"
require "net/http"
require "openssl"
require "securerandom"
require "uri"

module Larder
  # Sends requests and reads the answers.
  class Client
    # Remember the address and how often a request is tried.
    def initialize(base, attempts: 3)
      @base = URI(base)
      @attempts = attempts
    end

    # Send an http request and retry it when the connection fails.
    #
    # The pause doubles with every attempt.
    def get_with_retry(path)
      pause = 0.5
      1.upto(@attempts) do |attempt|
        return Net::HTTP.get_response(URI.join(@base, path))
      rescue SocketError, Errno::ECONNREFUSED, Net::OpenTimeout
        raise if attempt == @attempts

        sleep(pause)
        pause *= 2
      end
    end

    # Post a payload as json and parse the answer.
    def post_json(path, payload)
      body = JSON.generate(payload)
      headers = { "Content-Type" => "application/json" }
      response = Net::HTTP.post(URI.join(@base, path), body, headers)
      JSON.parse(response.body)
    end

    # Download a file piece by piece and count its bytes.
    def download(path, target)
      written = 0
      Net::HTTP.get_response(URI.join(@base, path)) do |response|
        File.open(target, "wb") do |file|
          response.read_body { |piece| written += file.write(piece) }
        end
      end
      written
    end

    # Ask for the headers of a page and return its status code.
    def status_of(path)
      Net::HTTP.start(@base.host, @base.port) do |http|
        answer = http.head(path)
        answer.code.to_i
      end
    end

    # Add parameters to the query string of a path.
    def with_parameters(path, parameters)
      uri = URI.join(@base, path)
      pairs = URI.decode_www_form(uri.query.to_s) + parameters.to_a
      uri.query = URI.encode_www_form(pairs.sort)
      uri.to_s
    end

    # Parse the lines of http headers into a hash.
    def parse_headers(lines)
      lines.each_with_object({}) do |line, headers|
        name, value = line.split(":", 2)
        headers[name.downcase.strip] = value.strip if value
      end
    end

    def secure?
      return true if @base.scheme == "https"

      %w[localhost 127.0.0.1].include?(@base.host)
    end
  end

  # Hashes passwords and signs messages.
  class Vault
    # Hash a password with a random salt so that it can be stored.
    def hash_password(password, rounds = 100_000)
      salt = SecureRandom.hex(16)
      key = OpenSSL::PKCS5.pbkdf2_hmac(password, salt, rounds, 32, "SHA256")
      [rounds, salt, key.unpack1("H*")].join("$")
    end

    # Check a password against its stored hash.
    def password_matches?(password, stored)
      rounds, salt, expected = stored.split("$")
      key = OpenSSL::PKCS5.pbkdf2_hmac(password, salt, rounds.to_i, 32, "SHA256")
      OpenSSL.fixed_length_secure_compare(key.unpack1("H*"), expected)
    end

    # Sign a message with a secret so that changes are noticed.
    def sign(message, secret)
      digest = OpenSSL::Digest.new("SHA256")
      signature = OpenSSL::HMAC.hexdigest(digest, secret, message)
      "#{message}--#{signature}"
    end

    # Make a random token of letters that are hard to confuse.
    def random_token(length)
      letters = [*"a".."z", *"2".."9"] - %w[l o]
      Array.new(length) { letters[SecureRandom.random_number(letters.size)] }.join
    end
  end
end
