require "digest"
require "net/http"
require "openssl"
require "pg"

module Stillroom
  # Talks to the shop.
  class Remote
    # Make an http get request with retries and a growing random pause.
    def get_with_retry(uri, retries: 5)
      delay = 0.2
      begin
        Net::HTTP.get(uri)
      rescue IOError, SystemCallError, Timeout::Error
        raise if (retries -= 1).negative?

        sleep(delay * rand)
        delay *= 2
        retry
      end
    end

    # Repeat a block until its result is accepted.
    def call_until(accepted, attempts = 10)
      attempts.times do |attempt|
        result = yield attempt
        return result if accepted.call(result)
      end
      raise Timeout::Error, "gave up after #{attempts} attempts"
    end

    # Send an http request for the headers of a page.
    def fetch_headers(uri)
      response = Net::HTTP.start(uri.host, uri.port) { |http| http.head(uri.request_uri) }
      response.each_header.to_h do |name, value|
        [name.tr("-", "_").to_sym, value]
      end
    end

    # Hash a password with a salt by scrypt.
    # @param password [String] as the cook typed it
    # @param salt [String] random bytes, other ones for each cook
    def hash_password(password, salt)
      cost = { N: 2**14, r: 8, p: 1, length: 32 }
      key = OpenSSL::KDF.scrypt(password, salt: salt, **cost)
      key.unpack1("H*")
    end

    # Score a password by its length and kinds of characters.
    def password_strength(password)
      kinds = [/[a-z]/, /[A-Z]/, /\d/, /[^a-zA-Z\d]/]
      used = kinds.count { |kind| password.match?(kind) }
      [password.length / 3 + used, 10].min
    end

    # Hash the content of an order into a short key for the cache.
    def order_key(order)
      canonical = order.sort.map { |name, amount| "#{name}=#{amount}" }
      digest = Digest::MD5.hexdigest(canonical.join("&"))
      digest[0, 12]
    end

    # Connect to the database and wait while it starts.
    def connect_to_database(settings, attempts = 3)
      attempts.downto(1) do |left|
        return PG.connect(**settings, connect_timeout: 5)
      rescue PG::ConnectionBad
        raise if left == 1

        sleep(2)
      end
    end

    # Run a query on the database and give hashes with symbols as keys.
    def query(connection, statement, values = [])
      result = connection.exec_params(statement, values)
      result.map do |row|
        row.transform_keys(&:to_sym).compact
      end
    end

    def close(connection)
      connection.close unless connection.finished?
      nil
    end
  end
end
