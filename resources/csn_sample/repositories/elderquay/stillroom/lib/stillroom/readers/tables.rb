require "csv"
require "json"
require "tempfile"

module Stillroom
  # Reads and writes tables of stocks.
  class TableReader
    def initialize(folder)
      @folder = folder
    end

    # Read a csv file and skip the rows that are empty.
    def read_csv_file(name)
      text = File.read(File.join(@folder, name), encoding: "bom|utf-8")
      rows = CSV.parse(text)
      rows.reject { |row| row.compact.empty? }
    end

    # Parse lines of csv and collect the values of each column.
    def columns_of(lines)
      header, *rows = lines.map { |line| line.chomp.split(";") }
      header.each_with_index.to_h do |name, index|
        [name, rows.map { |row| row[index] }]
      end
    end

    # Export stocks as csv with the amounts in grams.
    def export_csv(stocks, name)
      lines = stocks.sort.map do |ingredient, grams|
        [ingredient, grams.round(1)].to_csv
      end
      File.write(File.join(@folder, name), "ingredient,grams\n#{lines.join}")
    end

    # Write an object to a json file and replace the old file at once.
    #
    # A reader never sees half of it.
    def write_json_file(name, object)
      target = File.join(@folder, name)
      Tempfile.create("json", @folder) do |file|
        file.write(JSON.pretty_generate(object))
        file.flush
        File.rename(file.path, target)
      end
    end

    # Merge the objects of several json files into one.
    def merge_json(names)
      names.reduce({}) do |merged, name|
        content = File.read(File.join(@folder, name))
        merged.merge(JSON.parse(content))
      end
    end

    # Convert a recipe to a string of json.
    def recipe_to_json(recipe)
      fields = recipe.to_h.compact
      fields[:steps] = fields[:steps].map(&:strip)
      JSON.generate(fields.sort.to_h)
    end

    # Split a line of fixed width columns into its values.
    def fixed_width(line, widths)
      start = 0
      widths.map do |width|
        value = line[start, width].to_s.strip
        start += width
        value
      end
    end

    def each_line(name)
      return enum_for(:each_line, name) unless block_given?

      File.foreach(File.join(@folder, name)) { |line| yield line.chomp }
    end

    def newer?(name, time)
      path = File.join(@folder, name)
      File.exist?(path) && File.mtime(path) > time
    end
  end
end
