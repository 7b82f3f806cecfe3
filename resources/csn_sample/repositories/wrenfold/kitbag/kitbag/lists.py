import heapq
import random
from collections import defaultdict


def sort_by_key(records, key, descending=False):
    """Sort a list of dictionaries by the value of a key.

    Records without the key come last.
    """
    present = [record for record in records if record.get(key) is not None]
    missing = [record for record in records if record.get(key) is None]
    present.sort(key=lambda record: record[key], reverse=descending)
    return present + missing


def sort_by_length(words):
    """Sort strings by their length, those of one length by alphabet."""
    decorated = [(len(word), word) for word in words]
    decorated.sort()
    return [word for _, word in decorated]


def merge_sort(values):
    """Sort a list by merging its sorted halves."""
    if len(values) < 2:
        return list(values)
    middle = len(values) // 2
    left, right = merge_sort(values[:middle]), merge_sort(values[middle:])
    merged = []
    while left and right:
        merged.append(left.pop(0) if left[0] <= right[0] else right.pop(0))
    return merged + left + right


def binary_search(values, wanted):
    """Find the position of a value in a sorted list by halving it.

    @param values: the sorted list
    @param wanted: the value to look for
    @return: its position, or -1 when it is not in the list
    """
    low, high = 0, len(values) - 1
    while low <= high:
        middle = (low + high) // 2
        if values[middle] == wanted:
            return middle
        if values[middle] < wanted:
            low = middle + 1
        else:
            high = middle - 1
    return -1


def group_by(items, key):
    """Group the items of a list by what a function says of them."""
    groups = defaultdict(list)
    for item in items:
        groups[key(item)].append(item)
    return dict(groups)


def chunked(items, size):
    """Split a list into chunks of a size, the last one may be smaller."""
    if size < 1:
        raise ValueError("size below one")
    for start in range(0, len(items), size):
        yield items[start : start + size]


def flatten(nested):
    """Flatten nested lists of any depth into a single list."""
    flat, waiting = [], [nested]
    while waiting:
        item = waiting.pop()
        if isinstance(item, (list, tuple)):
            waiting.extend(reversed(item))
        else:
            flat.append(item)
    return flat


def remove_duplicates(items, key=lambda item: item):
    """Remove duplicates from a list and keep the first of each."""
    seen, kept = set(), []
    for item in items:
        mark = key(item)
        if mark not in seen:
            seen.add(mark)
            kept.append(item)
    return kept


def largest(values, amount):
    """Return the largest values of a list, in descending order."""
    heap = []
    for value in values:
        heapq.heappush(heap, value)
        if len(heap) > amount:
            heapq.heappop(heap)
    return sorted(heap, reverse=True)


def rotate(items, steps):
    """Rotate a list to the left by a number of steps."""
    if not items:
        return []
    offset = steps % len(items)
    return items[offset:] + items[:offset]


def partition(items, predicate):
    """Split a list into items that satisfy a predicate and all others."""
    accepted, rejected = [], []
    for item in items:
        target = accepted if predicate(item) else rejected
        target.append(item)
    return accepted, rejected


def shuffled(items, seed):
    """Shuffle a copy of a list with a seed, so that it can be repeated."""
    generator = random.Random(seed)
    copy = list(items)
    for last in range(len(copy) - 1, 0, -1):
        other = generator.randint(0, last)
        copy[last], copy[other] = copy[other], copy[last]
    return copy


def pairwise_differences(values):
    pairs = zip(values, values[1:])
    return [after - before for before, after in pairs]
