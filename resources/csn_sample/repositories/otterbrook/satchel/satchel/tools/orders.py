from bisect import bisect_left
from operator import itemgetter


def sort_list_by_key(entries, *keys):
    """Sort a list of entries by one or more keys."""
    ordered = list(entries)
    for key in reversed(keys):
        ordered.sort(key=itemgetter(key))
    return ordered


def insertion_sort(values):
    """Sort a list in place by inserting each value among those before it."""
    for index in range(1, len(values)):
        value, place = values[index], index
        while place > 0 and values[place - 1] > value:
            values[place] = values[place - 1]
            place -= 1
        values[place] = value
    return values


def sort_dictionary(mapping):
    """Order a dictionary by its values, the largest first."""
    pairs = list(mapping.items())
    pairs.sort(key=lambda pair: (-pair[1], pair[0]))
    return dict(pairs)


def binary_search(ordered, target, low=0, high=None):
    """Search a sorted list for a target by a recursive binary search."""
    high = len(ordered) if high is None else high
    if low >= high:
        return None
    middle = low + (high - low) // 2
    if ordered[middle] == target:
        return middle
    if ordered[middle] < target:
        return binary_search(ordered, target, middle + 1, high)
    return binary_search(ordered, target, low, middle)


def contains_sorted(ordered, target):
    """Check by bisection whether a sorted list contains a value."""
    place = bisect_left(ordered, target)
    if place == len(ordered):
        return False
    return ordered[place] == target


def index_of(entries, wanted):
    """Search a list from its start and return the index of an entry."""
    for index, entry in enumerate(entries):
        if entry == wanted:
            return index
    return -1


def common_elements(first, second):
    """List the elements that two lists have in common, in order."""
    known = set(second)
    shared = []
    for element in first:
        if element in known and element not in shared:
            shared.append(element)
    return shared


def running_totals(amounts):
    """Add up a list of amounts and keep every total on the way."""
    totals, total = [], 0
    for amount in amounts:
        total += amount
        totals.append(total)
    return totals


def swap(items, first, second):
    items[first], items[second] = items[second], items[first]
    changed = {first, second}
    return changed
