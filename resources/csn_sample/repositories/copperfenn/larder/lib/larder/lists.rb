module Larder
  # Sorting, searching and grouping of arrays.
  module Lists
    module_function

    # Sort a list of hashes by the value of a key, missing ones last.
    def sort_by_key(records, key, descending: false)
      present, missing = records.partition { |record| record[key] }
      sorted = present.sort_by { |record| record[key] }
      sorted.reverse! if descending
      sorted + missing
    end

    # Sort strings by length, then by alphabet.
    def sort_by_length(words)
      words.sort do |left, right|
        by_length = left.length <=> right.length
        by_length.zero? ? left <=> right : by_length
      end
    end

    # Sort a list by merging its sorted halves.
    def merge_sort(values)
      return values if values.length < 2

      left, right = values.each_slice((values.length + 1) / 2).map { |half| merge_sort(half) }
      merged = []
      merged << (left.first <= right.first ? left.shift : right.shift) while left.any? && right.any?
      merged + left + right
    end

    # Find the position of a value in a sorted list by halving it.
    #
    # @param values [Array] sorted in ascending order
    # @return [Integer, nil] the position
    def binary_search(values, wanted)
      low = 0
      high = values.length - 1
      while low <= high
        middle = (low + high) / 2
        return middle if values[middle] == wanted

        values[middle] < wanted ? low = middle + 1 : high = middle - 1
      end
      nil
    end

    # Group items by what a block says of each of them.
    def group_items(items)
      groups = {}
      items.each do |item|
        key = yield item
        (groups[key] ||= []) << item
      end
      groups
    end

    # Split a list into chunks of a size, the last may be shorter.
    def chunk(items, size)
      raise ArgumentError, "size below one" if size < 1

      chunks = []
      0.step(items.length - 1, size) { |start| chunks << items[start, size] }
      chunks
    end

    # Flatten nested lists of any depth without recursion.
    def flatten_deep(nested)
      flat = []
      waiting = [nested]
      until waiting.empty?
        item = waiting.pop
        item.is_a?(Array) ? waiting.concat(item.reverse) : flat << item
      end
      flat
    end

    # Remove duplicates and keep the first item of each key.
    def remove_duplicates(items)
      seen = {}
      items.select do |item|
        key = block_given? ? yield(item) : item
        seen.key?(key) ? false : seen[key] = true
      end
    end

    # Return the items that two lists have in common.
    def common_items(first, second)
      known = second.to_h { |item| [item, true] }
      shared = first.select { |item| known[item] }
      shared.uniq
    end

    # Shuffle a copy of a list so that a seed repeats the order.
    def shuffle_with(items, seed)
      generator = Random.new(seed)
      copy = items.dup
      (copy.length - 1).downto(1) do |last|
        other = generator.rand(last + 1)
        copy[last], copy[other] = copy[other], copy[last]
      end
      copy
    end

    # Give the running totals of a list of numbers.
    def running_totals(numbers)
      total = 0
      numbers.each_with_object([]) do |number, totals|
        total += number
        totals << total
      end
    end

    def differences(numbers)
      numbers.each_cons(2).map do |before, after|
        after - before
      end
    end
  end
end
