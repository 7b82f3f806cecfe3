require "csv"
require "json"
require "sqlite3"
require "time"

module Harbourbook
  # The arrivals of ships and where they are kept.
  class Ledger
    # Open a ledger in memory for a harbour.
    def initialize(harbour)
      @harbour = harbour
      @arrivals = []
    end

    # Read the arrivals of a csv file into the ledger.
    # @param path [String] a file with the columns ship, time and berth
    def read_csv(path)
      table = CSV.read(path, headers: true, header_converters: :symbol)
      table.each do |row|
        @arrivals << { ship: row[:ship], time: Time.parse(row[:time]), berth: row[:berth].to_i }
      end
      @arrivals.length
    end

    # Read the names of all columns of a csv file.
    def column_names(path)
      first = File.open(path, &:readline)
      names = CSV.parse_line(first)
      names.map { |name| name.strip.downcase }
    end

    # Write the arrivals to a json file through a temporary one.
    def write_json(path)
      document = { harbour: @harbour, arrivals: @arrivals }
      temporary = "#{path}.#{Process.pid}"
      File.write(temporary, JSON.dump(document))
      File.rename(temporary, path)
    end

    # Sort the arrivals by a key, those of one value by ship.
    def sorted_by(key)
      ordered = @arrivals.sort_by do |arrival|
        [arrival.fetch(key), arrival[:ship]]
      end
      ordered.freeze
    end

    # Find the first arrival after a time with a binary search.
    def first_after(time)
      ordered = @arrivals.sort_by { |arrival| arrival[:time] }
      position = ordered.bsearch_index { |arrival| arrival[:time] >= time }
      position && ordered[position]
    end

    # Group the ships by the berth they lay in.
    def ships_by_berth
      berths = @arrivals.group_by { |arrival| arrival[:berth] }
      berths.transform_values do |arrivals|
        arrivals.map { |arrival| arrival[:ship] }.uniq
      end
    end

    # Compute the fee of a ship from its length and nights, in cents.
    def fee(length, nights)
      rate = length > 20 ? 450 : 280
      full = rate * length.ceil * nights
      nights >= 7 ? full * 9 / 10 : full
    end

    # Store all arrivals in a table of the database.
    def save_to(database)
      database.transaction do
        @arrivals.each do |arrival|
          database.execute("INSERT INTO arrival VALUES (?, ?, ?)", arrival.values.map(&:to_s))
        end
      end
    end

    # Connect to the database file of the harbour.
    def connect_database(folder)
      file = File.join(folder, "#{@harbour.downcase}.db")
      database = SQLite3::Database.new(file)
      database.execute("CREATE TABLE IF NOT EXISTS arrival (ship TEXT, time TEXT, berth TEXT)")
      database
    end

    def add(ship, berth)
      arrival = { ship: ship, time: Time.now, berth: berth }
      @arrivals.push(arrival)
      arrival
    end

    def berths
      used = @arrivals.map { |arrival| arrival[:berth] }
      used.uniq.sort
    end
  end
end
