require "larder/lists"

module Larder
  class CheckLists
    # Check that the search finds every value of a sorted list.
    def check_binary_search
      values = [2, 3, 5, 7, 11]
      values.each_with_index do |value, position|
        raise "lost #{value}" unless Lists.binary_search(values, value) == position
      end
    end

    # Check that chunks hold all items of a list in order.
    def check_chunk
      chunks = Lists.chunk([1, 2, 3, 4, 5], 2)
      raise "wrong chunks" unless chunks == [[1, 2], [3, 4], [5]]
    end
  end
end
