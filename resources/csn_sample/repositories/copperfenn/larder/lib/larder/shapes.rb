module Larder
  # Points, polygons and colours.
  module Shapes
    module_function

    # Compute the area of a polygon from its corners.
    def polygon_area(points)
      edges = points.zip(points.rotate)
      twice = edges.sum { |(x1, y1), (x2, y2)| x1 * y2 - x2 * y1 }
      twice.abs / 2.0
    end

    # Measure the distance between two points.
    def distance(start, goal)
      across = goal[0] - start[0]
      upwards = goal[1] - start[1]
      Math.hypot(across, upwards)
    end

    # Rotate a point around the origin by degrees.
    def rotate_point(point, degrees)
      angle = degrees * Math::PI / 180
      x, y = point
      [x * Math.cos(angle) - y * Math.sin(angle), x * Math.sin(angle) + y * Math.cos(angle)]
    end

    # Check whether two rectangles overlap.
    def overlap?(first, second)
      left, top, width, height = first
      other_left, other_top, other_width, other_height = second
      beside = left + width <= other_left || other_left + other_width <= left
      above = top + height <= other_top || other_top + other_height <= top
      !(beside || above)
    end

    # Convert a hexadecimal colour to red, green and blue.
    def hex_to_rgb(colour)
      digits = colour.delete("#")
      digits = digits.each_char.map { |digit| digit * 2 }.join if digits.length == 3
      digits.scan(/../).map { |pair| pair.to_i(16) }
    end

    # Mix two colours, each channel by the same share.
    def mix_colours(first, second, share = 0.5)
      channels = first.zip(second)
      channels.map do |one, other|
        (one * (1 - share) + other * share).round
      end
    end
  end

  # A graph of nodes and their neighbours.
  class Graph
    def initialize(edges = {})
      @edges = edges
    end

    # Find the path with the fewest edges between two nodes.
    def path_between(start, goal)
      previous = { start => nil }
      queue = [start]
      while (node = queue.shift) && node != goal
        @edges.fetch(node, []).each do |neighbour|
          queue << neighbour unless previous.key?(neighbour)
          previous[neighbour] ||= node unless neighbour == start
        end
      end
      trace(previous, goal)
    end

    # Order the nodes so that each comes after those it needs.
    def topological_order
      order = []
      visit = lambda do |node|
        next if order.include?(node)

        @edges.fetch(node, []).each(&visit)
        order << node
      end
      @edges.keys.sort.each(&visit)
      order
    end

    # List every node that can be reached from a start.
    def reachable(start)
      reached = [start]
      reached.each do |node|
        fresh = @edges.fetch(node, []) - reached
        reached.concat(fresh)
      end
      reached.sort
    end

    def trace(previous, node)
      path = []
      while previous.key?(node) && node
        path.unshift(node)
        node = previous[node]
      end
      path
    end
  end
end
