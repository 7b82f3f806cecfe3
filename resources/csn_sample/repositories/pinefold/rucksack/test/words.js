const words = require('../tools/words');

/**
 * Checks that two names have no comma between them.
 */
function twoNames() {
  const sentence = words.enumerate(['Ann', 'Bo']);
  console.assert(sentence === 'Ann and Bo');
}

function oneName() {
  const sentence = words.enumerate(['Ann']);
  console.assert(sentence === 'Ann');
}

twoNames();
oneName();
