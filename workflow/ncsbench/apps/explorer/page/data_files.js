// Data files: scripts that call ncsbench.receive(name, value), read when a view asks for them.
window.ncsbench = window.ncsbench || {};
(function (ncsbench) {
  "use strict";

  const received = new Map();
  const wanted = new Map();

  /** What a data file calls. */
  ncsbench.receive = function (name, value) {
    received.set(name, value);
  };

  const unreadable = (address) =>
    new Error(
      `${address} cannot be read: it is missing or not whole. Make the folder again with “make explorer”, or copy all of it.`,
    );

  function read(address) {
    return new Promise(function (resolve, reject) {
      const script = document.createElement("script");
      script.src = address;
      script.onload = function () {
        script.remove();
        resolve();
      };
      script.onerror = function () {
        script.remove();
        reject(unreadable(address));
      };
      document.head.append(script);
    });
  }

  function take(name) {
    if (!received.has(name)) {
      throw new Error(
        `data/${name}.js is not whole or holds something else. Make the folder again with “make explorer”.`,
      );
    }
    return received.get(name);
  }

  /** Promise of a data file's value; a failed one is tried again at the next call. */
  function load(name) {
    if (!wanted.has(name)) {
      const ready = received.has(name) ? Promise.resolve() : read(`data/${encodeURIComponent(name)}.js`);
      const value = ready.then(() => take(name));
      value.catch(() => wanted.delete(name));
      wanted.set(name, value);
    }
    return wanted.get(name);
  }

  let embed = null;

  /** Promise of the charting library, which is read when the first figure comes near. */
  function loadCharts() {
    embed =
      embed ||
      read("scripts/vega.js").then(function () {
        if (!ncsbench.embed) throw unreadable("scripts/vega.js");
        return ncsbench.embed;
      });
    embed.catch(() => (embed = null));
    return embed;
  }

  ncsbench.data = { load, loadCharts, now: (name) => received.get(name) };
})(window.ncsbench);
