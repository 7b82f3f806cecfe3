require "csv"
require "digest"
require "fileutils"
require "json"
require "zlib"

module Larder
  # Reads and writes the files of a folder.
  class FileShelf
    attr_reader :root

    # Remember the folder that all paths are relative to.
    def initialize(root)
      @root = File.expand_path(root)
    end

    # Read a csv file with a header into an array of hashes.
    def read_csv(name, separator: ",")
      rows = []
      CSV.foreach(path_of(name), headers: true, col_sep: separator) do |row|
        rows << row.to_h
      end
      rows
    end

    # Read a csv table and turn each of its rows into a hash.
    def load_csv(name, separator: ",")
      rows = []
      CSV.foreach(path_of(name), headers: true, col_sep: separator) do |row|
        rows << row.to_h
      end
      rows
    end

    # Write an array of hashes to a csv file, the keys as header.
    #
    # The keys of the first hash are taken for all.
    def write_csv(name, records)
      CSV.open(path_of(name), "w") do |csv|
        csv << records.first.keys
        records.each { |record| csv << record.values }
      end
      records.size
    end

    # Read a json file and return its content with symbols as keys.
    def read_json(name, default = {})
      full = path_of(name)
      return default unless File.exist?(full)

      JSON.parse(File.read(full, encoding: "UTF-8"), symbolize_names: true)
    end

    # Write a value to a json file, indented for readers.
    # @param name [String] the file, relative to the root
    # @param value [Object] what is written
    def write_json(name, value)
      full = path_of(name)
      FileUtils.mkdir_p(File.dirname(full))
      File.open(full, "w") do |file|
        file.write(JSON.pretty_generate(value))
        file.write("\n")
      end
      full
    end

    # Append one line to a log file and make the file if needed.
    def append_line(name, line)
      File.open(path_of(name), "a") do |file|
        file.flock(File::LOCK_EX)
        file.puts(line.chomp)
      end
    end

    # Count the lines of a file without reading it at once.
    def count_lines(name)
      total = 0
      File.foreach(path_of(name)) { total += 1 }
      puts "#{name} has #{total} lines" if $VERBOSE
      total
    end

    # List all files below the folder that have an extension.
    def find_files(extension)
      pattern = File.join(root, "**", "*#{extension}")
      paths = Dir.glob(pattern).select { |path| File.file?(path) }
      paths.map { |path| path.delete_prefix("#{root}/") }.sort
    end

    # Add up the sizes of all files in the folder, in bytes.
    def total_size
      sizes = Dir.glob(File.join(root, "**", "*")).map do |path|
        File.file?(path) ? File.size(path) : 0
      end
      sizes.sum
    end

    # Copy a file to another folder unless the copy there is newer.
    def copy_to(name, folder)
      source = path_of(name)
      target = File.join(folder, File.basename(name))
      return false if File.exist?(target) && File.mtime(target) >= File.mtime(source)

      FileUtils.cp(source, target)
      true
    end

    # Compress a file with gzip and remove the original.
    def compress(name)
      full = path_of(name)
      Zlib::GzipWriter.open("#{full}.gz") do |gzip|
        gzip.write(File.binread(full))
      end
      File.delete(full)
    end

    # Compute the checksum of a file as hexadecimal digits.
    def checksum(name)
      digest = Digest::SHA256.new
      File.open(path_of(name), "rb") do |file|
        while (block = file.read(4096))
          digest.update(block)
        end
      end
      digest.hexdigest
    end

    # Find the backup that was written last.
    def latest_backup
      backups = Dir.glob(File.join(root, "*.bak"))
      ordered = backups.sort_by { |path| [File.mtime(path), path] }
      ordered.last
    end

    def path_of(name)
      joined = File.join(root, name)
      raise ArgumentError, "outside of #{root}" if joined.include?("..")

      joined
    end

    # Tell whether the folder has a file.
    def file?(name) = File.file?(File.join(root, name))
  end
end
