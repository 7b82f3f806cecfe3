const text = require('../lib/text');

/**
 * Checks that the letters of a word change places.
 */
function mirrorTurns() {
  const mirrored = text.mirror('brook');
  console.assert(mirrored === 'koorb');
}

function slugIsPlain() {
  const slug = text.slugify('Hello, World');
  console.assert(slug === 'hello-world');
}

mirrorTurns();
slugIsPlain();
