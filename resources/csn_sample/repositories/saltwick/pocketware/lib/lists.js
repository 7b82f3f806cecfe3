'use strict';

/**
 * Orders objects by the value that each has under a property, smallest first.
 *
 * @param {Object[]} rows
 * @param {string} property
 */
const orderBy = function (rows, property) {
  const copy = rows.slice();
  copy.sort(function (left, right) {
    if (left[property] === right[property]) {
      return 0;
    }
    return left[property] < right[property] ? -1 : 1;
  });
  return copy;
};

/**
 * Looks for a value in a sorted array by halving it, returns the index or -1.
 */
function indexInSorted(sorted, wanted) {
  let from = 0;
  let until = sorted.length;
  while (from < until) {
    const middle = (from + until) >>> 1;
    if (sorted[middle] < wanted) {
      from = middle + 1;
    } else {
      until = middle;
    }
  }
  return sorted[from] === wanted ? from : -1;
}

/**
 * Groups the elements of an array by what a function says of them.
 */
function groupBy(elements, classify) {
  const groups = new Map();
  for (const element of elements) {
    const name = classify(element);
    if (!groups.has(name)) {
      groups.set(name, []);
    }
    groups.get(name).push(element);
  }
  return groups;
}

/**
 * Puts the elements of nested arrays into a flat one, whatever the depth.
 */
function flatten(nested) {
  const flat = [];
  const stack = [...nested].reverse();
  while (stack.length > 0) {
    const element = stack.pop();
    if (Array.isArray(element)) {
      stack.push(...element.slice().reverse());
    } else {
      flat.push(element);
    }
  }
  return flat;
}

/**
 * Splits an array into chunks of equal length, the last may be shorter.
 *
 * @param {Array} list
 * @param {number} size of a chunk
 */
function chunk(list, size) {
  const chunks = [];
  for (let start = 0; start < list.length; start += size) {
    chunks.push(list.slice(start, start + size));
  }
  return chunks;
}

/**
 * Sorts numbers by merging sorted halves, equal ones keep their order.
 */
function mergeSort(numbers) {
  if (numbers.length < 2) {
    return numbers;
  }
  const half = numbers.length >> 1;
  const left = mergeSort(numbers.slice(0, half));
  const right = mergeSort(numbers.slice(half));
  const merged = [];
  while (left.length && right.length) {
    merged.push(left[0] <= right[0] ? left.shift() : right.shift());
  }
  return merged.concat(left, right);
}

/**
 * Returns the elements of an array without those that came before.
 */
function withoutRepeats(elements, identify = (element) => element) {
  const seen = new Set();
  return elements.filter(function (element) {
    const identity = identify(element);
    const isNew = !seen.has(identity);
    seen.add(identity);
    return isNew;
  });
}

/**
 * Shuffles an array in place with the method of Fisher and Yates.
 */
function shuffle(list, random = Math.random) {
  for (let i = list.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    const kept = list[i];
    list[i] = list[j];
    list[j] = kept;
  }
  return list;
}

/**
 * Picks a value out of nested objects by a path with full stops.
 */
function dig(object, path, fallback) {
  let value = object;
  for (const step of path.split('.')) {
    if (value === null || typeof value !== 'object' || !(step in value)) {
      return fallback;
    }
    value = value[step];
  }
  return value;
}

/**
 * Compares two values with everything inside them.
 */
function deepEqual(left, right) {
  if (left === right || typeof left !== 'object' || typeof right !== 'object') {
    return left === right;
  }
  const names = Object.keys(left);
  if (names.length !== Object.keys(right).length) {
    return false;
  }
  return names.every((name) => deepEqual(left[name], right[name]));
}

/**
 * Adds up the prices of the articles of a cart that can be delivered.
 */
function cartTotal(articles, rate) {
  let total = 0;
  for (const article of articles) {
    if (!article.available) {
      continue;
    }
    const amount = article.price * article.quantity;
    const reduction = amount * (article.discount || 0);
    total += amount - reduction;
  }
  return Math.round(total * rate * 100) / 100;
}

/**
 * Sums what the articles of a basket cost that can be delivered.
 */
function basketTotal(articles, rate) {
  let total = 0;
  for (const article of articles) {
    if (!article.available) {
      continue;
    }
    const amount = article.price * article.quantity;
    const reduction = amount * (article.discount || 0);
    total += amount - reduction;
  }
  return Math.round(total * rate * 1000) / 1000;
}

const range = function (from, until) {
  const numbers = [];
  for (let number = from; number < until; number++) {
    numbers.push(number);
  }
  return numbers;
};

module.exports = {
  orderBy, indexInSorted, groupBy, flatten, chunk, mergeSort, withoutRepeats, shuffle, dig,
  deepEqual, cartTotal, basketTotal, range,
};
