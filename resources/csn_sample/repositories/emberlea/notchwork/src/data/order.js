'use strict';

/**
 * Sorts a list of objects by a key, upwards or downwards.
 *
 * @param {Object[]} list
 * @param {string} key
 * @param {boolean} [down]
 */
function sortByKey(list, key, down = false) {
  const direction = down ? -1 : 1;
  const value = (item) => (item[key] === undefined ? '' : item[key]);
  return [...list].sort((a, b) => {
    if (value(a) > value(b)) return direction;
    return value(a) < value(b) ? -direction : 0;
  });
}

/**
 * Sorts the entries of an object by their values, the largest first.
 */
function sortEntries(object) {
  const entries = Object.entries(object);
  entries.sort((one, other) => other[1] - one[1]);
  return Object.fromEntries(entries);
}

/**
 * Sorts a list in place by inserting each element where it belongs.
 */
function insertionSort(list, compare) {
  for (let i = 1; i < list.length; i++) {
    const element = list[i];
    let hole = i;
    while (hole > 0 && compare(list[hole - 1], element) > 0) {
      list[hole] = list[hole - 1];
      hole -= 1;
    }
    list[hole] = element;
  }
  return list;
}

/**
 * Performs a binary search in a sorted array of numbers.
 *
 * @returns {number} the index, or minus one
 */
function binarySearch(array, target, low = 0, high = array.length - 1) {
  if (low > high) {
    return -1;
  }
  const middle = Math.trunc((low + high) / 2);
  if (array[middle] === target) {
    return middle;
  }
  return array[middle] > target
    ? binarySearch(array, target, low, middle - 1)
    : binarySearch(array, target, middle + 1, high);
}

/**
 * Finds where an element must be inserted to keep an array sorted.
 */
function insertionPoint(array, element) {
  let [left, right] = [0, array.length];
  while (left !== right) {
    const middle = Math.floor((left + right) / 2);
    if (element > array[middle]) left = middle + 1;
    else right = middle;
  }
  return left;
}

/**
 * Searches an array from its start for an element with a given name.
 */
function findByName(array, name) {
  for (let index = 0; index < array.length; index++) {
    const element = array[index];
    if (element && element.name === name) {
      return element;
    }
  }
  return undefined;
}

function last(list) { return list[list.length - 1]; }

function partition(list, condition) {
  const parts = [[], []];
  for (const element of list) {
    parts[condition(element) ? 0 : 1].push(element);
  }
  return parts;
}

module.exports = {
  sortByKey, sortEntries, insertionSort, binarySearch, insertionPoint, findByName, last, partition,
};
