// The address holds the whole view: #/questions?model=ncs&with=bm25
(function (ncsbench) {
  "use strict";

  /** View ("" is the overview), its item and its parameters. */
  function read() {
    const [path, query = ""] = window.location.hash.replace(/^#\/?/, "").split(/\?(.*)/s);
    const [view, item = ""] = path.split("/");
    return { view, item, parameters: Object.fromEntries(new URLSearchParams(query)) };
  }

  /** The address of a view; parameters that are empty are left out. */
  function write(path, parameters) {
    const kept = Object.entries(parameters || {}).filter(([, value]) => value !== "" && value !== null && value !== undefined);
    const query = new URLSearchParams(kept).toString();
    return `#/${path}${query ? `?${query}` : ""}`;
  }

  function go(address) {
    window.location.hash = address;
  }

  /** Change parameters of the view shown; typing replaces the entry of the history, choosing adds one. */
  function change(changes, replace = false) {
    const { view, item, parameters } = read();
    const address = write(item ? `${view}/${item}` : view, { ...parameters, ...changes });
    if (address === window.location.hash) return;
    if (replace) window.location.replace(address);
    else go(address);
  }

  ncsbench.address = { read, write, go, change };
})(window.ncsbench);
