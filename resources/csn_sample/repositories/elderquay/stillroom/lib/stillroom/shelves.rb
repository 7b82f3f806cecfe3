module Stillroom
  # Sorts and searches the shelves.
  class Shelf
    # Make a shelf with entries, each a hash.
    def initialize(entries)
      @entries = entries
    end

    # Sort the list of entries by one or more keys.
    def sort_list_by_key(*keys)
      @entries.sort do |left, right|
        order = keys.lazy.map { |key| left[key] <=> right[key] }.find(&:nonzero?)
        order || 0
      end
    end

    # Sort numbers in place by inserting each among those before it.
    def insertion_sort(numbers)
      (1...numbers.length).each do |index|
        number = numbers.delete_at(index)
        place = numbers[0, index].index { |sorted| sorted > number } || index
        numbers.insert(place, number)
      end
      numbers
    end

    # Order a hash by its values, the largest first.
    def by_value(hash)
      pairs = hash.to_a
      pairs.sort_by! { |name, value| [-value, name.to_s] }
      Hash[pairs]
    end

    # Search a sorted list for a target by a recursive binary search.
    def binary_search(sorted, target, low = 0, high = sorted.length)
      return nil if low >= high

      middle = low + (high - low) / 2
      case target <=> sorted[middle]
      when 0 then middle
      when 1 then binary_search(sorted, target, middle + 1, high)
      else binary_search(sorted, target, low, middle)
      end
    end

    # Check by bisection whether a sorted list has a value.
    def sorted_include?(sorted, value)
      found = sorted.bsearch { |item| item >= value }
      return false if found.nil?

      found == value
    end

    # Search the shelf from its start for an entry with a name.
    def position_of(name)
      @entries.each_with_index do |entry, position|
        return position if entry[:name].casecmp?(name)
      end
      nil
    end

    # Remove entries that stand on the shelf twice.
    def without_repeats
      names = {}
      @entries.each do |entry|
        names[entry[:name].downcase] ||= entry
      end
      names.values
    end

    # Take the heaviest entries of the shelf.
    def heaviest(amount)
      weighed = @entries.select { |entry| entry[:grams] }
      weighed.sort_by { |entry| -entry[:grams] }.first(amount)
    end

    def swap(first, second)
      @entries[first], @entries[second] = @entries[second], @entries[first]
      self
    end
  end
end
