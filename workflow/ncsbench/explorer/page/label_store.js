// The labels of this reader: in memory, and in the browser where it lets a page from disk keep something.
(function (ncsbench) {
  "use strict";

  const { pairOf } = ncsbench.labelFile;
  const { recall, keep } = ncsbench.storage;
  const pair = (label) => pairOf(label.query, label.document);

  function restore(key) {
    try {
      const { labels, unsaved } = JSON.parse(recall(key));
      const whole = Array.isArray(labels) && labels.every((one) => ["language", "query", "document", "grade", "notes"].every((name) => typeof one[name] === "string"));
      return whole ? { labels, unsaved: Number(unsaved) || 0 } : { labels: [], unsaved: 0 };
    } catch (error) {
      return { labels: [], unsaved: 0 };
    }
  }

  /** Labels under a key; every change is kept at once. */
  function open(key) {
    let { labels, unsaved } = restore(key);
    const restored = labels.length;
    let made = []; // what undo takes back, the last at the end
    const others = new Map(); // labels of other people by pair
    let kept = true;

    function changed() {
      kept = keep(key, JSON.stringify({ labels, unsaved }));
    }

    /** A label takes the place of the reader's own of the same pair. */
    function grade(label) {
      labels = [...labels.filter((one) => pair(one) !== pair(label)), label];
      made.push(label);
      unsaved += 1;
      changed();
    }

    /** Take the last label of this session back; null where there is none. */
    function undo() {
      const label = made.pop();
      if (!label) return null;
      labels = labels.filter((one) => one !== label);
      unsaved = Math.max(0, unsaved - 1);
      changed();
      return label;
    }

    /** Labels of the reader's file come before those made here, which win where both judge a pair. */
    function join(found) {
      const here = new Set(labels.map(pair));
      labels = [...found.filter((one) => !here.has(pair(one))), ...labels];
      changed();
    }

    function addOthers(found) {
      for (const label of found) others.set(pair(label), (others.get(pair(label)) || 0) + 1);
    }

    function saved() {
      unsaved = 0;
      changed();
    }

    function clear() {
      labels = [];
      made = [];
      unsaved = 0;
      changed();
    }

    window.addEventListener("beforeunload", function (event) {
      if (unsaved) event.preventDefault();
    });
    return {
      grade, undo, join, addOthers, saved, clear, restored,
      labels: () => labels,
      pairs: () => new Set(labels.map(pair)),
      counts: others,
      unsaved: () => unsaved,
      undoable: () => made.length > 0,
      kept: () => kept,
    };
  }

  ncsbench.labelStore = { open };
})(window.ncsbench);
