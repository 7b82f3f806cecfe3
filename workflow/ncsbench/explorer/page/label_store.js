// The labels of this reader: in memory, and in the browser where it lets a page from disk keep something.
(function (ncsbench) {
  "use strict";

  const { pairOf } = ncsbench.labelFile;
  const { recall, keep } = ncsbench.storage;
  /** What a label is of: a result of the pool, or a pair of a file that this pool does not have. */
  const target = (label) => label.item || pairOf(label.query, label.document);

  function restore(key) {
    try {
      const { labels, unsaved } = JSON.parse(recall(key));
      const whole =
        Array.isArray(labels) &&
        labels.every((one) =>
          ["language", "query", "document", "grade", "notes", "item"].every(
            (name) => typeof one[name] === "string",
          ),
        );
      return whole ? { labels, unsaved: Number(unsaved) || 0 } : { labels: [], unsaved: 0 };
    } catch {
      return { labels: [], unsaved: 0 };
    }
  }

  /** Labels under a key; every change is kept at once. */
  function open(key) {
    let { labels, unsaved } = restore(key);
    const restored = labels.length;
    let made = []; // what undo takes back, the last at the end
    const others = new Map(); // labels of other people by result
    let kept = true;
    let inFile = 0; // how many of made the file has: taking one of them back is a change, too

    function changed() {
      kept = keep(key, JSON.stringify({ labels, unsaved }));
    }

    /** A label takes the place of the reader's own of the same result. */
    function grade(label) {
      labels = [...labels.filter((one) => target(one) !== target(label)), label];
      made.push(label);
      unsaved += 1;
      changed();
    }

    /** Take the last label of this session back; null where there is none. */
    function undo() {
      const label = made.pop();
      if (!label) return null;
      labels = labels.filter((one) => one !== label);
      unsaved = Math.max(0, unsaved + (made.length < inFile ? 1 : -1));
      inFile = Math.min(inFile, made.length);
      changed();
      return label;
    }

    /** Labels of the reader's file come before those made here, which win where both judge a result. */
    function join(found) {
      const here = new Set(labels.map(target));
      labels = [...found.filter((one) => !here.has(target(one))), ...labels];
      changed();
    }

    function addOthers(found) {
      for (const label of found) others.set(target(label), (others.get(target(label)) || 0) + 1);
    }

    function saved() {
      unsaved = 0;
      inFile = made.length;
      changed();
    }

    function clear() {
      labels = [];
      made = [];
      inFile = 0;
      unsaved = 0;
      changed();
    }

    window.addEventListener("beforeunload", function (event) {
      if (unsaved) event.preventDefault();
    });
    return {
      grade,
      undo,
      join,
      addOthers,
      saved,
      clear,
      restored,
      labels: () => labels,
      done: () => new Set(labels.map(target)),
      counts: others,
      unsaved: () => unsaved,
      undoable: () => made.length > 0,
      kept: () => kept,
    };
  }

  ncsbench.labelStore = { open };
})(window.ncsbench);
