// Light, dark or as the system has it. Runs before the page is drawn, so that no other colour flashes up.
window.ncsbench = window.ncsbench || {};
(function (ncsbench) {
  "use strict";

  const KEY = "ncsbench.theme";
  const THEMES = ["system", "light", "dark"];

  // A browser may forbid storage to pages from disk: then nothing is remembered, and nothing breaks.
  function recall(key) {
    try {
      return window.localStorage.getItem(key);
    } catch {
      return null;
    }
  }

  /** Keep a text under a key; false where the browser does not let us. */
  function keep(key, text) {
    try {
      window.localStorage.setItem(key, text);
      return true;
    } catch {
      return false;
    }
  }

  let theme = THEMES.includes(recall(KEY)) ? recall(KEY) : "system";

  function apply() {
    document.documentElement.dataset.theme = theme;
  }

  function next() {
    theme = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length];
    keep(KEY, theme);
    apply();
    return theme;
  }

  apply();
  ncsbench.storage = { recall, keep };
  ncsbench.theme = { current: () => theme, next };
})(window.ncsbench);
