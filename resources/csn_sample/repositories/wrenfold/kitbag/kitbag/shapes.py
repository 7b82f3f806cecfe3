import colorsys
import logging
import math
from collections import deque


def polygon_area(points):
    """Compute the area of a polygon from its corners."""
    twice = 0.0
    for (x1, y1), (x2, y2) in zip(points, points[1:] + points[:1]):
        twice += x1 * y2 - x2 * y1
    return abs(twice) / 2


def distance(start, end):
    """Measure the distance between two points in the plane."""
    across = end[0] - start[0]
    up = end[1] - start[1]
    return math.hypot(across, up)


def rotate_point(point, degrees, centre=(0, 0)):
    """Rotate a point around a centre by an angle in degrees."""
    angle = math.radians(degrees)
    x, y = point[0] - centre[0], point[1] - centre[1]
    turned_x = x * math.cos(angle) - y * math.sin(angle)
    turned_y = x * math.sin(angle) + y * math.cos(angle)
    return turned_x + centre[0], turned_y + centre[1]


def boxes_overlap(first, second):
    """Check whether two rectangles share an area."""
    left, top, right, bottom = first
    other_left, other_top, other_right, other_bottom = second
    beside = right <= other_left or other_right <= left
    apart = bottom <= other_top or other_bottom <= top
    return not (beside or apart)


def hex_to_rgb(colour):
    """Convert a colour in hexadecimal notation to red, green and blue."""
    digits = colour.lstrip("#")
    if len(digits) == 3:
        digits = "".join(digit * 2 for digit in digits)
    return tuple(int(digits[start : start + 2], 16) for start in (0, 2, 4))


def lighten(rgb, amount):
    """Make a colour lighter by a share between zero and one."""
    red, green, blue = (channel / 255 for channel in rgb)
    hue, light, saturation = colorsys.rgb_to_hls(red, green, blue)
    light += (1 - light) * amount
    return tuple(round(255 * c) for c in colorsys.hls_to_rgb(hue, light, saturation))


def path_with_fewest_edges(graph, start, goal):
    """Find the way through a graph that has the fewest edges."""
    previous = {start: None}
    queue = deque([start])
    while queue:
        node = queue.popleft()
        if node == goal:
            break
        for neighbour in graph.get(node, ()):
            if neighbour not in previous:
                previous[neighbour] = node
                queue.append(neighbour)
    path = [goal] if goal in previous else []
    while path and previous[path[-1]] is not None:
        path.append(previous[path[-1]])
    return path[::-1]


def topological_order(graph):
    """Order the nodes of a graph so that each follows those it needs."""
    order, done = [], set()

    def visit(node):
        if node not in done:
            done.add(node)
            for needed in graph.get(node, ()):
                visit(needed)
            order.append(node)

    for node in sorted(graph):
        visit(node)
    return order


def make_logger(name, path, level=logging.INFO):
    """Make a logger that writes its messages with the time to a file."""
    handler = logging.FileHandler(path, encoding="utf-8")
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(message)s"))
    logger = logging.getLogger(name)
    logger.setLevel(level)
    logger.addHandler(handler)
    return logger


def read_settings(path, defaults):
    """Read settings from a configuration file over a set of defaults."""
    settings = dict(defaults)
    with open(path, encoding="utf-8") as handle:
        for line in handle:
            name, equals, value = line.partition("=")
            if equals and name.strip() in settings:
                settings[name.strip()] = value.strip()
    return settings


def bounding_box(points):
    xs = [x for x, _ in points]
    ys = [y for _, y in points]
    return min(xs), min(ys), max(xs), max(ys)
