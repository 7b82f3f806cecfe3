require "logger"
require "sqlite3"

module Larder
  # A table of a database.
  class Table
    # Connect to a sqlite database and remember the table.
    def connect(path, table)
      @database = SQLite3::Database.new(path)
      @database.results_as_hash = true
      @database.busy_timeout(2000)
      @table = table
      self
    end

    # Create the table in the database unless it exists.
    def create(columns)
      fields = columns.map { |name, type| "#{name} #{type}" }
      @database.execute("CREATE TABLE IF NOT EXISTS #{@table} (#{fields.join(', ')})")
    end

    # Insert rows into the table in one transaction.
    def insert_rows(rows)
      marks = Array.new(rows.first.length, "?").join(", ")
      @database.transaction do |transaction|
        rows.each { |row| transaction.execute("INSERT INTO #{@table} VALUES (#{marks})", row) }
      end
      rows.length
    end

    # Find the rows whose column has a value.
    def where(column, value)
      statement = "SELECT * FROM #{@table} WHERE #{column} = ?"
      @database.execute(statement, [value]).map do |row|
        row.transform_keys(&:to_sym)
      end
    end

    def row_count
      answer = @database.get_first_value("SELECT COUNT(*) FROM #{@table}")
      answer.to_i
    end
  end

  # A cache that forgets what was not used for longest.
  class RecentCache
    def initialize(capacity)
      @capacity = capacity
      @entries = {}
      @hits = @misses = 0
    end

    # Fetch a key from the cache or compute its value with the block.
    def fetch(key)
      if @entries.key?(key)
        @hits += 1
        return @entries[key] = @entries.delete(key)
      end
      @misses += 1
      store(key, yield(key))
    end

    # Store a value in the cache and drop the oldest when it is full.
    def store(key, value)
      @entries.delete(key)
      @entries[key] = value
      @entries.shift while @entries.size > @capacity
      value
    end

    # Return the share of lookups that the cache answered.
    def hit_rate
      lookups = @hits + @misses
      return 0.0 if lookups.zero?

      @hits.fdiv(lookups).round(3)
    end

    # Two caches are equal when they hold the same entries.
    def ==(other)
      other.is_a?(RecentCache) && other.keys == keys
    end

    def keys
      newest_first = @entries.keys.reverse
      newest_first.freeze
    end
  end

  # A queue of jobs for several threads.
  class JobQueue
    # Make an empty queue with its lock.
    def initialize
      @jobs = []
      @lock = Mutex.new
      @ready = ConditionVariable.new
    end

    # Add a job to the end of the queue, an urgent one to its front.
    def push(job, urgent: false)
      @lock.synchronize do
        urgent ? @jobs.unshift(job) : @jobs.push(job)
        @ready.signal
      end
    end

    # Take the next job and wait while the queue is empty.
    def pop(timeout = nil)
      @lock.synchronize do
        @ready.wait(@lock, timeout) if @jobs.empty?
        @jobs.shift
      end
    end

    # Remove all jobs from the queue and return them.
    def drain
      @lock.synchronize do
        drained = @jobs.dup
        @jobs.clear
        drained
      end
    end
  end

  # Settings and messages of a program.
  module Settings
    module_function

    # Read settings from lines of keys and values, without comments.
    def parse_settings(text)
      text.each_line.with_object({}) do |line, settings|
        key, value = line.sub(/#.*/, "").split("=", 2)
        settings[key.strip.to_sym] = value.strip if value
      end
    end

    # Merge settings over defaults, nested hashes too.
    def deep_merge(defaults, settings)
      defaults.merge(settings) do |_key, old, new|
        old.is_a?(Hash) && new.is_a?(Hash) ? deep_merge(old, new) : new
      end
    end

    # Make a logger that writes the time before every message.
    def make_logger(path, level = Logger::INFO)
      logger = Logger.new(path, "weekly")
      logger.level = level
      logger.formatter = proc { |severity, time, _, message| "#{time.utc} #{severity} #{message}\n" }
      logger
    end
  end
end
